/** Reads pages in a thread aside with a limit on time and memory, so that no page can hold up the app. */
import { Worker } from "node:worker_threads";
import { fileBeside } from "../base/file-beside.ts";
import type { PageToRead } from "./page-worker.ts";
import { stripTags } from "./plain-text.ts";

type ReadablePage = {
  readonly title?: string;
  readonly text: string;
};

export type PageReader = {
  /**
   * The page as light markdown; when it takes longer than `limitMs` or cannot be parsed, its text without tags.
   * @throws the signal's reason when it was aborted
   */
  read(html: string, base: string, signal: AbortSignal, limitMs?: number): Promise<ReadablePage>;
};

const defaultLimitMs = 8_000;
const maxHeapMb = 512;
const defaultIdleMs = 60_000;

const workerFile = fileBeside(import.meta.url, "page-worker.js");

function startWorker(): Worker {
  const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
  // One that fails while nobody waits for it must not take the process with it.
  return worker.on("error", () => {});
}

/**
 * A reader that keeps one thread for the next page, and lets it end by itself when none came for `idleMs`. A thread is
 * ended from outside only when its page takes too long: doing that to every one can abort the whole process in Electron.
 */
export function createPageReader({ start = startWorker, idleMs = defaultIdleMs } = {}): PageReader {
  let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;

  function take(): Worker {
    if (idle === undefined) return start();
    const { worker, timer } = idle;
    clearTimeout(timer);
    idle = undefined;
    worker.ref();
    return worker;
  }

  function giveBack(worker: Worker): void {
    if (idle !== undefined) {
      worker.postMessage(null);
      return;
    }
    // Neither the thread nor the wait for it keeps the process alive.
    worker.unref();
    const timer = setTimeout(() => {
      idle = undefined;
      worker.postMessage(null);
    }, idleMs).unref();
    idle = { worker, timer };
    worker.once("exit", () => {
      if (idle?.worker === worker) idle = undefined;
    });
  }

  return {
    async read(html, base, signal, limitMs = defaultLimitMs) {
      signal.throwIfAborted();
      const worker = take();
      const answer = await ask(
        worker,
        { html, base },
        AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
      );
      if (answer === "none") await worker.terminate();
      else giveBack(worker);
      signal.throwIfAborted();
      return answer === "none" || answer === null ? { text: stripTags(html) } : answer;
    },
  };
}

/** What the thread says of the page, null when it cannot read it, "none" when it ended or the limit came first. */
function ask(worker: Worker, page: PageToRead, limit: AbortSignal): Promise<ReadablePage | null | "none"> {
  return new Promise((resolve) => {
    const finish = (answer: ReadablePage | null | "none") => {
      worker.off("message", finish).off("error", giveUp).off("exit", giveUp);
      limit.removeEventListener("abort", giveUp);
      resolve(answer);
    };
    const giveUp = () => finish("none");
    worker.on("message", finish).on("error", giveUp).on("exit", giveUp);
    limit.addEventListener("abort", giveUp);
    worker.postMessage(page);
  });
}

const shared = createPageReader();

/** Reads a page with the reader that all threads share; see `PageReader.read`. */
export const readPageAside: PageReader["read"] = (...page) => shared.read(...page);
