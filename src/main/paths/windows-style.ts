/** Paths of Windows, and the same as Git's bash writes them. */
import { foldName } from "./fold-name.ts";
import { isWithin, normalizePath, type PathBase, type PathStyle, type PlacedPath } from "./path-style.ts";

const device =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?: *\..*)?$/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no file name on Windows holds them
const noName = /[\u0000-\u001f<>"|]/;
const otherMachine = "names another machine, and looking for it already tells that machine who you are";

const noFile = (problem: string): PlacedPath => ({ problem, kind: "no file" });

/** Why one part of a path is no plain file name, or undefined. */
function findNameProblem(name: string): string | undefined {
  if (name === "" || name === "." || name === "..") return undefined;
  if (/[. ]$/.test(name)) return "ends in a dot or a blank, which Windows leaves out";
  if (name.includes(":")) return "names a stream, another drive or a provider";
  return device.test(name) ? "names a device" : undefined;
}

/** `/c:` or `/unc:/server/share`: what a path stands on. */
function rootOf(path: string): string {
  return /^\/(?:[a-z]:|unc:\/[^/]+\/[^/]+)/i.exec(path)?.[0] ?? "";
}

/** Without `.` and `..`, which Windows takes off the text; nothing climbs above a drive or a share. */
function plainBelow(root: string, rest: string): string {
  const below = normalizePath(rest);
  return below === "/" && root !== "" ? root : root + below;
}

/** Whether a path in the app's form stands where the workspace or the folder it begins in does. */
function isElsewhere(path: string, { cwd, workspace }: Partial<PathBase>): boolean {
  const here = foldName(rootOf(workspace ?? cwd ?? ""));
  if (here === "") return rootOf(path).startsWith("/unc:");
  return foldName(rootOf(path)) !== here;
}

/** A share of which the workspace is a part may be looked at below the workspace alone. */
function isBeyondWorkspace(path: string, { cwd, workspace }: Partial<PathBase>): boolean {
  const own = workspace ?? cwd ?? "";
  return path.startsWith("/unc:") && !isWithin(foldName(normalizePath(path)), foldName(own));
}

/** @param base `workspace`, or before there is one the folder that the path begins in */
function findElsewhere(path: string, base: Partial<PathBase>): string | undefined {
  if (path.startsWith("/unc:"))
    return isElsewhere(path, base) || isBeyondWorkspace(path, base) ? otherMachine : undefined;
  return isElsewhere(path, base) ? "is on another drive" : undefined;
}

/** The text with `/`, its drive in the app's form; undefined when it names a device or a drive's current folder. */
function readRoot(text: string, base: PathBase): string | undefined {
  const path = text.replaceAll("\\", "/");
  if (/^\/(?:[a-z]:(?:\/|$)|unc:\/)/i.test(path))
    return path.replace(/^\/[a-z]:/i, (drive) => drive.toLowerCase());
  if (/^\/\/[.?](?:\/|$)|^\/\?\?\//.test(path)) return undefined;
  if (path.startsWith("//")) return `/unc:/${path.replace(/^\/+/, "")}`;
  const [, drive, rest] = /^([a-z]):(.*)$/is.exec(path) ?? [];
  if (drive !== undefined) return rest!.startsWith("/") ? `/${drive.toLowerCase()}:${rest}` : undefined;
  return path.startsWith("/") ? `${rootOf(base.cwd)}${path}` : `${base.cwd}/${path}`;
}

function place(text: string, base: PathBase): PlacedPath {
  if (noName.test(text)) return noFile("holds characters that no file name has");
  const path = readRoot(text, base);
  if (path === undefined) return noFile("names a device, or the folder that another drive stands in");
  const names = path.slice(rootOf(path).length).split("/");
  const problem = names.map(findNameProblem).find((each) => each !== undefined);
  if (problem !== undefined) return noFile(problem);
  const plain = plainBelow(rootOf(path), path.slice(rootOf(path).length));
  const elsewhere = findElsewhere(plain, base);
  return elsewhere === undefined ? { path: plain } : { problem: elsewhere, kind: "elsewhere", named: plain };
}

/** On the way to the workspace on a share its parents have to be passed. */
function isOnTheWay(path: string, workspace: string | undefined): boolean {
  return workspace !== undefined && isWithin(foldName(workspace), foldName(path));
}

/** As Windows would understand it if it opened it: without device prefix, streams, and dots and blanks at ends. */
function guess(text: string, base: PathBase): string {
  const plain = text
    .replaceAll("\\", "/")
    .replace(/^\/\/[.?]\/(?:unc\/)?|^\/\?\?\/(?:unc\/)?/i, (prefix) => (/unc/i.test(prefix) ? "//" : ""))
    .replace(/^\/\/(?:localhost|127\.0\.0\.1|\[?::1\]?|\.)\/([a-z])\$(?=\/|$)/i, "$1:");
  const path = readRoot(plain, base) ?? readRoot(plain.replace(/^[a-z]:(?!\/)/i, "$&/"), base) ?? base.cwd;
  const root = rootOf(path);
  const names = path
    .slice(root.length)
    .split("/")
    .map((name) => (/^\.{1,2}$/.test(name) ? name : name.replace(/:.*$/, "").replace(/[. ]+$/, "")));
  return plainBelow(root, names.join("/"));
}

export const windowsStyle: PathStyle = {
  name: "windows",
  place,
  findProblem: (path, { workspace }) =>
    isOnTheWay(path, workspace) ? undefined : findElsewhere(path, { workspace }),
  guess,
  hasOtherSpellings: true,
  toNative(path) {
    if (path.startsWith("/unc:/")) return `\\\\${path.slice("/unc:/".length).replaceAll("/", "\\")}`;
    const drive = /^\/([a-z]:)(.*)$/is.exec(path);
    if (drive === null) return path.replaceAll("/", "\\");
    return `${drive[1]!.toUpperCase()}${drive[2] === "" ? "\\" : drive[2]!.replaceAll("/", "\\")}`;
  },
  fromNative(path) {
    const plain = path.replace(/^\\\\\?\\(?:UNC\\)?/i, (prefix) => (/unc/i.test(prefix) ? "\\\\" : ""));
    return normalizePath(readRoot(plain, { cwd: "", home: "" }) ?? plain.replaceAll("\\", "/"));
  },
};

/** Git's bash: `/c/x` is a drive, `//host` a machine, and any other `/x` a folder of its own, outside of everything. */
export const gitBashStyle: PathStyle = {
  ...windowsStyle,
  name: "git-bash",
  place(text, base) {
    if (/[^/\\.][^/\\]*[/\\]+\.\.(?:[/\\]|$)/.test(text))
      return noFile("goes down and up again, which Git's bash may read in another way");
    return isOwnMount(text) ? { path: normalizePath(text) } : place(readMount(text), base);
  },
  findProblem: (path, base) => (isOwnMount(path) ? undefined : windowsStyle.findProblem(path, base)),
  guess(text, base) {
    const plain = /^\/(?!\/)/.test(text) ? normalizePath(text) : text;
    return isOwnMount(plain) ? plain : guess(readMount(plain), base);
  },
};

const readMount = (text: string) =>
  text
    .replace(/^\/(?:cygdrive\/)?([a-z])(?=\/|$)/i, (_all, drive: string) => `${drive}:`)
    .replace(/^[a-z]:$/i, "$&/");

/** Such as `/etc` or `/tmp`, and the root itself. */
function isOwnMount(text: string): boolean {
  return (
    /^\/(?!\/)/.test(text) &&
    !/^\/(?:cygdrive\/)?[a-z](?:\/|$)/i.test(text) &&
    !/^\/(?:[a-z]:|unc:)/i.test(text)
  );
}
