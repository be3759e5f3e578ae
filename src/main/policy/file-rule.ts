/** Rules about files: which paths of the workspace an agent may write, delete or read without being asked. */
import picomatch from "picomatch";
import { isInForce } from "./rule-match.ts";

/** What a tool does to a file. */
export type FileOperation = "read" | "write" | "delete";

/** A rule about files. `paths` are globs relative to the workspace; hidden files need a dot in the glob. */
export type FileRule = {
  id: string;
  paths: string[];
  operations: FileOperation[];
  effect: "allow" | "ask" | "deny";
  scope: "thread" | "workspace" | "user";
  text: string;
};

const strength: Record<FileRule["effect"], number> = { allow: 0, ask: 1, deny: 2 };

function matchesAny(rule: FileRule, paths: readonly string[]): boolean {
  const dot = rule.effect !== "allow";
  const matches = rule.paths.map((glob) => picomatch(glob, { dot, nonegate: true, nocase: dot }));
  return rule.effect === "allow"
    ? paths.length > 0 && paths.every((path) => matches.some((match) => match(path)))
    : paths.some((path) => matches.some((match) => match(path)));
}

/**
 * The strongest rule for an operation: deny before ask before allow.
 *
 * @param paths the path as written and the real one, relative to the workspace; an allowing rule has to match both
 */
export function matchFileRules(
  rules: readonly FileRule[],
  operation: FileOperation,
  paths: readonly string[],
  trusted: boolean,
): FileRule | undefined {
  const inForce = rules.filter((rule) => rule.operations.includes(operation) && isInForce(rule, trusted));
  return inForce
    .filter((rule) => matchesAny(rule, paths))
    .sort((a, b) => strength[b.effect] - strength[a.effect])[0];
}

/** Why a file rule must not exist, or undefined. */
export function checkFileRule(rule: Pick<FileRule, "paths" | "operations" | "effect">): string | undefined {
  if (rule.operations.length === 0) return "The rule names no operation.";
  for (const glob of rule.paths) {
    if (glob.startsWith("/") || glob.startsWith("~") || glob.split("/").includes("..")) {
      return `${glob} leaves the workspace. Paths are relative to the workspace.`;
    }
    if (glob.startsWith("!")) return `${glob} is negated. Write a second rule that asks or denies instead.`;
    if (glob.trim() === "" || glob.length > 512) return "The path is empty or too long.";
  }
  return undefined;
}
