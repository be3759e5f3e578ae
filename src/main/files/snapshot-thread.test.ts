/** The thread that takes snapshots lives longer than the runs that ask it. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createSnapshotThread } from "./snapshot-thread.ts";
import { makeWorkspace } from "./test-workspace.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

it("keeps nothing of a run that asked it, neither while it idles nor in its ports", async () => {
  const { root } = makeWorkspace();
  const runs = new AsyncLocalStorage<object>();
  const thread = createSnapshotThread(
    root,
    60_000,
    3_600_000,
    () => undefined,
    () => undefined,
  );
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
