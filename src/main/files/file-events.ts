/**
 * Hears what happens in folders, and tells when all that happened until now was heard, or whether some of it may have
 * been lost.
 *
 * On Linux alone, where all folders that one loop watches share one queue of the kernel's, in order: an event of our own,
 * made now, is heard after all that came before it. A queue that runs over loses what does not fit, and Node does not tell.
 * But it then held all that it can hold, and that is heard and counted.
 */
import { mkdirSync, readFileSync, rmdirSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { oneByOne } from "../base/one-by-one.ts";

export type FileEvents = {
  /**
   * Hears of what happens to the entries of a folder, and under an empty name of what happens to itself, until it is closed.
   * @param folder its path with a `/` at the end; Node tells of the folder by what comes after that
   * @throws the system's error, or an Error once as many folders are watched as may be
   */
  watch(folder: string, hear: (name: string) => void): { close(): void };
  /** Resolves when all that happened before was heard or counts as lost. */
  settled(): Promise<void>;
  /** How often something may have been lost until now. */
  losses(): number;
};

/** What may be used of the system. */
export type EventLimits = {
  readonly folders: number;
  /** So many events at a time say that the queue may have been full. */
  readonly events: number;
  /** How long an event of our own may take. */
  readonly ownEventMs: number;
};

/** Of what the system allows all programs of a user together, so that enough is left to the others. */
const shareOfFolders = 0.25;
/** Each takes some memory, here and in the kernel. */
const mostFolders = 10_000;
/** Our own event may stand anywhere in a queue that is full, so at least half of it is counted in one go. */
const shareOfQueue = 0.25;
/** Only a machine that was stopped takes longer than a few ms. */
const ownEventMs = 2_000;

function readLimit(name: string): number {
  return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, "utf8"));
}

function systemLimits(): EventLimits {
  return {
    folders: Math.min(mostFolders, readLimit("max_user_watches") * shareOfFolders),
    events: readLimit("max_queued_events") * shareOfQueue,
    ownEventMs,
  };
}

/**
 * @param ownFolder a folder to make events in; what is there is deleted
 * @returns null where the system cannot do this
 */
export function createFileEvents(ownFolder: string, limits?: EventLimits): FileEvents | null {
  if (process.platform !== "linux") return null;
  try {
    rmSync(ownFolder, { recursive: true, force: true });
    mkdirSync(ownFolder, { recursive: true, mode: 0o700 });
    return openEvents(ownFolder, limits ?? systemLimits());
  } catch {
    return null;
  }
}

function openEvents(ownFolder: string, limits: EventLimits): FileEvents {
  let watched = 0;
  let heard = 0;
  let losses = 0;
  let asked = 0;
  let hearOwn: (name: string | null) => void = () => undefined;
  const lose = () => {
    losses += 1;
  };
  const own = watch(ownFolder, { persistent: false }, (_, name) => hearOwn(name));
  own.on("error", lose);
  const inTurn = oneByOne();
  const settle = async () => {
    asked += 1;
    const mine = String(asked);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const limit = setTimeout(resolve, limits.ownEventMs, false);
    hearOwn = (name) => name === mine && resolve(true);
    try {
      mkdirSync(join(ownFolder, mine), 0o700);
      rmdirSync(join(ownFolder, mine));
    } catch {
      resolve(false);
    }
    const came = await promise;
    clearTimeout(limit);
    if (!came || heard >= limits.events) lose();
    heard = 0;
  };
  return {
    watch(folder, hear) {
      if (watched >= limits.folders) throw new Error("as many folders are watched as may be");
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        heard += 1;
        if (name === null) lose();
        else hear(name);
      });
      watched += 1;
      watcher.on("error", lose);
      return {
        close() {
          watched -= 1;
          watcher.close();
        },
      };
    },
    settled: () => inTurn(settle),
    losses: () => losses,
  };
}
