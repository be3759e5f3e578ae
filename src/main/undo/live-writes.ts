/** Knows what commands that still run wrote so far, which stands in no journal before they end. */
import type { ExecutionId, ThreadId } from "../../shared/ids.ts";
import type { WhileRunning } from "../files/running-looks.ts";
import type { WrittenPath } from "./written-paths.ts";

/** Whoever holds threads' writes against each other. */
export type LiveListener = {
  /** Whether anybody else could write what a command of this thread does, or did since it began. */
  isWanted(threadId: ThreadId, began: number): boolean;
  heard(threadId: ThreadId): void;
};

export type LiveWrites = {
  /** @param began the step of the command */
  ofCommand(threadId: ThreadId, executionId: ExecutionId, began: number): WhileRunning;
  /** All that was seen of each path, in order. */
  of(threadId: ThreadId): WrittenPath[];
  byOthers(threadId: ThreadId, paths: readonly string[]): WrittenPath[];
  /** There is one. */
  listen(listener: LiveListener): void;
};

/** Of a file that is written all the time; it was told of by then. */
const mostVersions = 20;

type Running = { readonly threadId: ThreadId; readonly byPath: Map<string, WrittenPath[]> };

/** @param nextStep what comes after all steps that were begun */
export function createLiveWrites(nextStep: () => number): LiveWrites {
  const running = new Map<ExecutionId, Running>();
  let listener: LiveListener | undefined;
  return {
    ofCommand(threadId, executionId, began) {
      return {
        isWanted: () => listener?.isWanted(threadId, began) ?? false,
        tell(changes) {
          const { byPath } = running.get(executionId) ?? { byPath: new Map<string, WrittenPath[]>() };
          running.set(executionId, { threadId, byPath });
          const step = nextStep();
          for (const { path, hash } of changes) {
            const versions = [...(byPath.get(path) ?? []), { threadId, path, hash, step, began }];
            byPath.set(path, versions.slice(-mostVersions));
          }
          listener?.heard(threadId);
        },
        end: () => void running.delete(executionId),
      };
    },
    of: (threadId) =>
      [...running.values()].flatMap((one) =>
        one.threadId === threadId ? [...one.byPath.values()].flat() : [],
      ),
    byOthers: (threadId, paths) =>
      [...running.values()].flatMap((one) =>
        one.threadId === threadId ? [] : paths.flatMap((path) => one.byPath.get(path) ?? []),
      ),
    listen(one) {
      listener = one;
    },
  };
}
