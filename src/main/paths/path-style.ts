/**
 * How a system writes paths, for policy and files alike. Inside of the app a path is absolute, with `/`; on Windows its
 * first part is the drive (`C:\ws\a` is `/c:/ws/a`) or `unc:` (`\\server\share\a` is `/unc:/server/share/a`).
 */

/** What a path is taken from: the folder it begins in, the workspace it may lie below and the home, in the app's form. */
export type PathBase = { cwd: string; workspace?: string; home: string };

/**
 * A path in the app's form, `..` still in it where the system follows links first; or why nothing may even look at it.
 * `elsewhere` names another machine or drive, which a person may allow; anything else is no file anybody means.
 */
export type PlacedPath = { path: string } | Unseen;

/** What nothing looks at, and for what is elsewhere the path that the text alone says. */
export type Unseen = { problem: string } & ({ kind: "elsewhere"; named: string } | { kind: "no file" });

export type PathStyle = {
  name: "posix" | "darwin" | "windows" | "git-bash";
  /** Reads a path as it was written, without a look at the disk. */
  place(text: string, base: PathBase): PlacedPath;
  /** Why a real path must not be looked at on the way to another one, or undefined. */
  findProblem(path: string, base: Pick<PathBase, "workspace" | "home">): string | undefined;
  /** The nearest that the text comes to a plain path, for those who refuse: it says where a device, a stream or a share of this machine leads. */
  guess(text: string, base: PathBase): string;
  /** Whether the names on the disk may be written in more ways than the real path says. */
  hasOtherSpellings: boolean;
  toNative(path: string): string;
  fromNative(path: string): string;
};

/** What stands on the disk under a path of the app's form can be looked at; `/etc` of Git's bash cannot. */
export function standsOnDisk(path: string, style: PathStyle): boolean {
  return style.name === "posix" || style.name === "darwin" || /^\/(?:[a-z]:|unc:)(?:\/|$)/i.test(path);
}

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
