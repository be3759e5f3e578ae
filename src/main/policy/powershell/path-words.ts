/** Judges the paths that a cmdlet is given, patterns included, before anything looks for them. */

import { quote } from "../../../shared/foreign-words.ts";
import { windowsStyle } from "../../paths/windows-style.ts";
import { couldMatchSecret } from "../file-pattern.ts";
import { placePath, resolvePathIn } from "../path-place.ts";
import { findHeldFile, findLinkOut } from "../pattern-links.ts";
import type { PolicyContext } from "../policy-context.ts";
import { describePlace } from "../unit-paths.ts";
import type { Bound } from "./bind-parameters.ts";
import type { Cmdlet } from "./cmdlets.ts";
import { placeWindowsPath } from "./windows-path.ts";

type Does = Cmdlet["does"];

const wildcard = /[*?]/;

/** A bare word that PowerShell may take for a number, and write again in another form: `1kb` in a list is `1024`. */
const numeral = /^[+-]?(?:0[xb][\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:u?[ysl]|[und])?(?:[kmgtp]b)?$/i;
const plainNumber = /^(?:0|[1-9]\d{0,8})$/;

/** Where a path with wildcards begins, without a look at the disk, and its parts from the first one with a wildcard. */
type Pattern = { text: string; folder: string; parts: string[] };

function readPattern(text: string, path: string): Pattern {
  const parts = path.split("/");
  const first = parts.findIndex((part) => wildcard.test(part));
  return { text, folder: parts.slice(0, first).join("/") || "/", parts: parts.slice(first) };
}

/** Names may be listed whatever a pattern stands for; contents and changes may not. */
function findPatternProblem({ text, folder, parts }: Pattern, does: Does, context: PolicyContext) {
  if (does === "writes") return `The pattern ${quote(text)} stands for other files each time.`;
  const lists = does === "lists";
  // Which folder it goes through would be decided by what stands there.
  if (!lists && parts.length > 1)
    return `The pattern ${quote(text)} goes through folders that it does not name.`;
  const could = couldMatchSecret(parts.at(-1)!);
  if (!lists && could !== undefined && could !== "faint")
    return `The pattern ${quote(text)} may match files that hold secrets.`;
  if (!context.trusted)
    return `The pattern ${quote(text)} may match links that lead outside of an untrusted folder.`;
  const real = resolvePathIn(folder, context.cwd, { ...context, paths: windowsStyle });
  const link =
    real === undefined ? "unknown" : findLinkOut(real, parts, context, { namesOnly: lists, dotted: true });
  if (link === "unknown") return `Nobody could look at what the pattern ${quote(text)} matches.`;
  if (link === undefined) {
    const held = lists ? undefined : findHeldFile(real!, parts, context, { dotted: true });
    return held === undefined
      ? undefined
      : `The pattern ${quote(text)} matches an archive or a key, or more files than are looked into.`;
  }
  return `The pattern ${quote(text)} matches the link ${quote(link.slice(link.lastIndexOf("/") + 1))}, which leads elsewhere.`;
}

function findPathProblem(
  value: string,
  bare: boolean,
  does: Does,
  context: PolicyContext,
): string | undefined {
  const write = does === "writes";
  const placed = placeWindowsPath(value, context);
  if ("problem" in placed) return `${quote(value)} ${placed.problem}.`;
  if (bare && numeral.test(value) && !plainNumber.test(value))
    return `${quote(value)} may be taken for a number, which names another file.`;
  if (!bare && /[*?[\]]/.test(value)) return `${quote(value)} may be a pattern.`;
  const isPattern = bare && wildcard.test(value);
  const written = value.split(/[\\/]/);
  if (isPattern && written.slice(written.findIndex((part) => wildcard.test(part))).includes(".."))
    return `The pattern ${quote(value)} may climb out of its folder.`;
  const pattern = isPattern ? readPattern(value, placed.path) : undefined;
  const place = placePath(pattern?.folder ?? placed.path, context.cwd, { ...context, paths: windowsStyle });
  const finding = describePlace(value, place, write ? "write" : "read");
  if (finding !== undefined) return finding.reason;
  if (write && place.isWorkspaceRoot) return `${quote(value)} is the workspace itself.`;
  return pattern && findPatternProblem(pattern, does, context);
}

/** A filter is a pattern for names. One with a folder in it leads there; a short name is that of another file. */
function findFilterProblem(value: string, reads: boolean): string | undefined {
  if (/[\\/:]|^\.+$/.test(value)) return `The filter ${quote(value)} may lead to another folder.`;
  if (value.includes("~")) return `The filter ${quote(value)} may stand for the short names of other files.`;
  const isAimed = reads && couldMatchSecret(value) === "aimed";
  return isAimed ? `The filter ${quote(value)} may match files that hold secrets.` : undefined;
}

/** Why what these parameters name may not be listed, read or written unasked; the first reason found. */
export function findBoundProblem(
  bound: readonly Bound[],
  does: Does,
  context: PolicyContext,
): string | undefined {
  for (const { name, kind, word } of bound)
    for (const value of word.values) {
      const problem =
        kind === "path"
          ? findPathProblem(value, word.bare, does, context)
          : kind === "filter"
            ? findFilterProblem(value, does === "reads" && name !== "exclude")
            : undefined;
      if (problem !== undefined) return problem;
    }
  return undefined;
}
