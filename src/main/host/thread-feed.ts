/** The stream of one thread: a page or the missed events first, then events and coalesced deltas as they come. */
import type { ThreadEvent } from "../../shared/contract/thread-events.ts";
import type { Delta, ThreadItem } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { Changes } from "./changes.ts";
import { joinDeltas, type LiveText } from "./live-text.ts";
import { createPulse } from "./pulse.ts";

const frameMs = 33;
/** A client that is further behind gets a fresh page instead of everything it missed. */
const backlogEvents = 500;
const frameBytes = 300_000;

export type ThreadSource = { changes: Changes; log: EventLog; live: LiveText };

/** Ends when the signal aborts. `since` is the seq of the last event the client has. */
export async function* watchThread(
  source: ThreadSource,
  { threadId, since, tail }: { threadId: ThreadId; since?: number; tail: number },
  signal: AbortSignal,
): AsyncGenerator<ThreadItem> {
  let events: ThreadEvent[] = [];
  let deltas = new Map<string, Delta>();
  let overflowed = false;
  const pulse = createPulse(frameMs);
  const stop = source.changes.listen((change) => {
    if ((change.kind !== "events" && change.kind !== "delta") || change.threadId !== threadId) return;
    if (change.kind === "delta")
      deltas.set(change.delta.messageId, joinDeltas(deltas.get(change.delta.messageId), change.delta));
    else {
      events.push(...change.events);
      for (const { data } of change.events) if (data.type === "message.finished") deltas.delete(data.itemId);
    }
    if (events.length > backlogEvents) {
      overflowed = true;
      events = [];
    }
    pulse.beat();
  });
  /** Whatever was heard until now is in the page already. */
  const page = (): ThreadItem => {
    events = [];
    deltas = new Map();
    overflowed = false;
    const { items, hasMore } = source.log.page(threadId, tail);
    return {
      kind: "page",
      items,
      hasMore,
      seq: source.log.lastSeq(threadId),
      live: source.live.of(threadId),
    };
  };
  try {
    const missed = since === undefined ? undefined : source.log.since(threadId, since, backlogEvents);
    if (missed) events = missed;
    else yield page();
    pulse.beat();
    while (!signal.aborted) {
      await pulse.next(signal);
      if (overflowed) {
        yield page();
        continue;
      }
      const [newEvents, newDeltas] = [events, [...deltas.values()]];
      events = [];
      deltas = new Map();
      yield* inFrames(newEvents);
      if (newDeltas.length > 0) yield { kind: "deltas", deltas: newDeltas };
    }
  } finally {
    stop();
  }
}

function* inFrames(events: ThreadEvent[]): Generator<ThreadItem> {
  let frame: ThreadEvent[] = [];
  let bytes = 0;
  for (const event of events) {
    frame.push(event);
    bytes += JSON.stringify(event).length;
    if (bytes > frameBytes) {
      yield { kind: "events", events: frame };
      frame = [];
      bytes = 0;
    }
  }
  if (frame.length > 0) yield { kind: "events", events: frame };
}
