/** Opens an address in the person's browser with whatever the system has for that; never throws and never waits long. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../shared/message-of.ts";

/** A program that still runs after so long is the browser itself, or hangs; either way nothing more is to be learnt. */
const settleMs = 5_000;

type Opener = { program: string; args: string[] };

type Machine = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Whether this is Linux inside of Windows, whose browser is a Windows program. */
  isWsl: boolean;
};

/** The programs to try, in this order. */
export function openersFor(address: string, { platform, env, isWsl }: Machine): Opener[] {
  if (platform === "darwin") return [{ program: "open", args: [address] }];
  if (platform === "win32") {
    const program = join(env.SystemRoot ?? "C:\\Windows", "System32", "rundll32.exe");
    return [{ program, args: ["url.dll,FileProtocolHandler", address] }];
  }
  const chosen = (env.BROWSER ?? "")
    .split(":")
    .filter((line) => line.trim() !== "")
    .map((line) => fromBrowserVariable(line, address));
  const windows = isWsl
    ? [
        { program: "wslview", args: [address] },
        { program: "rundll32.exe", args: ["url.dll,FileProtocolHandler", address] },
      ]
    : [];
  return [
    ...chosen,
    ...windows,
    { program: "xdg-open", args: [address] },
    { program: "gio", args: ["open", address] },
  ];
}

/** `$BROWSER` holds programs with arguments; `%s` stands for the address, which else comes last. */
function fromBrowserVariable(line: string, address: string): Opener {
  const [program = "", ...args] = line.trim().split(/\s+/);
  const hasPlace = args.some((arg) => arg.includes("%s"));
  return {
    program,
    args: hasPlace ? args.map((arg) => arg.replace("%s", () => address)) : [...args, address],
  };
}

/** Resolves to undefined when a program took the address, else to why none did, as a part of a sentence. */
export async function openBrowser(
  address: string,
  machine: Machine = { platform: process.platform, env: process.env, isWsl: isWsl() },
): Promise<string | undefined> {
  const problems: string[] = [];
  for (const opener of openersFor(address, machine)) {
    const problem = await start(opener, machine.env);
    if (problem === undefined) return undefined;
    problems.push(problem);
  }
  // What the system's own program said tells more than that another is missing.
  return problems.find((problem) => !problem.endsWith(missing)) ?? problems[0];
}

const missing = "is not installed";

/** Undefined once the program ended well or goes on running; it outlives this process and hears none of its signals. */
function start({ program, args }: Opener, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(resolve, settleMs, undefined).unref();
  try {
    const child = spawn(program, args, { env, detached: true, stdio: "ignore", windowsHide: true });
    child.on("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ENOENT" ? `${program} ${missing}` : `${program}: ${error.message}`),
    );
    child.on("exit", (code, signal) =>
      resolve(code === 0 ? undefined : `${program} ended with ${signal ?? `code ${code}`}`),
    );
    child.unref();
  } catch (error) {
    resolve(`${program}: ${messageOf(error)}`);
  }
  return promise.finally(() => clearTimeout(timer));
}

function isWsl(): boolean {
  return process.platform === "linux" && existsSync("/proc/sys/fs/binfmt_misc/WSLInterop");
}
