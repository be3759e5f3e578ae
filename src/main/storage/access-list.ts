/** Who may read a folder on Windows, where modes say nothing: asked of its own tools, and set so that only the owner can. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";

/** Runs a program of Windows by its full path and hands back what it printed. @throws when it fails. */
export type RunTool = (name: "icacls.exe" | "whoami.exe", args: readonly string[]) => string;

const runTool: RunTool = (name, args) =>
  // By its full path: a bare name is looked for in the current folder first.
  execFileSync(win32.join(process.env.SystemRoot ?? "C:\\Windows", "System32", name), args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });

/** The system, its administrators, and whoever owns a thing: they can read everything anyway, or are the person. */
const alwaysTrusted = new Set(["SY", "S-1-5-18", "BA", "S-1-5-32-544", "CO", "S-1-3-0", "OW", "S-1-3-4"]);
const allowing = /^[XO]?A$|^ZA$/;

/**
 * Who besides the owner is let in by an access list as Windows writes it (SDDL); undefined when it cannot be read or
 * lets everybody in by being none.
 */
export function othersLetIn(sddl: string, owner: string): string[] | undefined {
  const list = /D:([A-Z]*)((?:\([^()]*\))*)(?:S:|$)/.exec(sddl.trim());
  if (list === null || (list[1] ?? "").includes("NO_ACCESS_CONTROL")) return undefined;
  const entries = [...(list[2] ?? "").matchAll(/\(([^()]*)\)/g)].map(([, entry]) => (entry ?? "").split(";"));
  if (entries.length === 0) return undefined;
  return entries
    .filter(([type]) => allowing.test(type ?? ""))
    .map((entry) => entry[5] ?? "")
    .filter((who) => who !== owner && !alwaysTrusted.has(who));
}

/** The identity of the person who runs this, as Windows numbers it. */
function ownIdentity(run: RunTool): string | undefined {
  return /S-1-[0-9-]+/.exec(run("whoami.exe", ["/user", "/fo", "csv", "/nh"]))?.[0];
}

function accessList(dir: string, run: RunTool, read: typeof readSaved): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-access-"));
  try {
    const file = join(folder, "list");
    run("icacls.exe", [dir, "/save", file]);
    return read(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const readSaved = (file: string): string => readFileSync(file, "utf16le");

/**
 * Whether no other user of this computer can read what is in the folder. On other systems modes see to that. What
 * cannot be found out counts as no.
 */
export function isKeptToOwner(
  dir: string,
  platform: NodeJS.Platform = process.platform,
  run: RunTool = runTool,
  read = readSaved,
): boolean {
  if (platform !== "win32") return true;
  try {
    const owner = ownIdentity(run);
    return owner !== undefined && othersLetIn(accessList(dir, run, read), owner)?.length === 0;
  } catch {
    return false;
  }
}

/** Lets nobody but the owner, the system and its administrators into a folder of Windows, and looks whether that holds. */
export function keepToOwner(dir: string, run: RunTool = runTool, read = readSaved): boolean {
  if (isKeptToOwner(dir, "win32", run, read)) return true;
  try {
    const grants = [ownIdentity(run), "S-1-5-18", "S-1-5-32-544"].map((who) => `*${who}:(OI)(CI)F`);
    run("icacls.exe", [dir, "/inheritance:r", "/grant:r", ...grants]);
  } catch {
    return false;
  }
  return isKeptToOwner(dir, "win32", run, read);
}
