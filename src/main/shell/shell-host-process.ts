/** The port through which the shell host's process is started, and how plain Node starts it. */

import { type ChildProcess, fork } from "node:child_process";
import { hearComplaint } from "../base/process-complaint.ts";

/** A started process that speaks `shell-messages.ts`. Nothing here throws once it is gone. */
export type ShellHostProcess = {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, after the last message; also when the process could not be started. `why` is for a person. */
  onExit(listener: (why: string) => void): void;
  /** Ends it at once, without a chance to do anything. */
  kill(): void;
  /** Whether it keeps this process from exiting. */
  hold(held: boolean): void;
};

/** Starts a file as a process with exactly this environment. */
export type ForkShellHost = (file: string, environment: Record<string, string>) => ShellHostProcess;

/** A child process ends before its last messages were read, and one that never began has no channel to close. */
function whenGone(child: ChildProcess, listener: (why: string) => void): void {
  let how = "";
  const complaint = hearComplaint(child.stderr);
  const tell = () => listener(complaint(how));
  child.once("exit", (code, signal) => {
    how = signal ?? `exit code ${code}`;
    if (child.connected) child.once("disconnect", tell);
    else tell();
  });
  child.on("error", (error) => {
    if (child.pid === undefined) listener(error.message);
  });
}

/**
 * Each command is a fork, which copies the tables of all memory of the process: a small young generation and no threads
 * of V8 take a third off it. Less than 4 MB would slow down commands that print much.
 */
const smallMemory = ["--max-semi-space-size=4", "--single-threaded"];

/** `child_process.fork` with a channel that takes bytes and text as they are. */
export const forkWithNode: ForkShellHost = (file, environment) => {
  const child = fork(file, [], {
    env: environment,
    execArgv: smallMemory,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    windowsHide: true,
  } as Parameters<typeof fork>[2]);
  return {
    send(message) {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage: (listener) => void child.on("message", listener),
    onExit: (listener) => whenGone(child, listener),
    kill: () => void child.kill("SIGKILL"),
    hold(held) {
      const change = held ? "ref" : "unref";
      child[change]();
      child.channel?.[change]();
      (child.stderr as { ref?(): void; unref?(): void } | null)?.unref?.();
    },
  };
};
