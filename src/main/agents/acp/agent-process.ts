/** An outer agent's program as a child of ours: started in a group of its own, marked, watched over, and ended as a whole. */
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { hearComplaint } from "../../base/process-complaint.ts";
import { endTree } from "../../shell/end-tree.ts";
import { executionMarker } from "../../shell/environment.ts";
import { setLimitMark } from "../../shell/limit-mark.ts";
import { readLinuxProcess, startTimeOf } from "../../shell/process-table.ts";
import type { TreeRoot } from "../../shell/process-tree.ts";
import type { Shell } from "../../shell/shell.ts";

export type AgentProgram = { command: string; args: readonly string[]; cwd: string };

export type AgentProcess = {
  root: TreeRoot;
  input: WritableStream<Uint8Array>;
  output: ReadableStream<Uint8Array>;
  /** Resolves when the program has ended, with how, and what it complained of. */
  ended: Promise<string>;
  /** Whether it is known to run no more, which is so before its end was heard of: what it started may hold its output. */
  hasExited(): boolean;
  /** Begins to count what it says anew. */
  allowMore(): void;
  /** Whether it said more than it may. */
  saidTooMuch(): boolean;
  /** Ends it and everything it started. Never rejects. */
  end(): Promise<void>;
};

export type ProcessParts = {
  /** What it may see of the host's environment. */
  environment: Readonly<Record<string, string>>;
  /** By this mark it and what it starts are known, to a later host too. */
  marker: string;
  guard: Pick<Shell, "guard" | "unguard">;
  /** How much it may say before `allowMore`; then it is taken for broken. */
  mostBytes: number;
};

const graceMs = 600;

/** Behind a shell that sets a mark which nothing takes off by the way, and then becomes the program; see `setLimitMark`. */
function marked({ command, args }: AgentProgram, marker: string): [string, readonly string[]] {
  const mark = setLimitMark({ kind: "bash" }, marker, process.platform);
  return mark === "" ? [command, args] : ["/bin/sh", ["-c", `${mark}exec "$0" "$@"`, command, ...args]];
}

/** @throws Error with a sentence when it could not be started. */
export async function startAgentProcess(
  program: AgentProgram,
  { environment, marker, guard, mostBytes }: ProcessParts,
): Promise<AgentProcess> {
  const child = spawn(...marked(program, marker), {
    cwd: program.cwd,
    env: { ...environment, [executionMarker]: marker },
    // A group of its own, so that it ends as a whole and no Ctrl+C of a terminal reaches it before us.
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const complaint = hearComplaint(child.stderr);
  const ended = new Promise<string>((resolve) => {
    child.once("close", (code, signal) => resolve(complaint(signal ?? `exit code ${code}`)));
    child.once("error", (error) => resolve(complaint(error.message)));
  });
  // What is written to a program that is gone is heard of by its end.
  child.stdin.on("error", () => undefined);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program.command} could not be started: ${await ended}`);
  const root: TreeRoot = { executionId: marker, pid, startTime: startTimeOf(pid) };
  guard.guard(root);
  const counted = countBytes(mostBytes);
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= endAll();
    return ending;
  };
  // What it started goes with it: it would hold its output open, so that nobody heard of its end.
  child.once("exit", () => void end());
  return {
    root,
    input: Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    output: (Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>).pipeThrough(
      counted.stream,
    ),
    ended,
    hasExited: () =>
      child.exitCode !== null ||
      child.signalCode !== null ||
      // Nobody may have told this process yet.
      (process.platform === "linux" && readLinuxProcess(pid) === undefined),
    allowMore: counted.reset,
    saidTooMuch: counted.isOver,
    end,
  };

  async function endAll(): Promise<void> {
    child.stdin.end();
    await endTree({ ...root, isRecent: true }, { graceMs });
    guard.unguard(marker);
  }
}

/** Lets through so many bytes, then breaks off. */
function countBytes(most: number) {
  let seen = 0;
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      seen += bytes.byteLength;
      if (seen > most) controller.error(new Error("The agent said too much at once."));
      else controller.enqueue(bytes);
    },
  });
  return {
    stream,
    isOver: () => seen > most,
    reset() {
      seen = 0;
    },
  };
}
