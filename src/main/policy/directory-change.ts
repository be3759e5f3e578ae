/** Follows `cd`, so that the paths of later commands are judged where those commands will run. */

import { quote } from "../../shared/foreign-words.ts";
import { opaque } from "./bounded/opaque-reasons.ts";
import { placePath, writtenPath } from "./path-place.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { ShellUnit } from "./shell-unit.ts";

/** Where a `cd` leads if it works, and why it has to be asked about. */
export type DirectoryChange = {
  after: readonly string[];
  problem?: string /** It may lead outside, and may as well stay inside. */;
  outside?: boolean;
};

/** Every directory of both lists once. */
export function mergeDirectories(a: readonly string[], b: readonly string[]): readonly string[] {
  return [...new Set([...a, ...b])];
}

/** Reads a `cd` unit. Anything but one literal folder inside the workspace, outside of loops, is a problem. */
export function followDirectory(unit: ShellUnit, context: PolicyContext, inLoop: boolean): DirectoryChange {
  const stay = (problem: string): DirectoryChange => ({ after: unit.cwds, problem });
  const args = unit.words.slice(unit.words[1]?.value === "--" ? 2 : 1);
  const target = args[0];
  if (inLoop) return stay("A loop that changes its directory can leave the workspace.");
  if (
    args.length !== 1 ||
    target === undefined ||
    target.problem !== undefined ||
    target.glob ||
    target.value === ""
  ) {
    return stay(opaque.directory);
  }
  if (target.value.startsWith("-")) return stay(opaque.directory);
  if (/(?:^|\/)[^/]*[^./][^/]*\/(?:.*\/)?\.\.(?:\/|$)/.test(target.value)) {
    return stay("A path that goes down and up again may follow a link elsewhere.");
  }
  if (unit.cwds.length > 3) return stay("Too many directory changes.");
  const after: string[] = [];
  for (const cwd of unit.cwds) {
    const place = placePath(target.value, cwd, context);
    if (place.real === undefined) return stay("The directory cannot be resolved.");
    // bash goes back by the name it went in by, programs by what is there; only where both agree is the place known.
    const named = writtenPath(target.value, cwd, context);
    if (named !== place.real) return stay("The folder is a link, and going back from it may lead elsewhere.");
    if (!place.inside) {
      const outside = unit.cwds.some((each) => placePath(target.value, each, context).inside);
      const problem = `${quote(target.value)} leads outside of the workspace.`;
      return { after: [...after, place.real], problem, outside };
    }
    after.push(place.real);
  }
  return { after };
}
