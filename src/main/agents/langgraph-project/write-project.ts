/** Writes an exported agent into a folder of its own, which must not be there yet. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Project } from "./project.ts";

/** Why nothing was written, in a sentence. */
export class ProjectFolderError extends Error {
  override name = "ProjectFolderError";
}

/** All of it or nothing. @throws ProjectFolderError when the folder is there already or cannot be made */
export function writeProject(folder: string, { files }: Project): void {
  if (!isAbsolute(folder)) throw new ProjectFolderError("Give the whole path of the new folder.");
  try {
    mkdirSync(folder);
  } catch (error) {
    throw new ProjectFolderError(whyNot(folder, error));
  }
  try {
    // Keys will be written into one of them.
    for (const { name, text } of files)
      writeFileSync(join(folder, name), text, { flag: "wx", mode: name === ".env" ? 0o600 : 0o644 });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new ProjectFolderError(whyNot(folder, error));
  }
}

function whyNot(folder: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EEXIST") return `${folder} is there already. Name a folder that is not.`;
  if (code === "ENOENT") return `The folder that ${folder} would be in is not there.`;
  return `${folder} cannot be written (${String(code ?? error)}).`;
}
