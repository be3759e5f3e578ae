/** The only user of node-pty: starts a program in a terminal and repairs two things node-pty 1.1.0 leaves open. */

import { readSync } from "node:fs";
import type { Socket } from "node:net";
import { constants } from "node:os";
import { type IPty, spawn } from "node-pty";
import type { CommandShell } from "../../shared/command-shell.ts";
import type { Holding } from "./confined-start.ts";
import { confinedWords } from "./confined-words.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { setLimitMark } from "./limit-mark.ts";
import { argumentsFor } from "./shell-arguments.ts";
import { makeSpawnHelperExecutable } from "./spawn-helper.ts";

makeSpawnHelperExecutable();

const drainChunkBytes = 64 * 1024;
const exitPollMs = 3;

/** How a program ended: a code, or the name of the signal that ended it. */
export type TerminalExit = {
  exitCode: number | null;
  signal: string | undefined;
};

export type Terminal = {
  readonly pid: number;
  /** As processes name it, such as `ttys003`; undefined on Windows. */
  readonly name: string | undefined;
  write(data: string): void;
  resize(cols: number, rows: number): void;
  pause(): void;
  resume(): void;
  /** Ends the program abruptly and lets go of the terminal, for one that outlived every signal. */
  abandon(): void;
};

type TerminalOptions = {
  executionId: string;
  commandShell: CommandShell;
  command: string;
  /** What holds the command; without it the command runs outside of the sandbox. */
  holding: Holding | undefined;
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  onData: (bytes: Buffer) => void;
  /** Called once, after the last byte. */
  onExit: (exit: TerminalExit) => void;
};

/** What node-pty's Unix terminal has and its types do not say. Absent on Windows. */
type UnixParts = {
  fd?: number;
  ptsName?: string;
  _socket?: Socket;
};

/**
 * A child that keeps another command's terminal open could read and type into it, and would keep it alive after this
 * process died. So it closes first what it should not have, on the same line, so that line numbers in messages stay true.
 */
function closeInherited({ closesDescriptors }: CommandShell): string {
  if (!closesDescriptors) return "";
  const closings = inheritedDescriptors.find().map((descriptor) => `${descriptor}>&-`);
  return closings.length === 0 ? "" : `exec ${closings.join(" ")}; `;
}

/** Reads what the kernel still holds. The descriptor does not block, so this ends when it is empty. */
function readRest(descriptor: number, socket: Socket): void {
  const chunk = Buffer.allocUnsafe(drainChunkBytes);
  try {
    for (;;) {
      const length = readSync(descriptor, chunk, 0, chunk.length, null);
      if (length === 0) return;
      socket.emit("data", Buffer.from(chunk.subarray(0, length)));
    }
  } catch {
    // EAGAIN: empty for now, and the program is gone. EIO: empty for good. Both mean that all was read.
  }
}

/**
 * node-pty destroys the socket 200 ms after the exit, and Node destroys it on the first EIO, both even while data is
 * waiting in a paused stream or in the kernel. Reading the rest at that moment makes the last bytes safe.
 */
function drainBeforeDestroy(descriptor: number, socket: Socket, isAlive: () => boolean): void {
  const destroy = socket.destroy;
  let drained = false;
  let waiting: NodeJS.Timeout | undefined;
  socket.destroy = (error) => {
    // A program that closes its standard streams before it ends, as rm does, makes the terminal look closed; giving it
    // up now would hang up on a program that still runs.
    if (isAlive()) {
      clearTimeout(waiting);
      waiting = setTimeout(() => socket.destroy(error), exitPollMs);
      return socket;
    }
    if (!drained) {
      drained = true;
      // `read` emits the chunk as "data" too, so the value itself is not needed.
      while (socket.read() !== null);
      readRest(descriptor, socket);
    }
    return destroy.call(socket, error);
  };
}

/** Whether the program, or what is left of it until it is reaped, is still there. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

function describeExit(exitCode: number, signal: number | undefined): TerminalExit {
  if (signal === undefined || signal === 0) return { exitCode, signal: undefined };
  return { exitCode: null, signal: signalNames.get(signal) ?? `signal ${signal}` };
}

function forward(pty: IPty, options: TerminalOptions): { abandon(): void } {
  const { fd, _socket: socket }: UnixParts = pty as IPty & UnixParts;
  if (fd !== undefined) inheritedDescriptors.addTerminal(fd);
  let ended = false;
  let abandoned = false;
  function end(exit: TerminalExit): void {
    if (ended) return;
    ended = true;
    options.onExit(exit);
  }
  if (fd !== undefined && socket !== undefined)
    drainBeforeDestroy(fd, socket, () => !abandoned && isRunning(pty.pid));
  // With `encoding: null` the chunks are buffers; the types of node-pty say string.
  pty.onData((chunk: string | Buffer) =>
    options.onData(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
  );
  pty.onExit(({ exitCode, signal }) => end(describeExit(exitCode, signal)));
  return {
    abandon() {
      abandoned = true;
      pty.kill(process.platform === "win32" ? undefined : "SIGKILL");
      socket?.destroy();
      end({ exitCode: null, signal: "SIGKILL" });
    },
  };
}

/**
 * On Windows the console comes from the library beside node-pty. With the system's own, ending a command forks a helper
 * from this program: in the packaged app that would be a second Countersign.
 */
export function consoleOf(platform: NodeJS.Platform): { useConptyDll?: true } {
  return platform === "win32" ? { useConptyDll: true } : {};
}

/** Starts `command` in a terminal of its own, as the leader of a session and of a process group. @throws if it cannot. */
export function openTerminal(options: TerminalOptions): Terminal {
  const { commandShell, executionId, command, holding } = options;
  const before = `${setLimitMark(commandShell, executionId, process.platform)}${closeInherited(commandShell)}`;
  const words = holding
    ? confinedWords(holding, commandShell, command, before)
    : argumentsFor(commandShell, `${before}${command}`, process.platform);
  const pty = spawn(commandShell.file, words, {
    name: options.env.TERM ?? "xterm-256color",
    cwd: options.cwd,
    env: options.env,
    cols: options.cols,
    rows: options.rows,
    encoding: null,
    ...consoleOf(process.platform),
  });
  const { abandon } = forward(pty, options);
  return {
    pid: pty.pid,
    name: (pty as IPty & UnixParts).ptsName?.replace(/^\/dev\//, ""),
    write: (data) => pty.write(data),
    resize: (cols, rows) => pty.resize(cols, rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    abandon,
  };
}
