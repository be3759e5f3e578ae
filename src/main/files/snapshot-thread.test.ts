/** The thread that takes snapshots lives longer than the runs that ask it. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { SnapshotAnswer } from "./snapshot-messages.ts";
import { createSnapshotThread } from "./snapshot-thread.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";

/** Plays a disk that never answers for one file, since no real one here does: reads what it may, and hangs on the first. */
const hangingDisk = new URL("testing/hanging-disk.ts", import.meta.url);

const unheard = { onAnswer: () => undefined, onLate: () => undefined, onRelease: () => undefined };

it("waits once for a file that never comes, and looks on without it", async () => {
  const { root } = makeWorkspace();
  const thread = createSnapshotThread({
    ...unheard,
    ownFolder: root,
    limitMs: 1_000,
    idleMs: 60_000,
    file: hangingDisk,
  });
  let answer: SnapshotAnswer | null = null;
  try {
    // On a busy machine the limit may also end one that has not begun.
    while (answer === null)
      answer = await thread.ask({ kind: "before", watch: 1, root, at: 0, notBefore: 0 });
    expect(answer).toMatchObject({ root: "/disk", complete: true });
  } finally {
    await thread.close();
  }
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("keeps nothing of a run that asked it, neither while it idles nor in its ports", async () => {
  const { root } = makeWorkspace();
  const runs = new AsyncLocalStorage<object>();
  const thread = createSnapshotThread({
    ...unheard,
    ownFolder: root,
    limitMs: 60_000,
    idleMs: 3_600_000,
  });
  async function askInRun(): Promise<WeakRef<object>> {
    const knows = { messages: new Array(1_000) };
    await runs.run(knows, async () => {
      await thread.ask({ kind: "before", watch: 1, root, at: 0, notBefore: 0 });
      await thread.ask({ kind: "after", watch: 1, at: 0 });
    });
    return new WeakRef(knows);
  }
  try {
    const known = await askInRun();
    for (let look = 0; look < 20 && known.deref() !== undefined; look += 1) {
      await turnOfLoop();
      collect();
    }
    expect(known.deref()).toBeUndefined();
  } finally {
    await thread.close();
  }
});
