/** The policy for file tools: reads inside are safe, writes inside are for rules, the rest asks. */

import type { Verdict, VerdictName } from "../../shared/contract/decisions.ts";
import { oneLine, quote } from "../../shared/foreign-words.ts";
import { isWithin } from "../paths/path-style.ts";
import { findTextProblems } from "./command-text.ts";
import { type FileOperation, type FileRule, matchFileRules } from "./file-rule.ts";
import { type PathPlace, placePath, writtenPath } from "./path-place.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { UnitVerdict } from "./verdict.ts";

/** What a file tool wants to do. A relative path is taken from the context's cwd. */
type FileRequest = { operation: FileOperation; path: string };

/** As for commands, with rules about files. */
type FileContext = Omit<PolicyContext, "rules" | "shell"> & { rules: readonly FileRule[] };

type Answer = { verdict: VerdictName; reason: string; rule?: string };

/** What a verdict says of a path that leaves the workspace: a fact of its own, whatever else speaks against it. */
const leaving = ["path:outside", "path:elsewhere"];

function sourceOf({ real, inside, unseen }: PathPlace): string | undefined {
  if (unseen?.kind === "elsewhere") return "path:elsewhere";
  return real !== undefined && !inside ? "path:outside" : undefined;
}

/** Whether the person who is asked under this verdict is told that a path leaves the workspace. */
export function leavesWorkspace({ units }: Verdict): boolean {
  return units.some(({ source }) => source !== undefined && leaving.includes(source));
}

function judgeWithoutRules(operation: FileOperation, path: string, place: PathPlace): Answer {
  if (place.ownData) {
    const verdict = operation === "read" ? "ask" : "deny";
    return { verdict, reason: `${quote(path)} belongs to this app's own records.` };
  }
  const ask = (reason: string): Answer => ({ verdict: "ask", reason });
  if (findTextProblems(path).length > 0 || /\p{Cc}/u.test(path))
    return ask("The path holds hidden or control characters.");
  if (place.real === undefined)
    return ask(`${quote(path)} ${place.unseen?.problem ?? "cannot be resolved"}.`);
  if (!place.inside) return ask(`${quote(path)} leads outside of the workspace.`);
  if (place.secret !== undefined) return ask(`${quote(path)} holds secrets (${place.secret}).`);
  if (operation === "read" && place.archive)
    return ask(`${quote(path)} is an archive, and nobody sees here which secrets are in it.`);
  if (operation === "read") return { verdict: "safe", reason: "It reads a file of the workspace." };
  if (place.isWorkspaceRoot) return ask("It is the workspace itself.");
  if (place.protected !== undefined) return ask(`${quote(path)} is protected (${place.protected}).`);
  return { verdict: "new", reason: "No rule covers it." };
}

/** The path as written and as it really is, relative to the workspace; only those inside. */
function relativePaths(request: FileRequest, place: PathPlace, context: FileContext): string[] {
  const written = writtenPath(request.path, context.cwd, context);
  const inside = [written, place.real ?? ""].filter((path) => isWithin(path, context.workspace));
  return [...new Set(inside.map((path) => path.slice(context.workspace.length).replace(/^\/+/, "")))];
}

function judge(request: FileRequest, place: PathPlace, context: FileContext): Answer {
  const answer = judgeWithoutRules(request.operation, request.path, place);
  if (answer.verdict === "deny") return answer;
  const paths = relativePaths(request, place, context);
  const rule = matchFileRules(context.rules, request.operation, paths, context.trusted);
  if (rule?.effect === "deny")
    return { verdict: "deny", reason: `The rule "${oneLine(rule.text)}" forbids it.`, rule: rule.id };
  if (answer.verdict === "ask" || rule === undefined) return answer;
  if (rule.effect === "ask")
    return { verdict: "ask", reason: `The rule "${oneLine(rule.text)}" asks.`, rule: rule.id };
  if (answer.verdict === "safe") return answer;
  return { verdict: "covered", reason: `Covered by the rule "${oneLine(rule.text)}".`, rule: rule.id };
}

/** Judges one file operation. The verdict has one unit, in the same shape as that of a command. */
export function judgeFile(request: FileRequest, context: FileContext): Verdict {
  const place = placePath(request.path, context.cwd, context);
  const source = sourceOf(place);
  const answer = judge(request, place, context);
  const unit: UnitVerdict = {
    text: `${request.operation} ${request.path}`,
    ...answer,
    ...(source !== undefined && { source }),
  };
  return { verdict: unit.verdict, units: [unit] };
}
