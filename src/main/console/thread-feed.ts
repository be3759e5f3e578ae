/** The stream of one thread: a page or the missed events first, then events and coalesced deltas as they come. */
import type { ThreadEvent } from "../../shared/contract/thread-events.ts";
import type { Delta, ThreadItem } from "../../shared/contract/thread-reading.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { joinDeltas } from "../../shared/transcript/join-deltas.ts";
import { endOfFit, jsonBytes } from "../../shared/wire/json-bytes.ts";
import { shorten, shortenText } from "../../shared/wire/shorten.ts";
import type { Changes } from "../threads/changes.ts";
import type { EventLog } from "../threads/event-log.ts";
import type { LiveText } from "../threads/live-text.ts";
import { createPulse } from "./pulse.ts";

const frameMs = 33;
/** A client that is further behind gets a fresh page instead of everything it missed. */
const backlogEvents = 500;
const backlogBytes = 8_000_000;
const frameBytes = 400_000;
/** An event above this comes shortened, and so does each text of a message that is being written. */
const eventBytes = 128_000;
const liveBytes = 100_000;

export type ThreadSource = { changes: Changes; log: EventLog; live: LiveText };

/** An event as it is sent, and what it takes. */
type Sized = { event: ThreadEvent; bytes: number };

/** Ends when the signal aborts. `since` is the seq of the last event the client has. */
export async function* watchThread(
  source: ThreadSource,
  { threadId, since, tail }: { threadId: ThreadId; since?: number; tail: number },
  signal: AbortSignal,
): AsyncGenerator<ThreadItem> {
  let events: Sized[] = [];
  let bytes = 0;
  let deltas = new Map<string, Delta>();
  let overflowed = false;
  const pulse = createPulse(frameMs);
  const stop = source.changes.listen((change) => {
    if ((change.kind !== "events" && change.kind !== "delta") || change.threadId !== threadId) return;
    if (change.kind === "delta")
      deltas.set(change.delta.messageId, joinDeltas(deltas.get(change.delta.messageId), change.delta));
    else {
      for (const event of change.events) {
        const sized = toSized(event);
        events.push(sized);
        bytes += sized.bytes;
        if (event.data.type === "message.finished") deltas.delete(event.data.itemId);
      }
    }
    if (events.length > backlogEvents || bytes > backlogBytes) {
      overflowed = true;
      events = [];
      bytes = 0;
    }
    pulse.beat();
  });
  /** Whatever was heard until now is in the page already. */
  const page = (): ThreadItem => {
    events = [];
    bytes = 0;
    deltas = new Map();
    overflowed = false;
    const { items, hasMore } = source.log.page(threadId, tail);
    return {
      kind: "page",
      items,
      hasMore,
      seq: source.log.lastSeq(threadId),
      live: source.live.of(threadId).map(shortenDelta),
    };
  };
  try {
    const missed = since === undefined ? undefined : source.log.since(threadId, since, backlogEvents);
    if (missed) events = missed.map(toSized);
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
      bytes = 0;
      deltas = new Map();
      for (const batch of inFrames(newEvents)) yield { kind: "events", events: batch };
      if (jsonBytes(newDeltas) > frameBytes)
        for (const delta of newDeltas.flatMap(inPieces)) yield { kind: "deltas", deltas: [delta] };
      else if (newDeltas.length > 0) yield { kind: "deltas", deltas: newDeltas };
    }
  } finally {
    stop();
  }
}

function toSized(event: ThreadEvent): Sized {
  const { value, leftOut } = shorten(event, eventBytes);
  const sent = leftOut === 0 ? value : { ...value, leftOut };
  return { event: sent, bytes: jsonBytes(sent) };
}

/** Measured before it is added, so that no frame is larger than one event or the limit. */
function* inFrames(events: Sized[]): Generator<ThreadEvent[]> {
  let frame: ThreadEvent[] = [];
  let bytes = 0;
  for (const one of events) {
    if (frame.length > 0 && bytes + one.bytes > frameBytes) {
      yield frame;
      frame = [];
      bytes = 0;
    }
    frame.push(one.event);
    bytes += one.bytes;
  }
  if (frame.length > 0) yield frame;
}

/** What was written before the window opened. */
function shortenDelta({ text, reasoning, toolName, ...place }: Delta): Delta {
  const short = (written: string | undefined) =>
    written === undefined ? undefined : shortenText(written, liveBytes);
  return { ...place, text: short(text), reasoning: short(reasoning), toolName: short(toolName) };
}

/** Deltas add up, so that a long one may come in pieces that say together what it says. */
function inPieces({ text = "", reasoning = "", toolName, ...place }: Delta): Delta[] {
  const pieces: Delta[] = [];
  const name = toolName === undefined ? undefined : shortenText(toolName, liveBytes);
  for (let [at, from] = [0, 0]; at < text.length || from < reasoning.length || pieces.length === 0; ) {
    const end = endOfFit(text, liveBytes, at);
    const until = endOfFit(reasoning, liveBytes, from);
    pieces.push({
      ...place,
      text: text.slice(at, end) || undefined,
      reasoning: reasoning.slice(from, until) || undefined,
      toolName: name,
    });
    [at, from] = [end, until];
  }
  return pieces;
}
