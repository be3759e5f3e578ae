/** Runs a command in an overlay over its workspace: what it writes lies in bounded memory, and the workspace stays as it is. */
import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import { isKernelSince } from "../base/kernel-since.ts";
import { checkMounts, type Fence, writablePlaces } from "../sandbox/confinement.ts";
import { findProgram } from "../shell/find-program.ts";
import type { HeldProgram, HeldRequest } from "../shell/held-program.ts";
import { argumentsFor } from "../shell/shell-arguments.ts";

export type OverlayBounds = {
  /** Of all that it writes: files, its `/tmp` and what it prints. */
  readonly bytes: number;
  readonly files: number;
  readonly processes: number;
  readonly ms: number;
};

export type OverlayRun = {
  /** The program of bubblewrap. */
  readonly program: string;
  readonly fences: readonly Fence[];
  /** The filter of system calls. */
  readonly filter: Uint8Array;
  readonly workspace: string;
  /** An empty folder of the app's own, hidden from the command by its fences. */
  readonly scratch: string;
  readonly shell: CommandShell;
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly bounds: OverlayBounds;
  readonly signal: AbortSignal;
  /** Starts what puts it up. */
  hold(request: HeldRequest): Promise<HeldProgram>;
};

/** It ran to its end and all its processes are gone; what it wrote can be looked at until `close`. */
export type OverlayEnd = {
  readonly exitCode: number;
  /** What it printed: its beginning, and of what follows the end. */
  readonly output: { readonly head: Buffer; readonly tail: Buffer; readonly bytes: number };
  /** What it wrote, and the workspace as it was for it at its end; both are folders. */
  readonly upper: string;
  readonly merged: string;
  /** The workspace itself, whatever has its path by then. */
  readonly lower: string;
  close(): Promise<void>;
};

/** Why there is nothing to look at, as a sentence. */
export type NotRun = { readonly why: string };

/** From this kernel on a namespace has a bound of its own on processes, for root too; before, the same file is the machine's. */
const hasOwnPidMax = isKernelSince(6, 14);

/**
 * Runs as root of namespaces of its own: puts up the memory and the overlay, runs bubblewrap on it, and holds both until its
 * input ends. The workspace is mounted under a plain name, since options of mounts read some characters of paths. Whatever
 * the host has open besides is none of the command's business.
 */
const putUp = `
set -e
for each in /proc/self/fd/*; do each=\${each##*/}; [ "$each" -le 4 ] || exec {each}>&-; done
own=$PATH PATH=/usr/sbin:/usr/bin:/sbin:/bin
scratch=$1 workspace=$2 mode=$3 bytes=$4 files=$5 processes=$6 most=$7; shift 7
mount -t tmpfs -o "size=$bytes,nr_inodes=$files,mode=700" rehearsal "$scratch"
cd "$scratch"
mkdir -m 755 lower upper work tmp shm
[ "$mode" = 755 ] || chmod "$mode" upper
mount --bind "$workspace" lower
mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr rehearsal "$workspace"
[ -z "$most" ] || echo "$most" > /proc/sys/kernel/pid_max
ulimit -c 0 -u "$processes"
set +e
PATH=$own "$@" </dev/null >out 2>&1 4>&- 5>status 7>mark
echo over >&4
read -r _
`;

/** Beside the command: the shells around it, what puts it up, and bubblewrap's own. */
const ownProcesses = 8;
/** The kernel takes no smaller bound for a namespace. */
const leastPidMax = 301;
const systemPath = "/usr/bin:/bin";

/** The words after the first program. Nothing of the command is read by a shell outside of what holds it. */
function wordsOf(run: OverlayRun, unshare: string): string[] {
  const { program, fences, workspace, scratch, shell, command, bounds } = run;
  const processes = bounds.processes + ownProcesses;
  const numbers = [bounds.bytes, bounds.files, processes].map(String);
  const writable = writablePlaces(fences);
  const mode = (statSync(workspace).mode & 0o7777).toString(8);
  const start = (script: string) => argumentsFor(shell, script, "linux") as string[];
  const most = hasOwnPidMax ? String(Math.max(leastPidMax, processes)) : "";
  return [
    ...["--pdeathsig", "KILL", unshare, "--user", "--map-root-user", "--mount", "--pid", "--fork"],
    ...["--kill-child", "--mount-proc", "/bin/bash", "--noprofile", "--norc", "-c", putUp, "rehearsal"],
    ...[scratch, workspace, mode, ...numbers, most],
    ...[program, "--uid", String(process.getuid?.()), "--gid", String(process.getgid?.()), ...fences.flat()],
    ...["--seccomp", "3", "--json-status-fd", "5", "--"],
    ...[shell.file, ...start(inside), "inside", String(writable.length), ...writable],
    ...[shell.file, ...start(command)],
  ];
}

