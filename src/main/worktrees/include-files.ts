/** Brings files that git ignores into a new worktree, where the repository asks for them in its `.worktreeinclude`. */
import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readFile, readlink, realpath, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SafeGit } from "./safe-git.ts";

export const includeFile = ".worktreeinclude";

/** So much is copied at most; a thread must not wait for a folder of packages. */
const mostFiles = 5_000;
const mostBytes = 256 * 1024 * 1024;
const longestList = 64 * 1024;

type Patterns = { copy: string[]; link: string[] };

/** Patterns as in `.gitignore`; those after a line `# link` are linked, those after `# copy` copied. */
export function readPatterns(text: string): Patterns {
  const patterns: Patterns = { copy: [], link: [] };
  let how: keyof Patterns = "copy";
  for (const line of text.split(/\r?\n/)) {
    const said = /^#\s*(copy|link)\s*$/i.exec(line)?.[1]?.toLowerCase();
    if (said === "copy" || said === "link") how = said;
    else if (line.trim() !== "" && !line.startsWith("#")) patterns[how].push(line);
  }
  return patterns;
}

/**
 * Only what git ignores in the folder, and only where nothing stands in the worktree yet.
 * @returns how many files and folders did not come, since they are too many, too large or cannot be read
 */
export async function includeFiles(git: SafeGit, from: string, to: string): Promise<number> {
  const list = join(from, includeFile);
  const found = await lstat(list).catch(() => undefined);
  if (!found?.isFile() || found.size > longestList) return 0;
  const patterns = readPatterns(await readFile(list, "utf8"));
  const linked = await find(git, from, patterns.link, ["--directory"]);
  const copied = await find(git, from, patterns.copy, []);
  let left = { files: mostFiles, bytes: mostBytes };
  let missed = 0;
  for (const name of linked) if (!(await bring(from, to, name, "link"))) missed += 1;
  for (const name of copied) {
    const size = (await lstat(join(from, name)).catch(() => undefined))?.size ?? 0;
    const fits = left.files > 0 && left.bytes >= size;
    if (fits && (await bring(from, to, name, "copy")))
      left = { files: left.files - 1, bytes: left.bytes - size };
    else missed += 1;
  }
  return missed;
}

/** The names, without the slash of a folder, of what fits a pattern and is ignored. */
async function find(
  git: SafeGit,
  cwd: string,
  patterns: readonly string[],
  how: readonly string[],
): Promise<string[]> {
  if (patterns.length === 0) return [];
  const given = patterns.map((pattern) => `--exclude=${pattern}`);
  const listed = await git({ cwd }, ["ls-files", "-z", "--others", "--ignored", ...how, ...given]);
  if (!listed.ok || listed.out === "") return [];
  const ignored = await git({ cwd }, ["check-ignore", "-z", "--stdin"], { input: listed.out });
  return ignored.out.split("\0").flatMap((name) => (name === "" ? [] : [name.replace(/\/$/, "")]));
}

/** @returns whether it is there now. */
async function bring(from: string, to: string, name: string, how: "copy" | "link"): Promise<boolean> {
  const [source, target] = [join(from, name), join(to, name)];
  try {
    await mkdir(dirname(target), { recursive: true });
    // A folder of the repository may be a link that leads out of it.
    if ((await realpath(dirname(target))) !== dirname(target)) return false;
    const found = await lstat(source);
    if (how === "link")
      await symlink(source, target, (await stat(source)).isDirectory() ? "junction" : "file");
    else if (found.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (found.isFile())
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    else return false;
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EEXIST";
  }
}
