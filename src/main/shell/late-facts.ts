/** Facts about this machine that are known only some time after the start: where commands look for programs, a Mac's language. */
import { existsSync } from "node:fs";
import { type CommandShell, titleOfShell } from "../../shared/command-shell.ts";
import type { HostInfo } from "../../shared/contract/console.ts";
import { askVersion } from "./find-command-shell.ts";
import type { LoginPath } from "./login-path.ts";
import { type RunProgram, runProgram } from "./run-program.ts";

export type LateFacts = Pick<HostInfo, "commandPath" | "commandShell"> & {
  /** Resolves, and never rejects, when commands may start. */
  pathKnown: Promise<void>;
  /** Asks the shell for its version, once: a start runs no program for this. */
  shellTitle(): Promise<string>;
};

/**
 * @param loginPath absent where the app was started from a terminal.
 * @param onKnown called after each fact was written into the same objects that were handed out.
 */
export function learnFacts(
  loginPath: Promise<LoginPath> | undefined,
  shell: CommandShell,
  onKnown: () => void,
): LateFacts {
  const commandPath = plainPath(process.env);
  const foundPath = settleCommandPath(loginPath, process.env, (found) => {
    Object.assign(commandPath, found);
    onKnown();
  });
  const commandShell = { kind: shell.kind, title: titleOfShell(shell) };
  let shellKnown: Promise<string> | undefined;
  return {
    commandPath,
    commandShell,
    pathKnown: Promise.all([foundPath, settleLanguage(process.env)]).then(() => undefined),
    shellTitle() {
      shellKnown ??= askVersion(shell).then((known) => {
        commandShell.title = titleOfShell(known);
        onKnown();
        return commandShell.title;
      });
      return shellKnown;
    },
  };
}

type CommandPath = HostInfo["commandPath"];

/** Until more is known. */
export function plainPath(env: NodeJS.ProcessEnv): CommandPath {
  return { source: "as-started", path: env.PATH ?? "", problem: null };
}

/**
 * Takes the login shell's PATH for this process once it is known, and with it for everything it starts. Resolves, and
 * never rejects, when commands may start.
 * @param asked absent where the app was started from a terminal, whose PATH is the person's own.
 */
export async function settleCommandPath(
  asked: Promise<LoginPath> | undefined,
  env: NodeJS.ProcessEnv,
  onKnown: (path: CommandPath) => void,
): Promise<void> {
  if (asked === undefined) return;
  const found: LoginPath = await asked.catch((error: unknown) => ({ problem: String(error) }));
  if ("path" in found) {
    env.PATH = found.path;
    onKnown({ source: "login-shell", path: found.path, problem: null });
  } else onKnown({ source: "as-started", path: env.PATH ?? "", problem: found.problem });
}

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
