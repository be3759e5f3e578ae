/** Checks both databases in full and takes copies of them while they are in use, away from the event loop. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileBeside } from "../base/file-beside.ts";
import { oneByOne } from "../base/one-by-one.ts";
import { listBackups } from "./open-database.ts";
import type { CheckedFile, CheckStep, DatabaseCheck, ProbeJob, ProbeNews } from "./probe-messages.ts";

export type BackupPaths = {
  /** The copy of threads, decisions and the ledger. */
  path: string;
  /** The copy of the agents' memory; absent while no agent has run. */
  checkpoints?: string;
};

export type DataInspector = {
  /** @throws the signal's reason, also when the inspector was closed meanwhile. */
  check(onStep: (step: CheckStep) => void, signal: AbortSignal): Promise<DatabaseCheck[]>;
  /** Copies both databases, one after the other call. @throws what SQLite or the file system says, with its code. */
  backUp(label: string): Promise<BackupPaths>;
  /** Ends whatever is under way; resolves when its process is gone. */
  close(): Promise<void>;
};

const keptBackups = 10;
/** The agents' memory is the large part, and an old one is of little use. */
const keptCheckpointBackups = 3;

const databases = [
  { name: "countersign.db", prefix: "countersign-", kept: keptBackups },
  { name: "checkpoints.db", prefix: "checkpoints-", kept: keptCheckpointBackups },
] as const;

/** @param dataDir whose databases stay open and in use meanwhile. */
export function createDataInspector(dataDir: string, now: () => number, forkProbe: ForkProbe): DataInspector {
  const dir = join(dataDir, "backups");
  const closing = new AbortController();
  const underway = new Set<Promise<unknown>>();
  const inTurn = oneByOne();

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined).finally(() => underway.delete(settled));
    underway.add(settled);
    return work;
  }

  async function backUp(label: string): Promise<BackupPaths> {
    closing.signal.throwIfAborted();
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(dir))
      if (name.endsWith(".partial")) rmSync(join(dir, name), { force: true });
    const stamp = new Date(now()).toISOString().replaceAll(":", "-");
    const hasCheckpoints = existsSync(join(dataDir, "checkpoints.db"));
    const target = (prefix: string) => join(dir, `${prefix}${stamp}-${label}.db`);
    // The memory first: one that lags behind its thread is made up for by replay, the other way round is not.
    const copies = [...databases].reverse().map(({ name, prefix }) => ({
      from: join(dataDir, name),
      to: target(prefix),
    }));
    await runProbe({ kind: "copy", copies }, () => undefined, closing.signal, forkProbe);
    for (const { prefix, kept } of databases)
      for (const old of listBackups(dir, prefix).slice(0, -kept)) rmSync(join(dir, old), { force: true });
    return { path: target("countersign-"), ...(hasCheckpoints && { checkpoints: target("checkpoints-") }) };
  }

  return {
    check(onStep, signal) {
      const files = databases.map(
        ({ name, prefix }): CheckedFile => ({
          name,
          path: join(dataDir, name),
          backups: listBackups(dir, prefix)
            .reverse()
            .map((backup) => join(dir, backup)),
        }),
      );
      const end = AbortSignal.any([signal, closing.signal]);
      const probed = runProbe(
        { kind: "check", files },
        (news) => news.kind === "checking" && onStep(news),
        end,
        forkProbe,
      );
      return track(probed.then((news) => (news.kind === "checked" ? news.checks : [])));
    },
    backUp(label) {
      const next = inTurn(() => backUp(label));
      return track(next);
    },
    async close() {
      closing.abort(new Error("The app is closing."));
      await Promise.all(underway);
    },
  };
}

/** @returns what a person should know and do, or `undefined` when nothing is damaged. */
export function describeDamage(checks: readonly DatabaseCheck[], dataDir: string): string | undefined {
  const damaged = checks.filter(({ state }) => state === "damaged");
  if (damaged.length === 0) return undefined;
  return damaged.map((check) => describeOne(check, dataDir)).join(" ");
}

function describeOne({ name, findings, soundBackup }: DatabaseCheck, dataDir: string): string {
  const holds =
    name === "checkpoints.db"
      ? "what the agents remember; the conversations and the record of decisions are not in it"
      : "the threads, the decisions and their record";
  const found = `${name} is damaged (${findings[0]?.replaceAll(/\s+/g, " ").slice(0, 200) ?? ""}). It holds ${holds}.`;
  const way = soundBackup
    ? `The newest sound backup is ${soundBackup}. To go back to it: close Countersign, move ${name}, ${name}-wal and ${name}-shm out of ${dataDir}, and put a copy of the backup there as ${name}. What happened after that backup is not in it.`
    : `There is no sound backup of it. Close Countersign and keep a copy of ${dataDir} before you go on; export the threads you need first, as far as they can still be read.`;
  return `${found} ${way}`;
}

/** A started process that speaks `probe-messages.ts`. Nothing here throws once it is gone. */
type ProbeProcess = {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, after the last message; also when the process could not be started. */
  onExit(listener: (why: string) => void): void;
  kill(): void;
};

/** Starts a file as a process with exactly this environment; the host passes in what its launcher can start. */
type ForkProbe = (file: string, environment: Record<string, string>) => ProbeProcess;

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
async function runProbe(
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
