/** Asks the thread that takes snapshots, in bounded time, and lets go of it when nothing has run for a while. */
import { Worker } from "node:worker_threads";
import type { SnapshotAnswer, SnapshotRequest } from "./snapshot-messages.ts";

export interface SnapshotThread {
  /** Null when there was no answer in time; the command must not wait for ever. */
  ask(request: SnapshotRequest): Promise<SnapshotAnswer | null>;
  close(): Promise<void>;
}

const maxHeapMb = 256;

/** Beside this file, as source or as built; a build has to emit it there under this name. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "snapshot-worker.ts" : "snapshot-worker.js",
  import.meta.url,
);

type Waiting = Map<number, (answer: SnapshotAnswer | null) => void>;

function startWorker(ownFolder: string, waiting: Waiting): Worker {
  const worker = new Worker(workerFile, {
    workerData: { ownFolder },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.unref();
  worker.on("message", (answer: SnapshotAnswer) => waiting.get(answer.watch)?.(answer));
  return worker;
}

/**
 * @param ownFolder real path of the app's own data, which is left out
 * @param limitMs how long one answer may take; whatever hangs is given up with all it holds
 * @param idleMs after how long without a command the thread and its copies are let go
 */
export function createSnapshotThread(ownFolder: string, limitMs: number, idleMs: number): SnapshotThread {
  const waiting: Waiting = new Map();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;
  const open = new Set<number>();
  const release = async () => {
    const old = worker;
    worker = undefined;
    clearTimeout(idle);
    open.clear();
    for (const answer of waiting.values()) answer(null);
    await old?.terminate();
  };
  const start = () => {
    const started = startWorker(ownFolder, waiting);
    const gone = () => void (worker === started && release());
    started.on("error", gone).on("exit", gone);
    return started;
  };
  const noteOpen = ({ kind, watch }: SnapshotRequest) => {
    clearTimeout(idle);
    if (kind === "before") open.add(watch);
    else open.delete(watch);
  };
  return {
    async ask(request) {
      if (closed) return null;
      worker ??= start();
      noteOpen(request);
      const { promise, resolve } = Promise.withResolvers<SnapshotAnswer | null>();
      waiting.set(request.watch, resolve);
      // The timer keeps the process alive meanwhile, which an idle worker does not.
      const limit = setTimeout(() => void release(), limitMs);
      worker.postMessage(request);
      const answer = await promise;
      clearTimeout(limit);
      waiting.delete(request.watch);
      // While a command runs, what was before it is needed.
      if (open.size === 0 && worker) idle = setTimeout(() => void release(), idleMs).unref();
      return answer;
    },
    close() {
      closed = true;
      return release();
    },
  };
}
