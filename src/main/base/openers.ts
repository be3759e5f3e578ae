/** Hands something to a program of the person's system, such as the browser or the file manager; never throws and never waits long. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../shared/message-of.ts";

/** A program that still runs after so long is the one that was meant, or hangs; either way nothing more is to be learnt. */
const settleMs = 5_000;

export type Opener = {
  program: string;
  args: string[];
  /** Its exit code says nothing, as that of Windows' Explorer. */
  anyCode?: boolean;
};

export type Machine = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Whether this is Linux inside of Windows, whose programs are those of Windows. */
  isWsl: boolean;
};

/** Read off the process at each call; inside of WSL an opener is one of Windows. */
export function thisMachine(): Machine {
  const { platform, env } = process;
  return { platform, env, isWsl: platform === "linux" && existsSync("/proc/sys/fs/binfmt_misc/WSLInterop") };
}

/** What Windows itself opens an address or a file with. */
export function windowsOpener(target: string, env: NodeJS.ProcessEnv): Opener {
  return {
    program: join(env.SystemRoot ?? "C:\\Windows", "System32", "rundll32.exe"),
    args: ["url.dll,FileProtocolHandler", target],
  };
}

/** What the desktops of Linux open anything with, in the order to try them. */
export function desktopOpeners(target: string): Opener[] {
  return [
    { program: "xdg-open", args: [target] },
    { program: "gio", args: ["open", target] },
  ];
}

/** Resolves to undefined when one of the programs took it, else to why none did, as a part of a sentence. */
export async function tryOpeners(openers: readonly Opener[], { env }: Machine): Promise<string | undefined> {
  const problems: string[] = [];
  for (const opener of openers) {
    const problem = await start(opener, env);
    if (problem === undefined) return undefined;
    problems.push(problem);
  }
  // What the system's own program said tells more than that another is missing.
  return problems.find((problem) => !problem.endsWith(missing)) ?? problems[0];
}

const missing = "is not installed";

/** Undefined once the program ended well or goes on running; it outlives this process and hears none of its signals. */
function start({ program, args, anyCode }: Opener, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(resolve, settleMs, undefined).unref();
  try {
    const child = spawn(program, args, { env, detached: true, stdio: "ignore", windowsHide: true });
    child.on("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ENOENT" ? `${program} ${missing}` : `${program}: ${error.message}`),
    );
    child.on("exit", (code, signal) =>
      resolve(code === 0 || anyCode ? undefined : `${program} ended with ${signal ?? `code ${code}`}`),
    );
    child.unref();
  } catch (error) {
    resolve(`${program}: ${messageOf(error)}`);
  }
  return promise.finally(() => clearTimeout(timer));
}
