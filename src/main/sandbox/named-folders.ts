/** Folders that a person named for confined commands to write in besides their workspace. */
import { isAbsolute } from "node:path";
import { type ConfinedWidth, readWidth } from "../../shared/width.ts";
import { isWithin } from "../paths/path-style.ts";
import { realOf } from "../paths/real-of.ts";
import { kindOf } from "./repositories.ts";

type Around = { readonly home: string; readonly dataDir: string };

/** What the system is made of: who writes there decides what others run. */
const ofSystem = [
  "bin",
  "boot",
  "dev",
  "etc",
  "lib",
  "lib32",
  "lib64",
  "proc",
  "run",
  "sbin",
  "sys",
  "usr",
].map((name) => `/${name}`);

/** Why a command must not be let write there, in a sentence; undefined where it may be. */
export function problemOfFolder(path: string, { home, dataDir }: Around): string | undefined {
  if (!isAbsolute(path)) return `${path} is no whole path. It begins with “/”.`;
  const real = realOf(path);
  if (real === undefined || kindOf(real) !== "folder") return `There is no folder ${path}.`;
  if (isWithin(home, real)) return `${path} holds your whole home. Name a folder in it.`;
  if ([dataDir, realOf(dataDir) ?? dataDir].some((each) => isWithin(each, real) || isWithin(real, each)))
    return `${path} holds the records of this app.`;
  if (ofSystem.some((each) => isWithin(real, each) || isWithin(each, real)))
    return `${path} belongs to the system.`;
  return real === "/tmp" ? "Each confined command has a /tmp of its own." : undefined;
}

/** Those of a width that add something: what lies in the workspace, or in another one, is guarded there. */
export function namedFolders({ width, workspace }: { width: ConfinedWidth; workspace: string }): string[] {
  const { folders } = readWidth(width);
  const outer = (folder: string) => [workspace, ...folders.filter((each) => each !== folder)];
  return folders.filter((folder) => !outer(folder).some((each) => isWithin(folder, each)));
}

/** @throws when it is not what the person named any more, or must not be written in */
export function assertNamed(folder: string, around: Around): string {
  const problem = problemOfFolder(folder, around);
  if (problem !== undefined) throw new Error(problem);
  if (realOf(folder) !== folder) throw new Error(`${folder} leads elsewhere now`);
  return folder;
}
