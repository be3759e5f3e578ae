/** Hears each line on standard input, and never takes a key from a terminal that belongs to another program now. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import { promisify } from "node:util";

/**
 * Calls back for each line until the input ends. A program in the background that reads its terminal is stopped by the
 * system, with all its agents: so it reads in the foreground only, and looks again whenever it is continued.
 */
export async function onRequestLine(listener: () => void): Promise<void> {
  if (!isatty(0)) {
    hearLines(listener);
    return;
  }
  let lines: ReturnType<typeof hearLines> | undefined;
  const look = async () => {
    if (await isInForeground()) {
      lines ??= hearLines(listener);
      lines.resume();
    } else lines?.pause();
  };
  process.on("SIGCONT", () => {
    // At once, before the question who has the terminal is answered.
    lines?.pause();
    void look();
  });
  await look();
}

function hearLines(listener: () => void) {
  // A terminal that is gone, a closed descriptor: there is nobody who could ask.
  process.stdin.on("error", () => {});
  return createInterface({ input: process.stdin, terminal: false }).on("line", listener);
}

/** Whether this process belongs to the group that has the terminal. */
async function isInForeground(): Promise<boolean> {
  if (process.platform === "win32") return true;
  try {
    if (process.platform === "linux") return groupHasTerminal(readFileSync("/proc/self/stat", "utf8"));
    const { stdout } = await promisify(execFile)("ps", ["-o", "stat=", "-p", String(process.pid)]);
    return stdout.includes("+");
  } catch {
    return false;
  }
}

/** @param stat a line of /proc/PID/stat; its name field may hold anything, also brackets. */
export function groupHasTerminal(stat: string): boolean {
  const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group !== undefined && group === terminalGroup;
}
