/** What a thread's last turn began with and whether it can be tried again, read from the host when somebody looks. */
import type { TranscriptItem } from "../../../shared/contract/transcript.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useReading } from "../../base/use-reading.ts";

type Message = Extract<TranscriptItem, { kind: "userMessage" }>;
export type LastTurn = { asked?: Message; canRetry: boolean };

/** As many items as one question to the host may bring. */
const page = 200;

/** @returns nothing until the host has answered. Where it cannot, the turn may be tried again. */
export function useLastTurn(threadId: ThreadId): LastTurn | undefined {
  const { value, problem } = useReading(threadId, () => readLastTurn(threadId));
  return problem === undefined ? value : { canRetry: true };
}

async function readLastTurn(threadId: ThreadId): Promise<LastTurn> {
  let before: number | undefined;
  let canRetry: boolean | undefined;
  for (;;) {
    const { items, hasMore } = await client().call("threads.page", {
      threadId,
      limit: page,
      ...(before !== undefined && { before }),
    });
    const end = items.findLast((item) => item.kind === "turnEnd");
    canRetry ??= end && end.retryable !== false;
    const asked = items.findLast(
      (item): item is Message => item.kind === "userMessage" && !item.queued && !item.cancelled,
    );
    const [first] = items;
    if (asked || !hasMore || !first) return { asked, canRetry: canRetry ?? true };
    before = first.position;
  }
}
