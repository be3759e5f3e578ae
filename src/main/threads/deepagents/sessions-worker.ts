/** The thread that reads the database of the deepagents CLI, so that its size is nothing to the host's own loop. */
import { parentPort, workerData } from "node:worker_threads";
import { SessionsError } from "./database-copy.ts";
import { listSessions, readSession } from "./sessions.ts";

/** With a thread its messages are read, without one what threads there are. */
export type SessionsAsked = { folder: string; thread?: string };

/** `problem` in a sentence. */
export type SessionsAnswered = { value: unknown } | { problem: string };

const { folder, thread } = workerData as SessionsAsked;
const say = (answered: SessionsAnswered) => parentPort?.postMessage(answered);
const asked = thread === undefined ? listSessions(folder) : readSession(folder, thread);
asked.then(
  (value) => say({ value }),
  (error: unknown) =>
    say({ problem: error instanceof SessionsError ? error.message : "The database cannot be read." }),
);
