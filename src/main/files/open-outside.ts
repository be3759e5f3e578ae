/** Opens a file of a workspace in the person's editor or its folder, says which was done, and runs no file by it. */
import { open, stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import {
  desktopOpeners,
  type Machine,
  type Opener,
  thisMachine,
  tryOpeners,
  windowsOpener,
} from "../base/openers.ts";
import { FileError, toFileError } from "./file-error.ts";
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

/** What a look at the disk told of the thing to be shown; `path` is real and absolute. */
export type Shown = {
  path: string;
  kind: "file" | "folder" | "other";
  /** May be started as a program, by its mode. */
  isExecutable: boolean;
  /** How its content begins. */
  start: Buffer;
};

/** Texts that no system runs when they are opened, whatever the person has set for their kind. */
const texts = new Set(
  "adoc c cc cfg conf cpp cs css csv diff go graphql h hpp ini java json jsonc kt less log markdown md patch proto rs rst scss sql swift tex text toml ts tsv tsx txt yaml yml".split(
    " ",
  ),
);

/** Pictures, and how each begins: another content would be opened as what it is and not as what its name says. */
const pictures: Record<string, string> = {
  png: "\u0089PNG\r\n",
  jpg: "\u00ff\u00d8\u00ff",
  jpeg: "\u00ff\u00d8\u00ff",
  gif: "GIF8",
};

/** Editors with a window of their own. They show what they are given and never run it. */
const editors = new Set(
  "bbedit clion code code-insiders codium cursor gedit gnome-text-editor goland gvim idea kate kwrite mate mousepad notepad++ phpstorm pluma pycharm rubymine subl webstorm windsurf xed zed zeditor".split(
    " ",
  ),
);

/** What an editor waits for, its starter need not. */
const waits = new Set(["--wait", "-w"]);

/** The programs that show the thing in its folder, or the folder itself, in the order to try them. */
export function folderPrograms({ path, kind }: Shown, machine: Machine): Opener[] {
  const { platform } = machine;
  // A folder with an ending may be an app of macOS, which opening would start.
  const reveals = kind !== "folder" || extname(path) !== "";
  if (platform === "darwin") return [{ program: "open", args: reveals ? ["-R", path] : [path] }];
  if (platform === "win32") {
    const args = kind === "folder" ? [path] : [`/select,${path}`];
    return [{ program: join(machine.env.SystemRoot ?? "C:\\Windows", "explorer.exe"), args, anyCode: true }];
  }
  return ofLinux(kind === "folder" ? path : dirname(path), machine);
}

/** The programs that open a file to be read and written, in the order to try them; none where opening it may run it. */
export function filePrograms(shown: Shown, machine: Machine): Opener[] {
  if (shown.kind !== "file") return [];
  const { path } = shown;
  const isText = !shown.start.includes(0);
  const programs: Opener[] = isText ? ownEditors(path, machine) : [];
  if (isText && machine.platform === "darwin") programs.push({ program: "open", args: ["-t", path] });

  if (!mayHandOver(shown, machine.platform)) return programs;
  if (machine.platform === "darwin") programs.push({ program: "open", args: [path] });
  else if (machine.platform === "win32") programs.push(windowsOpener(path, machine.env));
  else programs.push(...ofLinux(path, machine));
  return programs;
}

/** Whether whatever the system has for the file's kind shows it. What is not known to be shown is taken to be run. */
function mayHandOver({ path, isExecutable, start }: Shown, platform: NodeJS.Platform): boolean {
  if (isExecutable || (platform === "win32" && path.slice(2).includes(":"))) return false;
  const kind = extname(path).slice(1).toLowerCase();
  const begins = start.toString("latin1");
  const picture = pictures[kind];
  if (picture !== undefined) return begins.startsWith(picture);
  // Some systems go by the content: a script, a starter or a page under the name of a text.
  return texts.has(kind) && !start.includes(0) && !/^\s*(?:#!|<)|\[desktop entry\]/i.test(begins);
}

function ownEditors(path: string, { env }: Machine): Opener[] {
  return [env.VISUAL, env.EDITOR].flatMap((line) => {
    const [program = "", ...args] = (line ?? "").trim().split(/\s+/);
    const name = basename(program.replaceAll("\\", "/"))
      .replace(/\.exe$/i, "")
      .toLowerCase();
    return editors.has(name) ? [{ program, args: [...args.filter((arg) => !waits.has(arg)), path] }] : [];
  });
}

function ofLinux(path: string, { isWsl }: Machine): Opener[] {
  return [...(isWsl ? [{ program: "wslview", args: [path] }] : []), ...desktopOpeners(path)];
}
