/** Recognises `node --check FILE`, which runs nothing of the file and prints the line of it that is wrong. */

import { plainWord } from "./command-pieces.ts";
import { resolvePathIn } from "./path-place.ts";
import type { Scene } from "./policy-context.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import type { ShellWord } from "./shell-word.ts";
import { findChooser } from "./version-question.ts";

const program = /\.[cm]?[jt]s$/;
/** What Node reads instead where no file of this very name is. */
const instead = [".js", ".json", ".node", "/package.json", "/index.js", "/index.json", "/index.node"];

const foldersAbove = (path: string): string[] =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join("/"));

/** The files below the workspace that say what kind of program a file is; a wrong one is quoted in the error. */
function settingsAbove(path: string, { context }: Scene): ShellWord[] {
  return foldersAbove(path)
    .filter((folder) => `${folder}/`.startsWith(`${context.workspace}/`))
    .map((folder) => `${folder}/package.json`)
    .filter((file) => context.look?.isThere(file) ?? true)
    .map(plainWord);
}

/** Whether Node would read another file than the one that the word names, or a folder's; also when nobody can say. */
function leadsElsewhere(word: ShellWord, path: string, { context: { look } }: Scene): boolean {
  if (look === undefined || instead.some((end) => look.isThere(`${path}${end}`))) return true;
  if (!word.glob) return false;
  const folder = path.slice(0, path.lastIndexOf("/"));
  if (/[*?[\\]/.test(folder)) return true;
  const entries = look.entriesIn(folder);
  return entries === undefined || entries.some(({ name, kind }) => program.test(name) && kind !== "other");
}

/**
 * A reading of the one file that is checked, or undefined where the words say more than that, or another file or another
 * Node may be meant.
 */
export function readSyntaxCheck(
  name: string,
  args: readonly ShellWord[],
  scene: Scene,
): ProfileReading | undefined {
  const [flag, file] = args;
  const isOne = name === "node" && args.length === 2 && /^(?:-c|--check)$/.test(flag?.value ?? "");
  if (!isOne || file === undefined || file.value.startsWith("-") || !program.test(file.value))
    return undefined;
  if (file.problem !== undefined || findChooser(name, scene) !== undefined) return undefined;
  const paths = scene.cwds.map((cwd) => resolvePathIn(file.value, cwd, scene.context));
  if (paths.some((path) => path === undefined || leadsElsewhere(file, path, scene))) return undefined;
  const settings = paths.flatMap((path) => settingsAbove(path!, scene));
  return { content: [file, ...settings], metadata: [], patterns: [], flags: new Set(), mayBeFlag: file.glob };
}
