/** Finds what a workspace tells agents about itself: AGENTS.md and CLAUDE.md files and skills, of trusted workspaces only. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { isFileInside, isInside, namesIn, realPathOf } from "./inside-folder.ts";

type WorkspaceContext = {
  /** AGENTS.md and CLAUDE.md files, relative to the workspace; later ones add to earlier ones, and none is read twice. */
  files: string[];
  /** Folders whose sub-folders each hold a SKILL.md, relative to the workspace; of two skills with one name the later wins. */
  skills: string[];
};

const memoryFiles = [
  "AGENTS.md",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  ".agents/AGENTS.md",
  ".deepagents/AGENTS.md",
];
const skillFolders = [".claude/skills", ".agents/skills", ".deepagents/skills"];

/**
 * @param trusted an untrusted folder is somebody else's text, and none of it reaches a prompt.
 * @param changed files that nobody looked at since they changed; they, and the skill folders they are in, are left out.
 * @returns only what is really inside the workspace, links followed. Never throws: what cannot be read is left out.
 */
export function findWorkspaceContext(
  workspace: string,
  trusted: boolean,
  changed: readonly string[] = [],
): WorkspaceContext {
  const root = trusted ? realPathOf(workspace) : undefined;
  if (root === undefined) return { files: [], skills: [] };
  const isHeldBack = (path: string) => changed.some((file) => file === path || file.startsWith(`${path}/`));
  return {
    // Each once first: what holds back under one name must not be read under the other.
    files: eachOnce(
      root,
      memoryFiles.filter((path) => isFileInside(root, join(root, path))),
    ).filter((path) => !isHeldBack(path)),
    skills: skillFolders.filter((path) => !isHeldBack(path) && holdsSkills(root, join(root, path))),
  };
}

/** Many folders have one of the two names as a link to the other. */
function eachOnce(root: string, files: readonly string[]): string[] {
  const real = files.map((path) => realPathOf(join(root, path)));
  return files.filter((_, at) => real.indexOf(real[at]) === at);
}

/** The sizes in bytes of files that were found, in their order. Never throws. */
export function sizesOf(workspace: string, files: readonly string[]): number[] {
  return files.map((path) => statSync(join(workspace, path), { throwIfNoEntry: false })?.size ?? 0);
}

/** What is there to be read once the workspace is trusted: AGENTS.md and CLAUDE.md files, and each skill's own folder. Never throws. */
export function listContextPaths(workspace: string): WorkspaceContext {
  const { files, skills } = findWorkspaceContext(workspace, true);
  const root = realPathOf(workspace) ?? workspace;
  return { files, skills: skills.flatMap((path) => skillsIn(root, path)) };
}

function skillsIn(root: string, path: string): string[] {
  const folder = join(root, path);
  return namesIn(folder)
    .filter((name) => isFileInside(root, join(folder, name, "SKILL.md")))
    .map((name) => `${path}/${name}`)
    .sort();
}

function holdsSkills(root: string, folder: string): boolean {
  if (!isInside(root, realPathOf(folder))) return false;
  return namesIn(folder).some((name) => isFileInside(root, join(folder, name, "SKILL.md")));
}
