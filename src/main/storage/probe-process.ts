/** Starts the process that reads whole databases, and ends it at once when nobody waits for it any more. */
import { fileURLToPath } from "node:url";
import { fileBeside } from "../base/file-beside.ts";
import type { ProbeJob, ProbeNews } from "./probe-messages.ts";

/** A started process that speaks `probe-messages.ts`. Nothing here throws once it is gone. */
export type ProbeProcess = {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, after the last message; also when the process could not be started. */
  onExit(listener: (why: string) => void): void;
  kill(): void;
};

/** Starts a file as a process with exactly this environment; the host passes in what its launcher can start. */
export type ForkProbe = (file: string, environment: Record<string, string>) => ProbeProcess;

const probeFile = fileURLToPath(fileBeside(import.meta.url, "database-probe.js"));

/** What the process may know of the host's environment: enough to start, nothing of keys. */
const passedOn = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SystemRoot", "LD_LIBRARY_PATH"];

type LastNews = Extract<ProbeNews, { kind: "checked" | "copied" }>;

/**
 * Runs one job in a process of its own.
 * @param onNews told of every step before the last.
 * @returns the last news, when the process is gone.
 * @throws the signal's reason when it aborted, or an Error with SQLite's code when the job failed.
 */
export async function runProbe(
  job: ProbeJob,
  onNews: (news: ProbeNews) => void,
  signal: AbortSignal,
  forkProbe: ForkProbe,
): Promise<LastNews> {
  signal.throwIfAborted();
  const environment = passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const probe = forkProbe(probeFile, Object.fromEntries(environment) as Record<string, string>);
  const gone = new Promise<string>((resolve) => probe.onExit(resolve));
  const end = () => probe.kill();
  signal.addEventListener("abort", end, { once: true });
  try {
    const last = await new Promise<ProbeNews>((resolve, reject) => {
      probe.onMessage((message) => {
        const news = message as ProbeNews;
        if (news.kind === "checking") onNews(news);
        else resolve(news);
      });
      void gone.then((why) => reject(new Error(`The process that reads the databases ended early: ${why}.`)));
      probe.send(job);
    }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
    if (last.kind === "failed") throw Object.assign(new Error(last.message), { code: last.code });
    return last as LastNews;
  } finally {
    signal.removeEventListener("abort", end);
    end();
    await gone;
  }
}
