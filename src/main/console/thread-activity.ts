/** Knows what each running agent does at the moment: thinks, writes, or uses a tool, and since when. Held in memory only. */
import type { ThreadEvent } from "../../shared/contract/thread-events.ts";
import type { Activity } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { aboutCall } from "../../shared/tools/about-call.ts";
import { factsOf } from "../../shared/tools/tools.ts";
import type { Change } from "../threads/changes.ts";

export type ThreadActivity = {
  hear(change: Change): void;
  /** `undefined` while no turn runs, while all that it does is wait, and for one that nothing was heard of yet. */
  of(threadId: ThreadId): Activity | undefined;
};

type OpenCall = { tool: string; about: string; since: number; waits: boolean };
type Work = { calls: Map<string, OpenCall>; writingSince: number | undefined; since: number };

const aboutChars = 160;

/** @param onChanged called when a list would show something else; it is told of no single word. */
export function createThreadActivity(
  now: () => number,
  onChanged: (threadId: ThreadId) => void,
): ThreadActivity {
  const works = new Map<ThreadId, Work>();

  function hearEvent({ threadId, at, data }: ThreadEvent): void {
    if (data.type === "turn.finished") {
      works.delete(threadId);
      return;
    }
    const work = works.get(threadId) ?? { calls: new Map(), writingSince: undefined, since: at };
    switch (data.type) {
      case "message.sent":
        if (data.queued) return;
        break;
      case "message.dequeued":
        if (data.cancelled) return;
        break;
      case "message.finished":
        work.writingSince = undefined;
        break;
      case "toolCall.requested": {
        const about = describe(data.tool, data.args);
        work.calls.set(data.itemId, { tool: data.tool, about, since: at, waits: false });
        break;
      }
      case "approval.requested":
        change(work, data.itemId, { waits: true });
        break;
      case "execution.started":
        change(work, data.itemId, { waits: false, since: at });
        break;
      case "toolCall.finished":
        work.calls.delete(data.itemId);
        break;
      default:
        return;
    }
    work.since = at;
    works.set(threadId, work);
  }

  function of(threadId: ThreadId): Activity | undefined {
    const work = works.get(threadId);
    if (!work) return undefined;
    const running = [...work.calls.values()].filter((call) => !call.waits);
    // What a sub-agent does says more than that it was asked to.
    const own = running.filter((call) => factsOf(call.tool)?.kind !== "delegate");
    const call = own.at(-1) ?? running.at(-1);
    if (call) {
      const { tool, about, since } = call;
      return { kind: "call", tool, about, since, beside: (own.length || running.length) - 1 };
    }
    if (work.calls.size > running.length) return undefined;
    if (work.writingSince !== undefined) return { kind: "writing", since: work.writingSince };
    return { kind: "thinking", since: work.since };
  }

  return {
    hear(change) {
      if (change.kind === "delta") {
        const work = works.get(change.threadId);
        if (!work || work.writingSince !== undefined || !change.delta.text) return;
        work.writingSince = now();
        onChanged(change.threadId);
      } else if (change.kind === "events") {
        for (const event of change.events) hearEvent(event);
        onChanged(change.threadId);
      }
    },
    of,
  };
}

function change(work: Work, itemId: string, change: Partial<OpenCall>): void {
  const call = work.calls.get(itemId);
  if (call) work.calls.set(itemId, { ...call, ...change });
}

/** The first line of what the call is about, cut; a tool that nothing is known of is told by its arguments. */
function describe(tool: string, args: Record<string, unknown>): string {
  const facts = factsOf(tool);
  const about = facts ? (facts.about(args) ?? "") : aboutCall(tool, args).slice(tool.length + 1);
  const [line = "", ...more] = about.trim().split("\n");
  const short = line.slice(0, aboutChars).toWellFormed();
  return short.length < line.length || more.length > 0 ? `${short}…` : short;
}
