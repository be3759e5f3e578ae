/** Windows' paths in the policy's own form: absolute, with `/`, the drive as first part (`C:\ws\a` is `/c:/ws/a`). */

/** A path in the policy's form, or why it may not even be looked for on the disk. */
export type PlacedPath = { path: string } | { problem: string };

const device =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?:\..*)?$/i;
const otherMachine =
  "names another machine or a device, and looking for it already tells that machine who you are";

/** Why one part of a path is no plain file name, or undefined. */
function findNameProblem(name: string): string | undefined {
  if (name === "." || name === "..") return undefined;
  if (/[. ]$/.test(name)) return "ends in a dot or a blank, which Windows leaves out";
  if (name.includes(":")) return "names a stream, another drive or a provider";
  if (device.test(name)) return "names a device";
  if (/~\d/.test(name)) return "may be the short name of another file";
  return undefined;
}

/** The drive that a path of the policy's form stands on, such as `/c:`. */
function driveOf(path: string): string | undefined {
  return /^\/[a-z]:/.exec(path)?.[0];
}

/**
 * Reads a path as Windows does, without a look at the disk.
 *
 * @param text the path as it was written: relative, from the drive's root, with a drive, or from the home (`~`)
 * @param base the folder that a relative path begins in and the home, both in the policy's form
 */
export function placeWindowsPath(text: string, base: { cwd: string; home: string }): PlacedPath {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file name on Windows holds them
  if (/[\u0000-\u001f<>"|]/.test(text)) return { problem: "holds characters that no file name has" };
  const path = text.replaceAll("\\", "/");
  if (path.startsWith("//") || path.startsWith("/??/")) return { problem: otherMachine };
  const [, drive, rest] = /^([a-z]):(.*)$/is.exec(path) ?? [undefined, undefined, path];
  if (drive !== undefined && !rest!.startsWith("/"))
    return { problem: "begins in the folder another drive stands in" };
  const problem = rest!
    .split("/")
    .map(findNameProblem)
    .find((each) => each !== undefined);
  if (problem !== undefined) return { problem };
  const here = driveOf(base.cwd);
  if (drive !== undefined && here !== undefined && here !== `/${drive.toLowerCase()}:`)
    return { problem: "is on another drive" };
  if (drive !== undefined) return { path: `/${drive.toLowerCase()}:${rest}` };
  if (path === "~" || path.startsWith("~/")) return { path: `${base.home}${path.slice(1)}` };
  if (path.startsWith("~")) return { problem: "names somebody's home" };
  if (path.startsWith("/")) return { path: `${here ?? ""}${path}` };
  return { path: `${base.cwd}/${path}` };
}
