/** Finds what the person keeps in their home for agents of all folders: instructions, commands and skills. */
import { join } from "node:path";
import { listCommandFiles } from "./command-files.ts";
import { isFileInside, realPathOf } from "./inside-folder.ts";
import { eachSkill } from "./workspace-context.ts";

const ownInstructions = [".agents/AGENTS.md", ".claude/CLAUDE.md"];

/** Relative to the home, and only what really lies in it; a step that finds nothing brings nothing. Never throws. */
export function* eachOwnFile(home: string): Generator<string | undefined> {
  const root = realPathOf(home);
  if (root === undefined) return;
  yield* ownInstructions.filter((path) => isFileInside(root, join(root, path)));
  yield* listCommandFiles(root);
  for (const path of eachSkill(root)) yield path && `${path}/SKILL.md`;
}

/** @param file by the name under which the person's own files are listed. */
export function isInstructions(file: string): boolean {
  return ownInstructions.includes(file);
}
