/** Says where a path leads: into the workspace, outside, to something protected, secret or our own. */
import { foldName } from "../paths/fold-name.ts";
import { isOwnWorktree } from "../paths/own-worktree.ts";
import { isWithin, normalizePath, type PathStyle, type Unseen } from "../paths/path-style.ts";
import { isArchiveName } from "./archive-names.ts";
import type { PolicyContext } from "./policy-context.ts";
import { classifyName, type SensitiveNames } from "./sensitive-names.ts";

/** What is known of one path. `real` has every symbolic link followed. A file inside is also known by what it holds. */
export type PathPlace = {
  real: string | undefined;
  inside: boolean;
  isWorkspaceRoot: boolean;
  ownData: boolean;
  /** Why nothing looked at it: it names another machine or drive, or no file at all. */
  unseen: Unseen | undefined;
  /** It may hold files whose names nobody sees here. */
  archive: boolean;
} & SensitiveNames;

type PlaceContext = Pick<PolicyContext, "workspace" | "home" | "resolvePath" | "protectedDirs" | "look"> & {
  paths: PathStyle;
};

/** The absolute path that the text comes nearest to, without a look at the disk. */
export function writtenPath(path: string, cwd: string, context: PlaceContext): string {
  return normalizePath(context.paths.guess(path, { ...context, cwd }));
}

/** The real absolute path that `path` means in `cwd`, or undefined when it cannot be resolved. */
export function resolvePathIn(path: string, cwd: string, context: PlaceContext): string | undefined {
  if (path.includes("\0") || path.length > 4096) return undefined;
  const placed = context.paths.place(path, { ...context, cwd });
  if ("problem" in placed) return undefined;
  if (context.resolvePath === undefined) return normalizePath(placed.path);
  const resolved = context.resolvePath(placed.path);
  return resolved === "unresolvable" ? undefined : resolved.real;
}

/** Whether a path, as written or as it really is, lies in one of this app's own data directories. */
export function leadsToOwnData(path: string, cwd: string, context: PlaceContext): boolean {
  if (context.protectedDirs.length === 0) return false;
  const written = writtenPath(path, cwd, context);
  const seen = new Set([written, resolvePathIn(path, cwd, context) ?? written]);
  return [...seen].some((each) =>
    context.protectedDirs.some((dir) => isOwnData(each, dir, context.workspace)),
  );
}

function isOwnData(path: string, dir: string, workspace: string): boolean {
  if (isOwnWorktree(workspace, dir) && isWithin(path, workspace)) return false;
  return isWithin(foldName(path), foldName(dir));
}

/** Judges both the path as written and the real path behind it. */
export function placePath(path: string, cwd: string, context: PlaceContext): PathPlace {
  const written = writtenPath(path, cwd, context);
  const real = resolvePathIn(path, cwd, context);
  const seen = real === undefined || real === written ? [written] : [written, real];
  const named = seen.map((each) => classifyName(each, context));
  const placed = context.paths.place(path, { ...context, cwd });
  const inside = real !== undefined && isWithin(real, context.workspace);
  const kind = inside ? context.look?.kindOf(real) : undefined;
  return {
    real,
    inside,
    isWorkspaceRoot: real === context.workspace,
    ownData: leadsToOwnData(path, cwd, context),
    unseen: "problem" in placed ? placed : undefined,
    protected: named.find((each) => each.protected !== undefined)?.protected,
    secret:
      named.find((each) => each.secret !== undefined)?.secret ??
      (kind === "private key" ? "a private key" : undefined),
    archive: seen.some(isArchiveName) || kind === "archive" || kind === "unknown",
    steering: named.some((each) => each.steering),
  };
}
