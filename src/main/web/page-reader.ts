/** Reads a page in a thread of its own with a limit on time and memory, so that no page can hold up the app. */
import { Worker } from "node:worker_threads";
import { stripTags } from "./plain-text.ts";

interface ReadablePage {
  readonly title?: string;
  readonly text: string;
}

const defaultLimitMs = 8_000;
const maxHeapMb = 512;

/** Beside this file, as source or as built; a build has to emit it there under this name. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "page-worker.ts" : "page-worker.js",
  import.meta.url,
);

/**
 * The page as light markdown; when it takes longer than `limitMs` or cannot be parsed, its text without tags.
 * @throws the signal's reason when it was aborted
 */
export async function readPageAside(
  html: string,
  base: string,
  signal: AbortSignal,
  limitMs = defaultLimitMs,
): Promise<ReadablePage> {
  signal.throwIfAborted();
  const worker = new Worker(workerFile, {
    workerData: { html, base },
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    const read = await new Promise<ReadablePage | null>((done) => {
      worker.once("message", done);
      worker.once("error", () => done(null));
      worker.once("exit", () => done(null));
      limit.addEventListener("abort", () => done(null), { once: true });
    });
    signal.throwIfAborted();
    return read ?? { text: stripTags(html) };
  } finally {
    await worker.terminate();
  }
}
