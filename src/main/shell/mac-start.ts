/** What a Mac has to be asked at the start: its language, which the Finder tells no program, and its developer tools. */

import { existsSync } from "node:fs";
import { type RunProgram, runProgram } from "./run-program.ts";

const answerWithinMs = 2000;

/** The part of a system that is asked; tests take another than the one they run on. */
type MacParts = {
  platform: NodeJS.Platform;
  run: RunProgram;
  exists: (path: string) => boolean;
};

const here: MacParts = { platform: process.platform, run: runProgram, exists: existsSync };

/**
 * Sets LANG where a Mac started this process without any language: programs would read and sort bytes and not letters
 * ("illegal byte sequence"). The person's own language where the system has its rules, else English. Never rejects.
 */
export async function settleLanguage(
  env: NodeJS.ProcessEnv,
  { platform, run, exists }: MacParts = here,
): Promise<void> {
  if (platform !== "darwin" || env.LANG || env.LC_ALL || env.LC_CTYPE) return;
  const said = await run("/usr/bin/defaults", ["read", "-g", "AppleLocale"], { timeoutMs: answerWithinMs });
  const language = /^[a-z]{2,3}_[A-Z]{2}/.exec(said ?? "")?.[0];
  const own = `${language}.UTF-8`;
  env.LANG = language !== undefined && exists(`/usr/share/locale/${own}`) ? own : "en_US.UTF-8";
}

/** What to tell the owner of a Mac on which `git` and its like only open a dialog; undefined where they work. */
export async function describeMissingTools(mac: MacParts = here): Promise<string | undefined> {
  const { platform, run, exists } = mac;
  if (platform !== "darwin") return undefined;
  const said = await run("/usr/bin/xcode-select", ["-p"], { timeoutMs: answerWithinMs });
  const folder = said?.trim();
  // It goes on naming a folder that was removed since, as an update of macOS may.
  if (folder && exists(`${folder}/usr/bin/xcrun`)) return undefined;
  return "Apple's developer tools are not installed, so git, make, python3 and others open a dialog instead of running. Type xcode-select --install in a terminal to get them.";
}
