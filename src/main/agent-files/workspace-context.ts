/** Finds what a workspace tells agents about itself: AGENTS.md and CLAUDE.md files and skills, of trusted workspaces only. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { gather } from "../base/give-way.ts";
import { isInside, realOf } from "../paths/real-of.ts";
import { instructionFiles, skillFolders } from "../policy/steering-files.ts";
import { isFileInside, namesIn } from "./inside-folder.ts";

type WorkspaceContext = {
  /** AGENTS.md and CLAUDE.md files, relative to the workspace; later ones add to earlier ones, and none is read twice. */
  files: string[];
  /** Folders whose sub-folders each hold a SKILL.md, relative to the workspace; of two skills with one name the later wins. */
  skills: string[];
};

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
  const root = trusted ? realOf(workspace) : undefined;
  if (root === undefined) return { files: [], skills: [] };
  const isHeldBack = (path: string) => changed.some((file) => file === path || file.startsWith(`${path}/`));
  return {
    files: instructionsIn(root).filter((path) => !isHeldBack(path)),
    skills: skillFolders.filter((path) => !isHeldBack(path) && holdsSkills(root, join(root, path))),
  };
}

/** Many folders have one of the two names as a link to the other. */
function eachOnce(root: string, files: readonly string[]): string[] {
  const real = files.map((path) => realOf(join(root, path)));
  return files.filter((_, at) => real.indexOf(real[at]) === at);
}

/** The sizes in bytes of files that were found, in their order. Never throws. */
export function sizesOf(workspace: string, files: readonly string[]): number[] {
  return files.map((path) => statSync(join(workspace, path), { throwIfNoEntry: false })?.size ?? 0);
}

/** What is there to be read once the workspace is trusted: AGENTS.md and CLAUDE.md files, and each skill's own folder. Never throws. */
export async function listContextPaths(workspace: string): Promise<WorkspaceContext> {
  return { files: listInstructions(workspace), skills: await gather(eachSkill(workspace)) };
}

/** AGENTS.md and CLAUDE.md files, as they are listed with the skills. Never throws. */
export function listInstructions(workspace: string): string[] {
  const root = realOf(workspace);
  return root === undefined ? [] : instructionsIn(root);
}

/** Each skill's own folder; a step for every name that may be one, which brings nothing when it is none. Never throws. */
export function* eachSkill(workspace: string): Generator<string | undefined> {
  const root = realOf(workspace);
  if (root === undefined) return;
  for (const path of skillFolders) {
    const folder = join(root, path);
    if (!isInside(root, realOf(folder))) continue;
    for (const name of namesIn(folder).sort())
      yield isFileInside(root, join(folder, name, "SKILL.md")) ? `${path}/${name}` : undefined;
  }
}

/** Each once: what holds back under one name must not be read under the other. */
function instructionsIn(root: string): string[] {
  return eachOnce(
    root,
    instructionFiles.filter((path) => isFileInside(root, join(root, path))),
  );
}

function holdsSkills(root: string, folder: string): boolean {
  if (!isInside(root, realOf(folder))) return false;
  return namesIn(folder).some((name) => isFileInside(root, join(folder, name, "SKILL.md")));
}
