/** Has a thread give back the memory that its start left behind, once it rests. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Nobody has asked anything of the thread for so long. */
const restMs = 40;

/**
 * V8 collects when a heap has grown to a multiple of what it began with. That of a thread which needs little never does: it
 * keeps some 4 MB that were only needed to load it. Collected once, that takes the thread some 15 ms.
 * @returns to be called whenever the thread has begun or done something; the first call begins the first rest
 */
export function giveBackAtRest(collect: () => void = collectNow): () => void {
  let isDone = false;
  let rest: NodeJS.Timeout | undefined;
  const begin = () => {
    isDone = true;
    collect();
  };
  return () => {
    clearTimeout(rest);
    if (!isDone) rest = setTimeout(begin, restMs).unref();
  };
}

/** There is no other way to V8's collector than its flag for tests, which counts in the whole process for contexts that are made from now on. */
function collectNow(): void {
  setFlagsFromString("--expose-gc");
  // Missing where another thread took the flag back meanwhile; what is kept then is only memory.
  const collect: ((how: object) => void) | undefined = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  // Without this flavor the pages that became empty are kept.
  collect?.({ type: "major", execution: "sync", flavor: "last-resort" });
}
