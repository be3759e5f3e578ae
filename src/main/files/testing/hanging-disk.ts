/** Plays the thread of snapshots on a disk with two files that never come: it hangs on each as a system call would. */
import { parentPort, workerData } from "node:worker_threads";
import { tellFile } from "../file-being-read.ts";
import type { Answered, Asked } from "../snapshot-messages.ts";

parentPort?.on("message", ({ id }: Asked) => {
  for (const path of ["/disk/first", "/disk/second"]) {
    if (workerData.hanging.includes(path)) continue;
    tellFile(workerData.beingRead, path);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
  const answer = { root: "/disk", lookedAt: 0, complete: true, changes: [] };
  workerData.to.postMessage({ id, answer } satisfies Answered);
});
