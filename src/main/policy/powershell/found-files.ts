/** Tells whether the files that a listing finds may be read by what comes after it in the pipeline. */
import { windowsStyle } from "../../paths/windows-style.ts";
import { couldMatchSecret } from "../file-pattern.ts";
import { resolvePathIn } from "../path-place.ts";
import { findLinkBelow } from "../pattern-links.ts";
import type { PolicyContext } from "../policy-context.ts";
import type { Bindings } from "./bind-parameters.ts";

const lastPart = (value: string) =>
  value.slice(Math.max(value.lastIndexOf("/"), value.lastIndexOf("\\")) + 1);
/** Names of one suffix; a folder that is called so is not where people keep secrets. */
const bySuffix = /^\*\.([a-z0-9]+)$/i;

/** The patterns of names that all that is found must match, if there are such that hold no secrets. */
function narrowingPatterns({ bound }: Bindings): string[] | undefined {
  const harmless = (pattern: string) => (couldMatchSecret(pattern) ?? "faint") === "faint";
  return bound
    .filter(({ name, kind }) => name !== "exclude" && (kind === "filter" || kind === "path"))
    .map(({ kind, word }) => ({ kind, patterns: word.values.map(lastPart) }))
    .find(({ kind, patterns }) =>
      patterns.every(
        (pattern) =>
          // A pattern for paths lists what is in the folders that it matches.
          /[*?]/.test(pattern) && harmless(pattern) && (kind === "filter" || bySuffix.test(pattern)),
      ),
    )?.patterns;
}

/** Windows matches a suffix of three letters with longer ones too, by the short names of files. */
function couldFind(patterns: readonly string[]): (name: string) => boolean {
  const suffixes = patterns.map((pattern) => bySuffix.exec(pattern)?.[1]?.toLowerCase());
  return (name) =>
    suffixes.some(
      (suffix) =>
        suffix === undefined ||
        name
          .toLowerCase()
          .slice(name.lastIndexOf(".") + 1)
          .startsWith(suffix),
    );
}

/** The folder in which a path with wildcards begins; any other path is one to look below. */
function startOf(path: string): string {
  const parts = path.split(/[\\/]/);
  const first = parts.findIndex((part) => /[*?]/.test(part));
  return first < 0 ? path : parts.slice(0, first).join("/") || ".";
}

/** Whether a listing was narrowed to files that hold no secrets, by their names and by what is there. */
export function findsOnlyPlainFiles(binding: Bindings, context: PolicyContext): boolean {
  const patterns = narrowingPatterns(binding);
  // Bare names would be looked for in another folder than the one that was listed.
  if (patterns === undefined || binding.switches.includes("name")) return false;
  const paths = binding.bound.filter(({ kind }) => kind === "path").flatMap(({ word }) => word.values);
  const deep =
    binding.switches.some((name) => /^(?:recurse|r|s)$/.test(name)) ||
    binding.bound.some(({ name }) => name === "depth") ||
    // Of a folder that a pattern matches, what is in it is listed.
    paths.some((path) => /[*?]/.test(path));
  const search = { hidden: true, reads: couldFind(patterns), ...(deep ? {} : { depth: 1 }) };
  return (paths.length === 0 ? ["."] : paths.map(startOf)).every((folder) => {
    const real = resolvePathIn(folder, context.cwd, { ...context, paths: windowsStyle });
    if (real === undefined || context.findSecretBelow === undefined) return false;
    if (context.findSecretBelow(real, search) !== undefined) return false;
    // Windows PowerShell goes through links while it goes through folders, and a linked file is read as its target.
    return findLinkBelow(real, context, deep) === undefined;
  });
}
