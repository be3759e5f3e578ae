/** How much the commands that nobody was asked about may write to the disk: their output alone could fill it. */
import type { ThreadId } from "../../shared/ids.ts";

const mostOfThread = 256 * 1024 * 1024;
/** Each command may take this part of what is left, so that all of them together never take more than there is. */
const partOfRest = 1 / 16;

export type UnaskedOutput = {
  /** Bytes of output that the thread's next unasked command may keep. */
  roomFor(threadId: ThreadId): number;
  note(threadId: ThreadId, bytes: number): void;
};

/** Counts from the start of the host. */
export function createUnaskedOutput(): UnaskedOutput {
  const written = new Map<ThreadId, number>();
  const roomFor = (threadId: ThreadId) =>
    Math.floor((mostOfThread - (written.get(threadId) ?? 0)) * partOfRest);
  return {
    roomFor,
    note(threadId, bytes) {
      written.set(threadId, (written.get(threadId) ?? 0) + Math.min(bytes, roomFor(threadId)));
    },
  };
}
