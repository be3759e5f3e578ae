/** Facts about this machine that are known only some time after the start. */
import { type CommandShell, titleOfShell } from "../../shared/command-shell.ts";
import type { HostInfo } from "../../shared/contract/console.ts";
import { plainPath, settleCommandPath } from "./command-path.ts";
import { askVersion } from "./find-command-shell.ts";
import type { LoginPath } from "./login-path.ts";
import { settleLanguage } from "./mac-start.ts";

export type LateFacts = Pick<HostInfo, "commandPath" | "commandShell"> & {
  /** Resolves, and never rejects, when commands may start. */
  pathKnown: Promise<void>;
  /** Asks the shell for its version, once: a console that only shows the queue starts no program for this. */
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
