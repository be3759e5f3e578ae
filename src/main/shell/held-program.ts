/** A program of the app's own that puts something up, says when it can be looked at, and takes it down when it is let go. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { messageOf } from "../../shared/message-of.ts";

export type HeldRequest = {
  program: string;
  args: string[];
  env: Record<string, string>;
  /** What it reads from descriptor 3. */
  handed: Uint8Array;
};

/** It is killed when it is let go, and has to see to it itself that it ends with the process that started it. */
export type HeldProgram = {
  /** Its process, once it says something on descriptor 4; never, when it ended before. */
  readonly ready: Promise<number>;
  /** What it said on standard error, or why it was not started; it is gone then. */
  readonly gone: Promise<string>;
  letGo(): void;
};

/** Starts it from this process; never throws. */
export function holdProgram(request: HeldRequest): HeldProgram {
  try {
    return start(request);
  } catch (error) {
    return notStarted(messageOf(error));
  }
}

/** @returns what stands for one that there never was */
export const notStarted = (why: string): HeldProgram => ({
  ready: new Promise(() => {}),
  gone: Promise.resolve(why),
  letGo: () => {},
});

function start({ program, args, env, handed }: HeldRequest): HeldProgram {
  const child = spawn(program, args, { env, stdio: ["pipe", "ignore", "pipe", "pipe", "pipe"] });
  const complaint = Promise.withResolvers<string>();
  const ended = once(child, "exit").then(() => complaint.promise, messageOf);
  const { promise: ready, resolve } = Promise.withResolvers<number>();
  const { pid } = child;
  if (pid !== undefined) {
    const [input, , errors, given, told] = child.stdio as [Writable, null, Readable, Writable, Readable];
    for (const pipe of [input, given, told]) pipe.on("error", () => {});
    complaint.resolve(text(errors).catch(() => ""));
    given.end(handed);
    told.once("data", () => resolve(pid));
  }
  return { ready, gone: ended, letGo: () => void child.kill("SIGKILL") };
}
