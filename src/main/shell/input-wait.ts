/** Notices that a command waits for somebody to type, so that a person can answer instead of watching it hang. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { cleanOutput } from "./clean-output.ts";

/** Without output for this long a command is looked at, and again after each further period. */
const quietMs = 400;
/** How much of the end of the output may hold a prompt. */
const promptBytes = 512;

/** The number of `read(2)` by architecture. */
const readCall: Partial<Record<NodeJS.Architecture, string>> = {
  x64: "0",
  arm64: "63",
  arm: "3",
  riscv64: "63",
};
const terminalFile = /^\/dev\/(pts\/\d+|tty)$/;

function readTrimmed(path: string): string {
  try {
    return readFileSync(path, "latin1").trim();
  } catch {
    return "";
  }
}

function statFields(pid: number): string[] {
  const stat = readTrimmed(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((thread) => readTrimmed(`/proc/${pid}/task/${thread}/children`).split(" "))
      .filter((child) => child !== "")
      .map(Number);
  } catch {
    return [];
  }
}

/** Whether the process sits in a blocking `read` on a terminal right now. */
function isReadingTerminal(pid: number): boolean {
  const [call, descriptor] = readTrimmed(`/proc/${pid}/syscall`).split(" ");
  if (call === undefined || call !== readCall[process.arch]) return false;
  try {
    return terminalFile.test(readlinkSync(`/proc/${pid}/fd/${Number(descriptor)}`));
  } catch {
    return false;
  }
}

/** Looks through the foreground processes of the shell's terminal, as the kernel tells them. Linux only. */
function foregroundReadsTerminal(shellPid: number): boolean {
  const foreground = statFields(shellPid)[5];
  const pending = [shellPid];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    if (statFields(pid)[2] === foreground && isReadingTerminal(pid)) return true;
    pending.push(...childrenOf(pid));
  }
  return false;
}

type InputWatchOptions = {
  pid: number;
  /** The newest `bytes` of the output. */
  readTail: (bytes: number) => Uint8Array;
  onChange: (waiting: boolean) => void;
};

export type InputWatch = {
  /** Something was written by the command, or typed by a person: it is not waiting for now. */
  touch(): void;
  stop(): void;
};

/** Starts to watch. Best effort: a program that polls the keyboard without a prompt is not noticed. */
export function watchForInput(options: InputWatchOptions): InputWatch {
  let waiting = false;
  let touched = false;

  function change(value: boolean): void {
    if (waiting === value) return;
    waiting = value;
    options.onChange(value);
  }

  function look(): void {
    const quiet = !touched;
    touched = false;
    if (!quiet) return;
    const reads = process.platform === "linux" && foregroundReadsTerminal(options.pid);
    change(reads || endsInPrompt(options.readTail(promptBytes)));
  }

  const timer = setInterval(look, quietMs);
  timer.unref();
  return {
    touch() {
      touched = true;
      change(false);
    },
    stop() {
      clearInterval(timer);
      change(false);
    },
  };
}

/** A longer line is no prompt. */
const promptLength = 200;

/** An unfinished last line that ends like a question. */
const prompt = /(?:[:?>]|\[[^\]]*\]|\([^)]*\))[ \t]*$/;

/** Whether the output ends in an unfinished line that asks for something. */
export function endsInPrompt(tail: Uint8Array): boolean {
  const text = cleanOutput(new TextDecoder().decode(tail));
  const line = text.slice(text.lastIndexOf("\n") + 1);
  return line.trim() !== "" && line.length <= promptLength && prompt.test(line);
}
