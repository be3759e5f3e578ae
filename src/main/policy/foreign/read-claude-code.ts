/** Reads the permissions in a settings file of Claude Code. */
import type { Node } from "jsonc-parser";
import { parseCommandRule } from "../command-rule.ts";
import type { FileOperation } from "../file-rule.ts";
import {
  type Effect,
  type ForeignEntry,
  type ForeignRules,
  leadOf,
  type Meaning,
  simpleWords,
} from "./foreign-entry.ts";
import { membersOf, readSettingsTree } from "./settings-tree.ts";

const effects: readonly string[] = ["allow", "ask", "deny"] satisfies Effect[];

/** @param text JSON with `permissions`, its lists `allow`, `ask` and `deny`. */
export function readClaudeCode(text: string): ForeignRules {
  const root = readSettingsTree(text);
  if ("problem" in root) return root;
  const settings = membersOf(root);
  if ("problem" in settings) return settings;
  const permissions = settings.get("permissions");
  if (permissions?.type !== "object") return { problem: 'The file has no "permissions".' };
  const lists = membersOf(permissions);
  if ("problem" in lists) return lists;
  return { entries: [...lists].flatMap(([name, node]) => readList(name, node)) };
}

function readList(name: string, node: Node): ForeignEntry[] {
  if (!effects.includes(name))
    return [other(name, "allow", "Of the permissions only the lists allow, ask and deny are read.")];
  const effect = name as Effect;
  if (node.type !== "array") return [beyond(name, effect, "It is no list.")];
  return (node.children ?? []).map(({ value }) => {
    if (typeof value !== "string") return beyond(name, effect, "It is no text.");
    return { text: value, effect, means: readRule(value, effect) };
  });
}

function readRule(rule: string, effect: Effect): Meaning {
  const parts = /^(\w+)(?:\((.*)\))?$/s.exec(rule);
  if (parts === null) return { kind: "beyond", why: "It is not in the form that is known." };
  const [, tool = "", inside] = parts;
  if (tool === "Bash") return readCommand(inside ?? "*", effect);
  if (tool === "Read" || tool === "Edit" || tool === "Write") return readFiles(tool, inside ?? "", effect);
  return {
    kind: "other",
    why: "Rules here are about commands and files. Other tools wait for you unless you said that they only read.",
  };
}

/** `npm test` is a whole command; `npm test:*` and `npm test *` are its beginning; other stars are patterns. */
function readCommand(inside: string, effect: Effect): Meaning {
  const text = inside.endsWith(":*") ? `${inside.slice(0, -2)} *` : inside;
  if (/^[\s*]*$/.test(text)) return { kind: "beyond", why: "It stands for every command." };
  const star = text.indexOf("*");
  if (star < 0) return readWords(text, true);
  const lead = leadOf(text.slice(0, star));
  const isLast = star === text.length - 1;
  if (isLast && text.endsWith(" *")) {
    const meaning = readWords(text.slice(0, -2), false);
    return meaning.kind === "beyond" ? { ...meaning, lead } : meaning;
  }
  const why = "Rules here are whole words, without patterns.";
  const begun = text.slice(0, -1);
  const tokens = isLast ? simpleWords(begun) : undefined;
  if (tokens !== undefined) return readPartial(tokens, effect, why);
  return { kind: "beyond", why, lead };
}

/** What is allowed ends at a word here. */
function readPartial(tokens: string[], effect: Effect, why: string): Meaning {
  if (effect !== "allow") return { kind: "words", rules: [{ tokens, exact: false, partial: true }] };
  return { kind: "words", rules: [{ tokens, exact: false }], narrowed: why };
}

function readWords(text: string, exact: boolean): Meaning {
  const parsed = parseCommandRule(text, "bash");
  if ("problem" in parsed) return { kind: "beyond", why: parsed.problem, lead: leadOf(text) };
  return { kind: "words", rules: [{ tokens: parsed.tokens, exact }] };
}

const operations: Record<string, FileOperation[]> = {
  Read: ["read"],
  Edit: ["write", "delete"],
  Write: ["write", "delete"],
};

function readFiles(tool: string, inside: string, effect: Effect): Meaning {
  if (/^(?:~|\/\/)/.test(inside))
    return { kind: "other", why: "It is about files outside of the folder, and those ask here." };
  const path = inside.replace(/^\.?\//, "").replace(/\/$/, "");
  if (!/^[\w.*-]+(?:\/[\w.*-]+)*$/.test(path) || path.includes(".."))
    return { kind: "other", why: "The pattern cannot be said here." };
  if (effect !== "allow") {
    // A name may stand for a folder, and without a slash for any depth: all that it could mean is held.
    const paths = [path, `${path}/**`, `**/${path}`, `**/${path}/**`];
    const narrowed = "It holds for the tools that work on files; commands are judged by their own words.";
    return { kind: "files", paths, operations: operations[tool]!, narrowed };
  }
  if (tool !== "Edit") return { kind: "other", why: "Reading in the folder does not ask here." };
  const narrowed = "It holds for changed files, not for deleted ones or for names that begin with a dot.";
  return {
    kind: "files",
    paths: [path.includes("/") ? path : `**/${path}`],
    operations: ["write"],
    narrowed,
  };
}

const beyond = (text: string, effect: Effect, why: string): ForeignEntry => ({
  text,
  effect,
  means: { kind: "beyond", why },
});
const other = (text: string, effect: Effect, why: string): ForeignEntry => ({
  text,
  effect,
  means: { kind: "other", why },
});
