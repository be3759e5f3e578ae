/** Opens a file of a workspace in the person's editor, or shows it in its folder, and says which of both was done. */
import { open, stat } from "node:fs/promises";
import { type Machine, thisMachine, tryOpeners } from "../base/openers.ts";
import { FileError, toFileError } from "./file-error.ts";
import { filePrograms, folderPrograms, type Shown } from "./outside-programs.ts";
import { locate } from "./real-path.ts";

export type How = "editor" | "folder";

const startBytes = 4_096;

/**
 * @param asked inside the workspace, with links followed; empty for the workspace itself.
 * @param how `editor`: what opening may run is shown in its folder instead.
 * @throws FileError when it is not there, lies outside, or no program took it
 */
export async function openOutside(
  workspace: string,
  asked: string,
  how: How,
  machine: Machine = thisMachine(),
): Promise<How> {
  const { path } = await locate(workspace, asked || ".");
  const shown = await look(path, asked);
  if (how === "editor") {
    const programs = filePrograms(shown, machine);
    if (programs.length > 0 && (await tryOpeners(programs, machine)) === undefined) return "editor";
  }
  const problem = await tryOpeners(folderPrograms(shown, machine), machine);
  if (problem === undefined) return "folder";
  throw new FileError("io", path, `No program here took it (${problem}). It lies at ${path}.`);
}

async function look(path: string, asked: string): Promise<Shown> {
  try {
    const found = await stat(path);
    const isFile = found.isFile();
    const kind = isFile ? "file" : found.isDirectory() ? "folder" : "other";
    const start = isFile ? await readStart(path) : Buffer.alloc(0);
    return { path, kind, isExecutable: (found.mode & 0o111) !== 0, start };
  } catch (cause) {
    throw toFileError(cause, asked);
  }
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
