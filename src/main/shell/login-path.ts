/** Asks the person's login shell for its PATH: an app started from a dock or a launcher has one without their programs. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, delimiter, isAbsolute } from "node:path";

/** What the shell said, or why there is nothing to be had, as a sentence without its end. */
export type LoginPath = { path: string } | { problem: string };

export type LoginShell = {
  /** Absolute path of the shell, as the system or `$SHELL` names it. */
  shell: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Some set-ups look for tools, update themselves, or wait for an answer that nobody gives. */
  timeoutMs?: number;
};

const defaultTimeoutMs = 5_000;
const mostChars = 1024 * 1024;

/** Never rejects. The shell runs in a session of its own, so it cannot touch a terminal, and is ended with all it started. */
export async function readLoginPath({
  shell,
  env,
  timeoutMs = defaultTimeoutMs,
}: LoginShell): Promise<LoginPath> {
  if (shell === undefined || !isAbsolute(shell) || !existsSync(shell))
    return { problem: "No login shell is known for this account" };
  const name = basename(shell);
  const marker = randomUUID();
  const said = await listen(name, () => start(shell, marker, env), marker, timeoutMs);
  if ("problem" in said) return said;
  const [, path = ""] = said.output.split(marker);
  return check(path.trim(), name);
}

/** The same words in bash, zsh, fish and csh; `printenv` joins fish's list as every program sees it. */
function start(shell: string, marker: string, env: NodeJS.ProcessEnv): ChildProcess {
  const command = `echo ${marker}; printenv PATH; echo ${marker}`;
  // csh takes -l as its only option, and reads its start files without it as well.
  const options = /^t?csh$/.test(basename(shell)) ? ["-i", "-c"] : ["-i", "-l", "-c"];
  const { ELECTRON_RUN_AS_NODE: _hidden, ...rest } = env;
  return spawn(shell, [...options, command], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...rest, TERM: "dumb", DISABLE_AUTO_UPDATE: "true", ZSH_TMUX_AUTOSTARTED: "true" },
  });
}

function listen(
  name: string,
  open: () => ChildProcess,
  marker: string,
  timeoutMs: number,
): Promise<{ output: string } | { problem: string }> {
  const { promise, resolve } = Promise.withResolvers<{ output: string } | { problem: string }>();
  let child: ChildProcess;
  try {
    child = open();
  } catch (error) {
    return Promise.resolve({ problem: `${name} could not be started (${String(error)})` });
  }
  const seconds = Math.round(timeoutMs / 1000);
  const timer = setTimeout(
    () => resolve({ problem: `${name} did not answer within ${seconds} s` }),
    timeoutMs,
  );
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.split(marker).length > 2) resolve({ output });
    else if (output.length > mostChars) resolve({ problem: `${name} printed too much` });
  });
  child.on("error", (error) => resolve({ problem: `${name} could not be started (${error.message})` }));
  child.on("close", () => resolve({ problem: `${name} ended without an answer` }));
  return promise.finally(() => {
    clearTimeout(timer);
    child.stdout?.destroy();
    endSession(child);
  });
}

/** Also what its start files left in the background, which else would hold on to the app's end. */
function endSession({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** A list of folders of which at least one is there; anything else would leave commands without any program. */
function check(path: string, name: string): LoginPath {
  const isList = path.length < 64 * 1024 && !/[\0\r\n]/.test(path);
  const folders = path.split(delimiter).filter((entry) => isAbsolute(entry) && existsSync(entry));
  return isList && folders.length > 0
    ? { path }
    : { problem: `${name} answered with something that is no list of folders` };
}
