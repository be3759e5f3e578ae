/** Asks the policy and the file tools where a path leads, on the played disks of three systems. For tests only. */
import { type Disk, locate } from "../../files/real-path.ts";
import { resolveIn } from "../../policy/disk.ts";
import { placePath } from "../../policy/path-place.ts";
import { makeContext } from "../../policy/testing/make-context.ts";
import { forFiles } from "../own-style.ts";
import type { PathStyle } from "../path-style.ts";
import { darwinStyle, posixStyle } from "../posix-style.ts";
import { windowsStyle } from "../windows-style.ts";
import { DiskDouble } from "./disk-double.ts";
import {
  linuxSpellings,
  linuxTree,
  macSpellings,
  macTree,
  type Spelling,
  windowsShortNames,
  windowsSpellings,
  windowsTree,
} from "./spellings.ts";

/** A system whose disk is played, with the ways to write paths there. */
export type System = {
  style: PathStyle;
  root: string;
  home: string;
  spellings: readonly Spelling[];
  makeDisk(): DiskDouble;
};

export const systems: Record<string, System> = {
  Linux: {
    style: forFiles(posixStyle),
    root: "/home/ada/app",
    home: "/home/ada",
    spellings: linuxSpellings,
    makeDisk: () => new DiskDouble(linuxTree, { folds: false }),
  },
  macOS: {
    style: forFiles(darwinStyle),
    root: "/Users/ada/App",
    home: "/Users/ada",
    spellings: macSpellings,
    makeDisk: () => new DiskDouble(macTree, { folds: true }),
  },
  Windows: {
    style: forFiles(windowsStyle),
    root: "C:\\Ws\\App",
    home: "C:\\Users\\ada",
    spellings: windowsSpellings,
    makeDisk: () => new DiskDouble(windowsTree, { folds: true, shortNames: windowsShortNames }),
  },
};

/** What the policy knows of a workspace there. */
export function contextOf({ style, root, home }: System, names: DiskDouble) {
  const workspace = style.fromNative(root);
  return makeContext({
    paths: style,
    workspace,
    cwd: workspace,
    home: style.fromNative(home),
    protectedDirs: [],
    resolvePath: resolveIn(style, { workspace, home: style.fromNative(home) }, names),
  });
}

/** Where the policy takes it to lead, in the words of the table. */
export function askPolicy(text: string, system: System, names: DiskDouble): string {
  const context = contextOf(system, names);
  const place = placePath(text, context.cwd, context);
  if (place.unseen !== undefined) return place.unseen.kind;
  if (place.real === undefined) return "unknown";
  if (!place.inside) return `> ${system.style.toNative(place.real)}`;
  return place.real.slice(context.workspace.length + 1) || ".";
}

/** Where the file tools take it to lead, in the same words. */
export async function askFiles(
  text: string,
  { style, root, home }: System,
  names: DiskDouble,
): Promise<string> {
  const disk: Disk = { style, names, home };
  try {
    const { inside, relativePath } = await locate(root, text, { allowOutside: true }, disk);
    return inside ? relativePath : `> ${relativePath}`;
  } catch (error) {
    const { code } = error as { code: string };
    if (names.looks.length > 0) return "unknown";
    return code === "outside" ? "elsewhere" : "no file";
  }
}

/** What names another machine, drive or device, in any style. */
export const far = /^(?:\\\\|\/\/|[^Cc/]:|\/(?:net|network)(?:\/|$))/i;
