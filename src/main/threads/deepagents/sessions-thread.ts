/** Reads the database of the deepagents CLI in a thread of its own, one question after the other, in bounded memory. */
import { Worker } from "node:worker_threads";
import { fileBeside } from "../../base/file-beside.ts";
import { oneByOne } from "../../base/one-by-one.ts";
import { SessionsError } from "./database-copy.ts";
import type { Session, SessionThread } from "./sessions.ts";
import type { SessionsAnswered, SessionsAsked } from "./sessions-worker.ts";

const workerFile = fileBeside(import.meta.url, "sessions-worker.js");
const maxHeapMb = 1_024;

/** Each copies a whole database. */
const inTurn = oneByOne();

/** The newest first. @param folder as `~/.deepagents`. @throws SessionsError */
export function listSessionsAside(folder: string): Promise<SessionThread[]> {
  return inTurn(() => ask<SessionThread[]>({ folder }));
}

/** The messages of a thread at its newest checkpoint. @throws SessionsError */
export function readSessionAside(folder: string, thread: string): Promise<Session> {
  return inTurn(() => ask<Session>({ folder, thread }));
}

function ask<T>(asked: SessionsAsked): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const worker = new Worker(workerFile, {
    workerData: asked,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const failed = () => reject(new SessionsError("The database could not be read: it takes too much memory."));
  worker.on("message", (answered: SessionsAnswered) => {
    if ("problem" in answered) reject(new SessionsError(answered.problem));
    else resolve(answered.value as T);
  });
  worker.on("error", failed).on("exit", failed);
  // Last, because listening keeps the process alive.
  worker.unref();
  return promise;
}
