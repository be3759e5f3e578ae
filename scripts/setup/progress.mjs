/** Shows that something long goes on, and ends it when nothing has moved for too long. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const quietMs = 3_000;
const lineEveryMs = 10_000;
const lookEveryMs = 1_000;

/**
 * Does something that may take long. After three seconds a line says how long it has taken so far; in a terminal the line
 * is drawn anew each second, elsewhere it is written every ten.
 *
 * `measure` returns anything that changes while the work goes on, `detail` words for it. Without a change for `stallMs`
 * the work is asked to end by its signal. Resolves to what the work resolves to, and whether it was ended.
 */
export async function withProgress({ what, work, measure, detail = () => "", stallMs }, options = {}) {
  const { stream = process.stderr, now = Date.now } = options;
  const stall = new AbortController();
  const line = createLine(stream, what, now);
  let last = measure?.();
  let changedAt = now();
  const timer = setInterval(() => {
    const current = measure?.();
    if (current !== last) {
      last = current;
      changedAt = now();
    }
    if (stallMs !== undefined && now() - changedAt > stallMs) stall.abort();
    line.draw(detail(current));
  }, lookEveryMs);
  try {
    return { result: await work(stall.signal), isStalled: stall.signal.aborted };
  } finally {
    clearInterval(timer);
    line.end();
  }
}

function createLine(stream, what, now) {
  const startedAt = now();
  let writtenAt;
  return {
    draw(detail) {
      const elapsed = now() - startedAt;
      if (elapsed < quietMs) return;
      const text = `countersign: ${what}: ${Math.round(elapsed / 1000)} s${detail && `, ${detail}`}`;
      if (stream.isTTY) stream.write(`\r${text}\u001b[K`);
      else if (writtenAt === undefined || now() - writtenAt >= lineEveryMs) stream.write(`${text}\n`);
      else return;
      writtenAt = now();
    },
    end() {
      if (stream.isTTY && writtenAt !== undefined) stream.write("\n");
    },
  };
}

/** Bytes of all files in a folder, 0 when it is not there; what goes away meanwhile is not counted. */
export function bytesIn(folder) {
  let sum = 0;
  for (const name of namesIn(folder, { recursive: true })) {
    try {
      sum += statSync(join(folder, name)).size;
    } catch {
      // It was moved or removed since the folder was read.
    }
  }
  return sum;
}

/** How many entries a folder has, 0 when it is not there. */
export function entriesIn(folder) {
  return namesIn(folder).length;
}

function namesIn(folder, options) {
  try {
    return readdirSync(folder, options);
  } catch {
    return [];
  }
}
