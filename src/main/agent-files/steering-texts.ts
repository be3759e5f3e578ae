/**
 * Reads the texts that steer agents and the app: a folder's rules, AGENTS.md and CLAUDE.md files, skills and commands, and
 * what the person keeps for all folders in their home.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { readNow } from "../base/read-now.ts";
import { realOf } from "../paths/real-of.ts";
import { folderRulesFile } from "../policy/steering-files.ts";
import { listCommandFiles } from "./command-files.ts";
import { isFileInside } from "./inside-folder.ts";
import { eachSkill, listInstructions, sizesOf } from "./workspace-context.ts";

/** More than this is not a text that anybody looks through. */
const largestBytes = 256 * 1024;

/** All of them together: more does not fit into one answer, with what each said before. */
const mostBytes = 12 * 1024 * 1024;

/** Where such texts lie, and which there are, relative to it. */
export type SteeringPlace = { root: string; files(): Iterable<string | undefined> };

/** One text, relative to its place; `null` when it is there but cannot be read or is too large. */
export type SteeringText = { file: string; text: string | null };

/** The text of a file, `null` when it cannot be shown, `undefined` when there is none. */
export function readSteeringText(workspace: string, file: string): string | null | undefined {
  const path = join(workspace, file);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isFile() && stat.size <= largestBytes ? readNow(path).toString() : null;
  } catch {
    return null;
  }
}

/** What steers in a folder. */
export function folderPlace(workspace: string): SteeringPlace {
  return { root: workspace, files: () => eachSteeringFile(workspace) };
}

/** What steers everywhere, in the person's home. */
export function homePlace(home: string): SteeringPlace {
  return { root: home, files: () => eachOwnFile(home) };
}

/**
 * Every text of a place that steers, in a fixed order; of too much the first ones, and the others without what they say.
 * A step reads one file at most, and brings nothing where there is none. Never throws.
 */
export function* eachSteeringText({ root, files }: SteeringPlace): Generator<SteeringText | undefined> {
  let left = mostBytes;
  for (const file of files()) {
    const text = file !== undefined && left > 0 ? readSteeringText(root, file) : null;
    if (file === undefined || text === undefined) {
      yield undefined;
      continue;
    }
    left -= jsonBytes(text);
    yield { file, text: left > 0 ? text : null };
  }
}

/** One sentence for whoever looks at these texts, when there is more than can be shown; else undefined. */
export function describeTooMuch({ root }: SteeringPlace, texts: readonly SteeringText[]): string | undefined {
  if (texts.every(({ text }) => text !== null)) return undefined;
  const sizes = sizesOf(
    root,
    texts.map(({ file }) => file),
  );
  const isLeftOut = texts.some(({ text }, at) => text === null && sizes[at]! <= largestBytes);
  if (!isLeftOut) return undefined;
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const largest = Math.max(...sizes);
  const { file } = texts[sizes.indexOf(largest)]!;
  return `These files say more than can be shown (${inMegabytes(whole)} together), so the last of them stay held back, and with each the skills of its folder; make them smaller or take some away, the largest first: ${file} with ${inMegabytes(largest)}.`;
}

const inMegabytes = (bytes: number) => `${(bytes / (1024 * 1024)).toFixed(1)} MB`;

function* eachSteeringFile(workspace: string): Generator<string | undefined> {
  yield folderRulesFile;
  yield* listInstructions(workspace);
  for (const skill of eachSkill(workspace)) yield skill && `${skill}/SKILL.md`;
  yield* listCommandFiles(realOf(workspace) ?? workspace);
}

const ownInstructions = [".agents/AGENTS.md", ".claude/CLAUDE.md"];

/** Relative to the home, and only what really lies in it; a step that finds nothing brings nothing. Never throws. */
function* eachOwnFile(home: string): Generator<string | undefined> {
  const root = realOf(home);
  if (root === undefined) return;
  yield* ownInstructions.filter((path) => isFileInside(root, join(root, path)));
  yield* listCommandFiles(root);
  for (const path of eachSkill(root)) yield path && `${path}/SKILL.md`;
}

/** @param file by the name under which the person's own files are listed. */
export function isInstructions(file: string): boolean {
  return ownInstructions.includes(file);
}
