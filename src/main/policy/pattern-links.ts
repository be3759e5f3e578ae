/** Looks at what a pattern or a folder comes by without naming it: links that lead elsewhere, and files that nobody may print. */
import { isArchiveName } from "./archive-names.ts";
import { haveCommonName, readShellPattern, readTablePattern } from "./name-pattern.ts";
import { placePath, resolvePathIn } from "./path-place.ts";
import type { DiskEntry, PolicyContext } from "./policy-context.ts";

/** Entries looked at before the answer is `unknown`. */
const mostEntries = 4_000;

/** What a pattern is for, and how it is matched. */
type Matching = {
  /** The names that match are told, and nothing is read through them. */
  namesOnly?: boolean;
  /** A wildcard in front matches names that begin with a dot too, as in PowerShell; in bash it does not. */
  dotted?: boolean;
};

type Kind = DiskEntry["kind"];
/** @returns whether what matched is what is looked for; `isLast`: it stands for the whole pattern */
type Finds = (path: string, kind: Kind, isLast: boolean) => boolean;
type Search = { dotted?: boolean; context: PolicyContext; left: number; files: boolean; finds: Finds };

function matches(component: string, name: string, dotted: boolean | undefined): boolean {
  if (!dotted && name.startsWith(".") && !component.startsWith(".")) return false;
  return haveCommonName(readShellPattern(component), readTablePattern(name.toLowerCase()));
}

function isAstray(path: string, context: PolicyContext): boolean {
  const { inside, secret } = placePath(path, context.workspace, context);
  return !inside || secret !== undefined;
}

function findIn(folder: string, components: readonly string[], search: Search): string | undefined {
  const [component, ...rest] = components;
  const entries = component === undefined ? [] : search.context.look?.entriesIn(folder);
  if (entries === undefined) return "unknown";
  search.left -= entries.length;
  if (search.left < 0) return "unknown";
  for (const { name, kind } of entries) {
    const isLast = rest.length === 0;
    if (kind === "other" && !(search.files && isLast)) continue;
    if (!matches(component!, name, search.dotted)) continue;
    const path = `${folder}/${name}`;
    if (search.finds(path, kind, isLast)) return path;
    const found = kind === "folder" && !isLast ? findIn(path, rest, search) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A link that a pattern matches and that leads outside, to a secret or through another folder; `unknown` when not
 * everything could be looked at.
 *
 * @param folder the real path in which the pattern's first component with a wildcard is matched
 * @param components from that one on, quoted characters escaped with a backslash
 */
export function findLinkOut(
  folder: string,
  components: readonly string[],
  context: PolicyContext,
  matching: Matching = {},
): string | undefined {
  const { namesOnly, dotted } = matching;
  // What lies below a linked folder is looked at by nobody here.
  const finds: Finds = (path, kind, isLast) =>
    kind === "link" && (!isLast || (!namesOnly && isAstray(path, context)));
  return findIn(folder, named(components), { dotted, context, left: mostEntries, files: false, finds });
}

const named = (components: readonly string[]) => components.filter((component) => component !== "");

/**
 * A file that a pattern matches and that is a secret by its whole path, or an archive or a private key by its name or by what it holds; `unknown` when not
 * everything could be looked at. The parameters are those of `findLinkOut`.
 */
export function findHeldFile(
  folder: string,
  components: readonly string[],
  context: PolicyContext,
  { dotted }: Pick<Matching, "dotted"> = {},
): string | undefined {
  const finds: Finds = (path, kind, isLast) =>
    isLast && kind !== "folder" && (isHeld(path, context) || isAstray(path, context));
  return findIn(folder, named(components), { dotted, context, left: mostEntries, files: true, finds });
}

/** Whether a file, or what a link leads to, is an archive or a private key, or nobody could look. */
function isHeld(path: string, context: PolicyContext): boolean {
  const real = context.resolvePath === undefined ? path : resolvePathIn(path, context.workspace, context);
  return (
    isArchiveName(path) ||
    real === undefined ||
    isArchiveName(real) ||
    context.look?.kindOf(real) !== undefined
  );
}

/** Whether an archive or a private key stands in a folder or anywhere below it, links left alone; also when nobody could look. */
export function isHeldBelow(start: string, context: PolicyContext): boolean {
  const folders = [start];
  let left = mostEntries;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = context.look?.entriesIn(folder);
    left -= entries?.length ?? 0;
    if (entries === undefined || left < 0) return true;
    for (const { name, kind } of entries) {
      const path = `${folder}/${name}`;
      if (kind === "other" && (isArchiveName(name) || context.look?.kindOf(path) !== undefined)) return true;
      if (kind === "folder") folders.push(path);
    }
  }
  return false;
}

/**
 * A link that leads outside or to a secret, in a folder or anywhere below it; `unknown` when not everything could be
 * looked at.
 *
 * @param start the real path of the folder
 */
export function findLinkBelow(start: string, context: PolicyContext, deep: boolean): string | undefined {
  const folders = [start];
  let left = mostEntries;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = context.look?.entriesIn(folder);
    left -= entries?.length ?? 0;
    if (entries === undefined || left < 0) return "unknown";
    for (const { name, kind } of entries) {
      const path = `${folder}/${name}`;
      if (kind === "link" && isAstray(path, context)) return path;
      if (kind === "folder" && deep) folders.push(path);
    }
  }
  return undefined;
}
