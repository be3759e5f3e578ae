/** Facts about this machine that are known only some time after the start, such as where commands look for programs. */
import { type CommandShell, titleOfShell } from "../../shared/command-shell.ts";
import type { HostInfo } from "../../shared/contract/console.ts";
import { askVersion } from "./find-command-shell.ts";
import type { LoginPath } from "./login-path.ts";
import { settleLanguage } from "./mac-start.ts";

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
