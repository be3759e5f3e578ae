/** Which rules hold in a thread: its own, the person's for its workspace and for all, and those the folder brings. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { readSteeringText } from "../agent-files/steering-texts.ts";
import { loadRulesFile } from "../policy/rules-file.ts";
import { folderRulesFile } from "../policy/steering-files.ts";
import type { FolderTrust } from "./folder-trust.ts";
import { type RulesInForce, toRules } from "./rule-entries.ts";
import { parseEntries } from "./user-rules-file.ts";

/** Where a request is made; without an id no rule of a single thread holds. */
export type RulePlace = { id: ThreadId | undefined; workspace: string };

export type RulesInForceParts = {
  shell: ShellKind;
  /** The text of the person's own rules as it is now. */
  readOwn(): string;
  isTrusted(workspace: string): boolean;
  folderTrust: Pick<FolderTrust, "isAsTrusted" | "trustedText">;
  /** The folder that a worktree was made for, whose rules hold there; of any other folder itself. */
  originOf(workspace: string): string;
};

/** The rules that a folder brings in a file of its own. */
type FolderRules = { text: string; asTrusted: boolean; before: string | undefined };

const rememberedThreads = 500;

/** Asked for at every call of every agent: the same texts are made into rules once. */
export function createRulesInForce(parts: RulesInForceParts): (place: RulePlace) => RulesInForce {
  const remembered = new Map<string, { from: string; rules: RulesInForce }>();
  return (place) => {
    const own = parts.readOwn();
    const folder = readFolderRules(place.workspace, parts);
    const origin = parts.originOf(place.workspace);
    const from = JSON.stringify([own, folder, origin]);
    const key = `${place.id ?? ""} ${place.workspace}`;
    const known = remembered.get(key);
    if (known?.from === from) return known.rules;
    if (remembered.size >= rememberedThreads) remembered.clear();
    const rules = gatherRules(place, origin, own, folder, parts.shell);
    remembered.set(key, { from, rules });
    return rules;
  };
}

/** Rules that nobody looked at since they changed may only tighten, and so may those that were there before. */
function readFolderRules(workspace: string, parts: RulesInForceParts): FolderRules {
  const trusted = parts.isTrusted(workspace);
  const text = readSteeringText(workspace, folderRulesFile) ?? "";
  const asTrusted = trusted && parts.folderTrust.isAsTrusted(workspace, folderRulesFile, text);
  const before =
    trusted && !asTrusted ? parts.folderTrust.trustedText(workspace, folderRulesFile) : undefined;
  return { text, asTrusted, before };
}

function gatherRules(
  { id, workspace }: RulePlace,
  origin: string,
  own: string,
  folder: FolderRules,
  shell: ShellKind,
): RulesInForce {
  const entries = parseEntries(own);
  const isOf = (folder: string | undefined) =>
    folder !== undefined && (folder === workspace || folder === origin);
  const ofThread = entries.filter((entry) => id !== undefined && entry.thread === id);
  const ofWorkspace = entries.filter((entry) => !entry.thread && isOf(entry.workspace));
  const ofUser = entries.filter((entry) => !entry.thread && !entry.workspace);
  // A folder's own rules may tighten; they loosen only when the person trusts the folder.
  const now = loadRulesFile(folder.text, { scope: "workspace", trusted: folder.asTrusted, shell });
  const before = loadRulesFile(folder.before ?? "", { scope: "workspace", trusted: false, shell });
  const scopes = [
    toRules(ofThread, "thread", shell),
    // The person's own rule for a folder is the person's word; only the folder's own file needs their trust.
    toRules(ofWorkspace, "user", shell),
    toRules(ofUser, "user", shell),
    { commands: [...now.rules, ...before.rules], files: [...now.files, ...before.files] },
  ];
  const asks = loadRulesFile(own, { scope: "user", trusted: true, shell }).uncoveredAsk;
  return {
    commands: scopes.flatMap((scope) => scope.commands),
    files: scopes.flatMap((scope) => scope.files),
    uncoveredAsk: asks || now.uncoveredAsk || before.uncoveredAsk,
  };
}
