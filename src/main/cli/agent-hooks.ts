/** Puts our hook into the settings of an agent and takes it out again; all else in them stays as it was written. */
import { applyEdits, getNodeValue, type JSONPath, modify, type Node } from "jsonc-parser";
import { hookCommand, isHookCommand } from "../agents/terminal/hook-script.ts";
import type { HookEvent, TerminalAgent } from "../agents/terminal/hook-words.ts";
import { membersOf, readSettingsTree } from "../policy/foreign/settings-tree.ts";

/** As long as a person may take. */
const patienceSeconds = 86_400;

/** Claude Code goes on asking in its terminal and tells its hook nothing of a yes there, but it tells when a call ended. */
const eventsOf: Readonly<Record<TerminalAgent, readonly HookEvent[]>> = {
  "claude-code": ["PermissionRequest", "PostToolUse", "PostToolUseFailure"],
  codex: ["PermissionRequest"],
};

/** The settings of `agent` as text with the hook that asks in `dataDir`, once. @throws Error when they cannot be read */
export function withHook(text: string, agent: TerminalAgent, dataDir: string): string {
  const wanted = eventsOf[agent].map((event) => [event, toGroup(event, agent, dataDir)] as const);
  const own = ownGroups(text);
  const isThere = ({ event, group }: Own) =>
    wanted.some(([name, each]) => name === event && JSON.stringify(each) === JSON.stringify(group));
  if (own.length === wanted.length && own.every(isThere)) return text;
  return wanted.reduce((now, [event, group]) => add(now, event, group), withoutHook(text));
}

/** The settings of an agent as text without any hook of ours. @throws Error when they cannot be read */
export function withoutHook(text: string): string {
  let now = text;
  for (let own = ownGroups(now); own.length > 0; own = ownGroups(now)) now = remove(now, own.at(-1)!.path);
  return now;
}

function toGroup(event: HookEvent, agent: TerminalAgent, dataDir: string) {
  const hook = { type: "command", command: hookCommand(dataDir, agent) };
  const isAsking = event === "PermissionRequest";
  return {
    matcher: "*",
    hooks: [{ ...hook, ...(isAsking ? { timeout: patienceSeconds } : { async: true }) }],
  };
}

type Own = { event: string; group: unknown; path: JSONPath };

/** What of ours is there: a group of nothing but ours as a whole, else the one hook in it. */
function ownGroups(text: string): Own[] {
  return readGroups(text).flatMap(({ event, groups }) =>
    groups.flatMap((group, at): Own[] => {
      const hooks = (group as { hooks?: unknown })?.hooks;
      if (!Array.isArray(hooks)) return [];
      const ours = hooks.flatMap((hook, index) => (isHookCommand(hook?.command) ? [index] : []));
      const path = ["hooks", event, at];
      if (ours.length === hooks.length && ours.length > 0) return [{ event, group, path }];
      return ours.map((index) => ({ event, group: undefined, path: [...path, "hooks", index] }));
    }),
  );
}

/** @throws Error in a sentence when these are no settings that an agent reads. */
function readGroups(text: string): { event: string; groups: unknown[] }[] {
  const hooks = memberOf(readRoot(text), "hooks");
  if (hooks === undefined) return [];
  const members = membersOf(hooks);
  if (hooks.type !== "object") throw new Error("“hooks” is no object there.");
  if (!(members instanceof Map)) throw new Error(members.problem);
  return [...members].map(([event, node]) => {
    const groups: unknown = getNodeValue(node);
    if (!Array.isArray(groups)) throw new Error(`“hooks.${event}” is no list there.`);
    return { event, groups };
  });
}

function readRoot(text: string): Node {
  const root = readSettingsTree(text);
  if ("problem" in root) throw new Error(root.problem);
  return root;
}

function memberOf(node: Node, name: string): Node | undefined {
  const members = membersOf(node);
  if (!(members instanceof Map)) throw new Error(members.problem);
  return members.get(name);
}

function add(text: string, event: HookEvent, group: unknown): string {
  const there = readGroups(text).find((each) => each.event === event);
  return there === undefined
    ? edit(text, ["hooks", event], [group])
    : edit(text, ["hooks", event, there.groups.length], group, true);
}

/** With the list, and the object of lists, that is empty then. */
function remove(text: string, path: JSONPath): string {
  const now = edit(text, path, undefined);
  const groups = readGroups(now);
  const [, event] = path;
  if (path.length > 3 || groups.find((each) => each.event === event)?.groups.length !== 0) return now;
  return edit(now, groups.length === 1 ? ["hooks"] : path.slice(0, 2), undefined);
}

function edit(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  const insertSpaces = !indent.startsWith("\t");
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 4, eol };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
}
