/** Finds what the person keeps in their home for agents of all folders: instructions, commands and skills. */
import { join } from "node:path";
import { listCommandFiles } from "./command-files.ts";
import { isFileInside, realPathOf } from "./inside-folder.ts";
import { listContextPaths } from "./workspace-context.ts";

const ownInstructions = [".agents/AGENTS.md", ".claude/CLAUDE.md"];

/** Relative to the home, and only what really lies in it. Never throws. */
export function listOwnFiles(home: string): string[] {
  const root = realPathOf(home);
  if (root === undefined) return [];
  return [
    ...ownInstructions.filter((path) => isFileInside(root, join(root, path))),
    ...listCommandFiles(root),
    ...listContextPaths(root).skills.map((path) => `${path}/SKILL.md`),
  ];
}

/** @param file by the name under which the person's own files are listed. */
export function isInstructions(file: string): boolean {
  return ownInstructions.includes(file);
}
