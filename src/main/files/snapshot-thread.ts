/** Asks the thread that takes snapshots, in bounded time, and lets go of it when nothing has run for a while. */
import { AsyncLocalStorage } from "node:async_hooks";
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { fileBeside } from "../base/file-beside.ts";
import { askFile, createFileBeingRead, type FileBeingRead } from "./file-being-read.ts";
import {
  type Answered,
  type Asked,
  type SnapshotAnswer,
  type SnapshotRequest,
  unasked,
} from "./snapshot-messages.ts";

export type SnapshotThread = {
  /** Null when there was no answer in time; the command must not wait for ever. */
  ask(request: SnapshotRequest): Promise<SnapshotAnswer | null>;
  /** Hears what has been answered by now; a busy event loop may take long to come to it. */
  hearNow(): void;
  close(): Promise<void>;
};

const maxHeapMb = 256;

const workerFile = fileBeside(import.meta.url, "snapshot-worker.js");

type Started = { worker: Worker; answers: MessagePort; beingRead: FileBeingRead };

type WorkerData = { ownFolder: string; hanging: string[] };

function startWorker(file: URL, data: WorkerData, hear: (answered: Answered) => void): Started {
  const { port1: answers, port2: to } = new MessageChannel();
  // A thread that was given up may wake later, and must not tell its file as that of the next one.
  const beingRead = createFileBeingRead();
  const worker = new Worker(file, {
    workerData: { ...data, beingRead, to },
    transferList: [to],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.unref();
  answers.on("message", hear);
  answers.unref();
  return { worker, answers, beingRead };
}

type ThreadParts = {
  /** Real path of the app's own data, which is left out. */
  readonly ownFolder: string;
  /** How long one answer may take; whatever hangs is given up with all it holds. */
  readonly limitMs: number;
  /** After how long without a command the thread and its copies are let go. */
  readonly idleMs: number;
  /** Told of each answer before whoever asked. */
  onAnswer(answer: SnapshotAnswer): void;
  /** Told of what was found once a workspace was quiet. */
  onLate(answer: SnapshotAnswer): void;
  /** Told when all looks so far are gone. */
  onRelease(): void;
  /** The code of the thread. */
  readonly file?: URL;
};

/** A thread that starts with the first that is asked of it. */
export function createSnapshotThread(parts: ThreadParts): SnapshotThread {
  const { ownFolder, limitMs, idleMs, file = workerFile } = parts;
  /** Files that a look was given up on; the next ones go on without them. */
  const hanging: string[] = [];
  let newest = 0;
  /** A timer or a port that is made in a run keeps what the run knew, every message of it, for as long as it lives. */
  const outsideOfRuns = AsyncLocalStorage.snapshot();
  const waiting = new Map<number, (answer: SnapshotAnswer | null) => void>();
  let current: Started | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;
  const open = new Set<number>();
  const release = async () => {
    const old = current;
    current = undefined;
    clearTimeout(idle);
    open.clear();
    parts.onRelease();
    for (const answer of waiting.values()) answer(null);
    old?.answers.close();
    await old?.worker.terminate();
  };
  const hear = ({ id, answer }: Answered) => {
    if (id === unasked) return parts.onLate(answer);
    parts.onAnswer(answer);
    waiting.get(id)?.(answer);
  };
  const start = () => {
    const started = startWorker(file, { ownFolder, hanging }, hear);
    const gone = () => void (current === started && release());
    started.worker.on("error", gone).on("exit", gone);
    return started;
  };
  const noteOpen = (request: SnapshotRequest) => {
    clearTimeout(idle);
    if (request.kind === "before") open.add(request.watch);
    if (request.kind === "after") open.delete(request.watch);
  };
  return {
    async ask(request) {
      if (closed) return null;
      current ??= outsideOfRuns(start);
      noteOpen(request);
      const { promise, resolve } = Promise.withResolvers<SnapshotAnswer | null>();
      newest += 1;
      const id = newest;
      waiting.set(id, resolve);
      // The timer keeps the process alive meanwhile, which an idle worker does not.
      const limit = setTimeout(() => {
        const path = current && askFile(current.beingRead);
        if (path !== undefined) hanging.push(path);
        void release();
      }, limitMs);
      current.worker.postMessage({ id, request } satisfies Asked);
      const answer = await promise;
      clearTimeout(limit);
      waiting.delete(id);
      // While a command runs, what was before it is needed.
      if (open.size === 0 && current)
        idle = outsideOfRuns(() => setTimeout(() => void release(), idleMs).unref());
      return answer;
    },
    hearNow() {
      if (!current) return;
      const { answers } = current;
      for (let got = receiveMessageOnPort(answers); got; got = receiveMessageOnPort(answers))
        hear(got.message);
    },
    close() {
      closed = true;
      return release();
    },
  };
}
