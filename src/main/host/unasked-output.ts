/** How much the commands that nobody was asked about may write to the disk: their output alone could fill it. */
import type { ThreadId } from "../../shared/ids.ts";

const mostOfCommand = 16 * 1024 * 1024;
const mostOfThread = 256 * 1024 * 1024;
/** Enough to say what a command was about. */
const leastOfCommand = 64 * 1024;

export type UnaskedOutput = {
  /** Bytes of output that the thread's next unasked command may keep. */
  roomFor(threadId: ThreadId): number;
  note(threadId: ThreadId, bytes: number): void;
};

/** Counts from the start of the host. */
export function createUnaskedOutput(): UnaskedOutput {
  const written = new Map<ThreadId, number>();
  const roomFor = (threadId: ThreadId) =>
    Math.max(leastOfCommand, Math.min(mostOfCommand, mostOfThread - (written.get(threadId) ?? 0)));
  return {
    roomFor,
    note(threadId, bytes) {
      written.set(threadId, (written.get(threadId) ?? 0) + Math.min(bytes, roomFor(threadId)));
    },
  };
}
