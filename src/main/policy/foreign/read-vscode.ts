/** Reads the commands that settings of VS Code approve or ask about. */
import type { Node } from "jsonc-parser";
import {
  type ForeignEntry,
  type ForeignRules,
  leadOf,
  type Meaning,
  simpleWords,
  type WordsRule,
} from "./foreign-entry.ts";
import { membersOf, readSettingsTree } from "./settings-tree.ts";

export const vsCodeSetting = "chat.tools.terminal.autoApprove";

/** @param text JSON, perhaps with comments; one setting of it is read. */
export function readVsCode(text: string): ForeignRules {
  const root = readSettingsTree(text);
  if ("problem" in root) return root;
  const settings = membersOf(root);
  if ("problem" in settings) return settings;
  const list = settings.get(vsCodeSetting);
  if (list?.type !== "object") return { problem: `The file has no "${vsCodeSetting}".` };
  const members = membersOf(list);
  if ("problem" in members) return members;
  return { entries: [...members].map(([key, node]) => readEntry(key, node)) };
}

function readEntry(key: string, node: Node): ForeignEntry {
  const said = readSaid(node);
  if ("problem" in said) return { text: key, effect: "ask", means: { kind: "beyond", why: said.problem } };
  if (said.approve === null || key === "")
    return { text: key, effect: "ask", means: { kind: "other", why: "It says nothing about any command." } };
  const means = said.approve ? readAllowed(key) : readAsked(key);
  if (!said.wholeLine) return { text: key, effect: said.approve ? "allow" : "ask", means };
  if (!said.approve) return { text: key, effect: "ask", means: { kind: "beyond", why: wholeLines } };
  return { text: key, effect: "allow", means: { kind: "other", why: wholeLines } };
}

const wholeLines = "It is about whole lines; a rule here also holds for a part of one.";

type Said = { approve: boolean | null; wholeLine: boolean };

function readSaid(node: Node): Said | { problem: string } {
  const isWord = (value: unknown) => typeof value === "boolean" || value === null;
  if (isWord(node.value) && node.type !== "object") return { approve: node.value, wholeLine: false };
  const problem = "It is neither true, false nor what is known beside these.";
  if (node.type !== "object") return { problem };
  const members = membersOf(node);
  if ("problem" in members) return members;
  const approve: unknown = members.get("approve")?.value;
  const wholeLine: unknown = members.get("matchCommandLine")?.value ?? false;
  if (!isWord(approve) || typeof wholeLine !== "boolean") return { problem };
  return { approve: approve as boolean | null, wholeLine };
}

type Form = WordsRule & { flags: string; isBoundary: boolean };

/** `npm test` and `/^npm test\b/` are a beginning, `/^npm test$/` is a whole command; undefined for what is not read. */
function readForm(key: string): Form | undefined {
  const regex = /^\/\^(.*)\/([a-z]*)$/s.exec(key);
  if (regex === null) return key.startsWith("/") ? undefined : formOf(key, false, "", true);
  const [, body = "", flags = ""] = regex;
  const end = /^(.*?)(\$|\\b|\((?:\?:)?(?:\\s| )\|\$\))$/s.exec(body);
  if (end === null) return undefined;
  const [, literal = "", mark = ""] = end;
  const text = literal.replaceAll(/\\([./+-])/g, "$1");
  if (/[\\+]/.test(literal.replaceAll(/\\[./+-]/g, "")) || hasBareDot(literal)) return undefined;
  return formOf(text, mark === "$", flags, mark === "\\b");
}

const hasBareDot = (literal: string) => /(?<!\\)\./.test(literal);

function formOf(text: string, exact: boolean, flags: string, isBoundary: boolean): Form | undefined {
  const tokens = simpleWords(text);
  // Behind anything but a letter or digit the boundary means that one follows.
  if (tokens === undefined || (isBoundary && !/\w$/.test(text))) return undefined;
  return { tokens, exact, flags, isBoundary };
}

const noPattern = "Rules here are whole words, without patterns.";

function readAllowed(key: string): Meaning {
  const form = readForm(key);
  if (form === undefined || !/^i?$/.test(form.flags)) return { kind: "beyond", why: noPattern };
  const { tokens, exact, isBoundary } = form;
  return {
    kind: "words",
    rules: [{ tokens, exact }],
    ...(isBoundary && { narrowed: "It holds for whole words." }),
  };
}

function readAsked(key: string): Meaning {
  const form = readForm(key);
  if (form === undefined) return { kind: "beyond", why: noPattern, lead: leadOfPattern(key) };
  const { tokens, exact, flags, isBoundary } = form;
  if (flags !== "") return { kind: "beyond", why: "It does not tell small letters from capital ones." };
  // Also a longer word (`npm run dep` means `npm run dep-x`).
  return { kind: "words", rules: [{ tokens, exact, ...(isBoundary && { partial: true }) }] };
}

/** The words that whatever matches begins with: only letters that stand for themselves, each word ended by its blank. */
function leadOfPattern(key: string): string[] | undefined {
  const body = /^\/\^(.*)\/$/s.exec(key)?.[1];
  // Of several forms each could begin otherwise, unless they stand in brackets of their own.
  if (body === undefined || body.replaceAll(/\\.|\([^()[\]]*\)/g, "").includes("|")) return undefined;
  const literal = /^[\w @%=:,-]*/.exec(body)![0];
  const rest = body.slice(literal.length);
  // A sign behind the last letter can make that letter one that need not be there.
  return leadOf(/^[?*+{]/.test(rest) ? literal.slice(0, -1) : literal);
}
