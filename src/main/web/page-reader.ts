/** Reads pages in a thread aside with a limit on time and memory, and in one pass those that are too odd or large for it. */
import { Worker } from "node:worker_threads";
import { fileBeside } from "../base/file-beside.ts";
import type { PageToRead } from "./page-worker.ts";

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

const hidden = new Set(["script", "style", "noscript", "template", "svg"]);
const inline = new Set("a b i em strong span code small sub sup u mark abbr".split(" "));
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Where the page goes on after the tag at `start`; the end of the page when it is never closed. */
function skipTag(html: string, start: number, name: string): number {
  const isComment = html.startsWith("<!--", start);
  const close = html.indexOf(isComment ? "-->" : ">", start);
  if (close === -1) return html.length;
  if (isComment) return close + 3;
  if (!hidden.has(name) || html.startsWith("</", start)) return close + 1;
  const end = html.indexOf(`</${name}`, close);
  return end === -1 ? html.length : end;
}

/** The text between the tags, in time proportional to its length; a new line wherever a block begins or ends. */
export function stripTags(html: string): string {
  const parts: string[] = [];
  // toLowerCase() can change the length of a text, and with it every position.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf("<", at);
    parts.push(html.slice(at, tag === -1 ? html.length : tag));
    if (tag === -1) break;
    if (!/[a-z/!?]/.test(lower[tag + 1] ?? "")) {
      parts.push("<");
      at = tag + 1;
      continue;
    }
    const name = /^<\/?([a-z][a-z0-9]*)/.exec(lower.slice(tag, tag + 20))?.[1] ?? "";
    if (!inline.has(name)) parts.push("\n");
    at = skipTag(lower, tag, name);
  }
  const lines = decodeEntities(parts.join("")).split("\n");
  return lines
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => line !== "")
    .join("\n");
}
