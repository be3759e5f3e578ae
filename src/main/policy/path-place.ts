/** Says where a path leads: into the workspace, outside, to something protected, secret or our own. */
import { classifyName, type SensitiveNames } from "./sensitive-names.ts";
import type { ShellContext } from "./shell-context.ts";

/** What is known of one path. `real` has every symbolic link followed. */
export type PathPlace = {
  real: string | undefined;
  inside: boolean;
  isWorkspaceRoot: boolean;
  ownData: boolean;
} & SensitiveNames;

type PlaceContext = Pick<ShellContext, "workspace" | "home" | "resolvePath" | "protectedDirs">;

/** Removes `.` and `..` and doubled slashes from an absolute path, without looking at the disk. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Whether `path` is `directory` or below it. Both absolute and normalized. */
export function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

/** The real absolute path that `path` means in `cwd`, or undefined when it cannot be resolved. */
export function resolvePathIn(path: string, cwd: string, context: PlaceContext): string | undefined {
  if (path.includes("\0") || path.length > 4096) return undefined;
  const absolute = path.startsWith("/") ? path : `${cwd}/${path}`;
  if (context.resolvePath === undefined) return normalizePath(absolute);
  const resolved = context.resolvePath(absolute);
  return resolved === "unresolvable" ? undefined : resolved.real;
}

/** Whether a path, as written or as it really is, lies in one of this app's own data directories. */
export function leadsToOwnData(path: string, cwd: string, context: PlaceContext): boolean {
  if (context.protectedDirs.length === 0) return false;
  const written = normalizePath(path.startsWith("/") ? path : `${cwd}/${path}`);
  const seen = new Set([written, resolvePathIn(path, cwd, context) ?? written]);
  return [...seen].some((each) =>
    context.protectedDirs.some((dir) => isOwnData(each, dir, context.workspace)),
  );
}

function isOwnData(path: string, dir: string, workspace: string): boolean {
  if (isWithin(workspace, dir) && isWithin(path, workspace)) return false;
  return isWithin(path.toLowerCase(), dir.toLowerCase());
}

/** Judges both the path as written and the real path behind it. */
export function placePath(path: string, cwd: string, context: PlaceContext): PathPlace {
  const written = normalizePath(path.startsWith("/") ? path : `${cwd}/${path}`);
  const real = resolvePathIn(path, cwd, context);
  const seen = real === undefined || real === written ? [written] : [written, real];
  const named = seen.map((each) => classifyName(each, context));
  return {
    real,
    inside: real !== undefined && isWithin(real, context.workspace),
    isWorkspaceRoot: real === context.workspace,
    ownData: leadsToOwnData(path, cwd, context),
    protected: named.find((each) => each.protected !== undefined)?.protected,
    secret: named.find((each) => each.secret !== undefined)?.secret,
    steering: named.some((each) => each.steering),
  };
}