/** Makes the mark that the command has begun, when nothing can be written but what should be. */
const inside = `${checkMounts}; echo begun >&7; exec "$@" 7>&-`;

/**
 * The fences of a confined command, with its `/tmp` and `/dev/shm` in the bounded memory and nothing to be made in `/dev`.
 * @throws when they are not as known, since something would stay unbounded
 */
export function fencesInOverlay(fences: readonly Fence[], scratch: string): Fence[] {
  const bind = (name: string, to: string): Fence => ["--bind", join(scratch, name), to];
  const isTmp = (fence: Fence) => fence.join(" ") === "--tmpfs /tmp";
  const last = fences.at(-1);
  if (!fences.some(isTmp) || last?.[0] !== "--chdir") throw new Error("what holds a command is not as known");
  const own = fences.slice(0, -1).map((fence) => (isTmp(fence) ? bind("tmp", "/tmp") : fence));
  return [...own, bind("shm", "/dev/shm"), ["--remount-ro", "/dev"], last];
}

/** Never rejects. When there is nothing to look at, no process of it is left. */
export async function runInOverlay(run: OverlayRun): Promise<OverlayEnd | NotRun> {
  const [setpriv, unshare] = [findProgram("setpriv", systemPath), findProgram("unshare", systemPath)];
  if (setpriv === undefined || unshare === undefined)
    return { why: "This needs the programs setpriv and unshare of util-linux, which are not there." };
  if (process.getuid?.() === 0 && !hasOwnPidMax)
    return { why: "As root, this system cannot bound how many processes it starts." };
  const held = await run.hold({
    program: setpriv,
    args: wordsOf(run, unshare),
    env: { ...run.env },
    handed: run.filter,
  });
  const close = async () => {
    held.letGo();
    await held.gone;
  };
  const patience = waitAtMost(run.bounds.ms, run.signal);
  const first = await Promise.race([held.ready, held.gone, patience.over]);
  patience.done();
  const end = typeof first === "number" ? await readEnd(first, run) : undefined;
  if (end !== undefined && !("why" in end)) return { ...end, close };
  await close();
  if (end !== undefined) return end;
  return typeof first === "object" ? first : { why: notPutUp(String(first)) };
}

function waitAtMost(ms: number, signal: AbortSignal): { over: Promise<NotRun>; done(): void } {
  const { promise, resolve } = Promise.withResolvers<NotRun>();
  const onAbort = () => resolve({ why: "It was given up." });
  const timer = setTimeout(() => resolve({ why: `It did not end within ${ms / 1000} seconds.` }), ms);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const done = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  };
  return { over: promise, done };
}

function notPutUp(said: string): string {
  const why = said.trim().split("\n").at(-1)?.slice(0, 300);
  return `No overlay can be put over the folder here: ${why || "what puts it up said nothing"}.`;
}

/** How much of what it printed is read, from each end. */
const readBytes = 64 * 1024;

async function readEnd(
  pid: number,
  { scratch, workspace }: OverlayRun,
): Promise<Omit<OverlayEnd, "close"> | NotRun> {
  const root = `/proc/${pid}/root`;
  const at = (name: string) => root + join(scratch, name);
  try {
    const output = await readEnds(at("out"));
    const status = await readEnds(at("status"));
    const mark = await readEnds(at("mark"));
    const code = /"exit-code"\s*:\s*(\d+)/.exec(status.head.toString())?.[1];
    if (code === undefined || mark.bytes === 0) return { why: notPutUp(output.head.toString()) };
    return {
      ...{ exitCode: Number(code), output },
      ...{ upper: at("upper"), merged: root + workspace, lower: at("lower") },
    };
  } catch (error) {
    return { why: notPutUp(String(error)) };
  }
}

async function readEnds(path: string): Promise<OverlayEnd["output"]> {
  const file = await open(path, "r");
  try {
    const { size: bytes } = await file.stat();
    const part = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    const length = Math.min(bytes, readBytes);
    const from = Math.max(length, bytes - readBytes);
    return { head: await part(0, length), tail: await part(from, bytes - from), bytes };
  } finally {
    await file.close();
  }
}
