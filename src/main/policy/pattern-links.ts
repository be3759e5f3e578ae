/** Looks for links that a command would follow without naming them: what is read through them is not what stands in the folder. */
import { haveCommonName, readShellPattern, readTablePattern } from "./name-pattern.ts";
import { placePath } from "./path-place.ts";
import type { PolicyContext } from "./policy-context.ts";

/** Entries looked at before the answer is `unknown`. */
const mostEntries = 4_000;

/** What a pattern is for, and how it is matched. */
type Matching = {
  /** The names that match are told, and nothing is read through them. */
  namesOnly?: boolean;
  /** A wildcard in front matches names that begin with a dot too, as in PowerShell; in bash it does not. */
  dotted?: boolean;
};

type Search = Matching & { context: PolicyContext; left: number };

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
    if (kind === "other" || !matches(component!, name, search.dotted)) continue;
    const path = `${folder}/${name}`;
    // What lies below a linked folder is looked at by nobody here.
    if (kind === "link" && (rest.length > 0 || (!search.namesOnly && isAstray(path, search.context))))
      return path;
    const found = kind === "folder" && rest.length > 0 ? findIn(path, rest, search) : undefined;
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
  const named = components.filter((component) => component !== "");
  return findIn(folder, named, { ...matching, context, left: mostEntries });
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
