/** Draws what an outer agent tells during a turn into the thread: text, reasoning, calls and plan, each bounded. */
import type { SessionNotification, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { aboutOuterCall, type OuterCall } from "../../../shared/contract/outer-agents.ts";
import type { ThreadEventData, Todo } from "../../../shared/contract/thread-events.ts";
import { outerToolPrefix } from "../../../shared/tools/tools.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import { bareCall, type GatedCall } from "../../gate/call.ts";
import { announceCall, finishCall } from "../../gate/record.ts";
import type { SourceServices, Work } from "../source.ts";
import { againstAnswer } from "./against-answer.ts";
import {
  kindOfCall,
  mergeCall,
  nothingSaid,
  resultOfCall,
  type SaidOfCall,
  toOuterCall,
} from "./merge-call.ts";
import { tellThread } from "./tell-thread.ts";
import { ActedPast, type Tripwire } from "./tripwire.ts";
import { TurnBounds, TurnText, tooMuch } from "./turn-text.ts";

type Update = SessionNotification["update"];

/** A call from the first that is told of it to its end; the same id after its end is another call. */
export type DrawnCall = {
  said: SaidOfCall;
  readonly itemId: string;
  readonly toolCallId: string;
  /** Resolves with what the agent reports when it says that the call is over. */
  readonly over: Promise<{ ok: boolean; text: string }>;
  readonly isOver: boolean;
  /** As a person said yes to it. */
  allowed?: OuterCall;
  /** Called after whatever is said of it. */
  onSaid(): void;
};

type OpenCall = DrawnCall & { end(ok: boolean): void; isOver: boolean; isContrary?: true };

/** Each is an item of the thread. */
const mostCalls = 1_000;
const mostSteps = 200;
const mostStepBytes = 2_000;
const mostIdChars = 200;

/** The thread's side of one turn of an outer agent. */
export class TurnDrawing {
  readonly bounds = new TurnBounds();
  readonly #place: Pick<GatedCall, "threadId" | "turnId" | "parentItemId" | "agentPath">;
  readonly #agent: string;
  readonly #services: Pick<SourceServices, "journal" | "onDelta">;
  readonly #calls = new Map<string, OpenCall>();
  /** Items of calls that pass the gate, which ends them in the thread. */
  readonly #asked = new Set<string>();
  readonly #texts: TurnText;
  readonly #nextId: () => string;
  readonly #tripwire: Tripwire | undefined;
  readonly #isHeld: boolean;

  /**
   * @param agent the name of the agent, which stands with each of its calls.
   * @param tripwire set where the agent was given our tools
   * @param isHeld whether an act past them ends the turn
   */
  constructor(
    { thread, turn }: Work,
    agent: string,
    services: SourceServices,
    tripwire?: Tripwire,
    isHeld = false,
  ) {
    this.#tripwire = tripwire;
    this.#isHeld = isHeld;
    this.#place = { threadId: thread.id, turnId: turn.id, parentItemId: undefined, agentPath: [] };
    this.#agent = agent;
    this.#services = services;
    const base = `${turn.id}:outer:${services.journal.log.lastSeq(thread.id)}`;
    this.#nextId = () => `${base}:${this.bounds.countItem()}`;
    this.#texts = new TurnText(this.#place, services, this.#nextId);
  }

  /** Takes what the agent tells. @throws TurnStopped when it is more than a turn may hold */
  hear(update: Update): void {
    const { sessionUpdate: what } = update;
    if (what === "agent_message_chunk" && update.content.type === "text")
      this.#texts.write({ text: update.content.text });
    else if (what === "agent_thought_chunk" && update.content.type === "text")
      this.#texts.write({ reasoning: update.content.text });
    else if (what === "tool_call" || what === "tool_call_update") this.#hearCall(update);
    else if (what === "plan") this.#hearPlan(update.entries);
  }

  /** The call of this id that is not over, with what the request says of it. @throws TurnStopped as `hear` does */
  callOf(update: ToolCallUpdate): DrawnCall {
    this.bounds.assertReadable(update);
    this.#texts.finish();
    const known = this.#calls.get(update.toolCallId);
    // One id asked about twice at once is two calls.
    const isTwice = known !== undefined && !known.isOver && this.#asked.has(known.itemId);
    const call = isTwice ? this.#newCall(update.toolCallId) : this.#openCall(update.toolCallId);
    call.said = mergeCall(isTwice ? known.said : call.said, update);
    this.#asked.add(call.itemId);
    return call;
  }

  /** A call came to our door. @param tool by the name that the agent knows */
  noteCall(tool: string): void {
    this.#tripwire?.noteCall(tool);
  }

  /** A call of one of our tools, which the gate announces in the thread and ends there. */
  toTaken(tool: string, args: Record<string, unknown>): GatedCall {
    this.#texts.finish();
    const itemId = this.#nextId();
    return bareCall({ ...this.#place, key: itemId, itemId, toolCallId: itemId, tool, args });
  }

  /** The call as the gate is asked about it; that announces it in the thread. */
  toGated(call: DrawnCall, key: string, args: Record<string, unknown>): GatedCall {
    return bareCall({
      ...this.#place,
      key,
      itemId: call.itemId,
      toolCallId: call.toolCallId,
      tool: `${outerToolPrefix}${kindOfCall(call.said)}`,
      args,
    });
  }

  /** Writes down what was said until now and ends the calls that nobody heard the end of. @throws ActedPast as `hear` does */
  close(): void {
    this.#texts.finish();
    const past = [...this.#calls.values()].find(
      ({ isOver, toolCallId }) => this.#isHeld && !isOver && this.#tripwire?.isPastAtEnd(toolCallId),
    );
    for (const call of this.#calls.values()) {
      if (call.isOver) continue;
      call.end(true);
      if (this.#services.journal.log.hasItem(this.#place.threadId, call.itemId))
        this.#endInThread(call, true, "The agent did not say how this ended.");
    }
    if (past) throw this.#actedPast(past);
  }

  #hearCall(update: ToolCallUpdate): void {
    this.bounds.assertReadable(update);
    this.#texts.finish();
    const call = this.#openCall(update.toolCallId);
    call.said = mergeCall(call.said, update);
    const judged = this.#tripwire?.judge(update);
    if (judged === "ours") return;
    const { status, content, rawInput, places } = call.said;
    const isOver = status === "completed" || status === "failed";
    // Often the first message of a call says nothing of it; the thread shows it once there is something to show.
    const isTold = content.length > 0 || places.length > 0 || hasMembers(rawInput);
    if (isOver || isTold) {
      const args = { ...toOuterCall(this.#agent, call.said, undefined) };
      announceCall(this.#services.journal, this.toGated(call, call.itemId, args));
    }
    if (isOver) {
      call.end(status === "completed");
      this.#endInThread(call, status === "completed", resultOfCall(call.said));
    }
    if (this.#asked.has(call.itemId)) this.#holdAgainstAnswer(call);
    call.onSaid();
    if (this.#isHeld && (judged === "past" || judged === "pretended")) throw this.#actedPast(call);
  }

  #actedPast({ said }: DrawnCall): ActedPast {
    return new ActedPast(this.#agent, aboutOuterCall(toOuterCall(this.#agent, said, undefined)));
  }

  /** Once for each call: what it tells then is told of the same. */
  #holdAgainstAnswer(call: OpenCall): void {
    const told = toOuterCall(this.#agent, call.said, undefined);
    const why = againstAnswer(call.allowed, told, call.said.status === "completed");
    if (why === undefined || call.isContrary) return;
    call.isContrary = true;
    this.bounds.countItem();
    tellThread(this.#services, this.#place.threadId, why);
  }

  /** What passed the gate is ended there. */
  #endInThread(call: OpenCall, ok: boolean, result: string): void {
    if (this.#asked.has(call.itemId)) return;
    const end = { outcome: ok ? ("ok" as const) : ("failed" as const), result };
    finishCall(this.#services.journal, this.toGated(call, call.itemId, {}), end);
  }

  #hearPlan(entries: readonly { content: string; status: string }[]): void {
    const todos = entries.slice(0, mostSteps).map(({ content, status }): Todo => {
      const known = status === "completed" || status === "in_progress" ? status : "pending";
      return { content: shortenText(content, mostStepBytes), status: known };
    });
    this.bounds.countItem();
    this.#append({ type: "plan.changed", itemId: `plan:${this.#place.turnId}`, todos });
  }

  #openCall(toolCallId: string): OpenCall {
    const known = this.#calls.get(toolCallId);
    // Ids come from the agent: one that was used before stands for another call now.
    return known && !known.isOver ? known : this.#newCall(toolCallId);
  }

  #newCall(toolCallId: string): OpenCall {
    // The one that was open under this id hears no more; its end is the end of the turn.
    const before = this.#calls.get(toolCallId);
    if (before) this.#calls.set(`${before.itemId} ${toolCallId}`, before);
    if (this.#calls.size >= mostCalls) throw tooMuch("calls");
    const call = newCall(this.#nextId(), toolCallId);
    this.#calls.set(toolCallId, call);
    return call;
  }

  #append(event: ThreadEventData): void {
    this.#services.journal.log.append(this.#place.threadId, [event]);
  }
}

function newCall(itemId: string, toolCallId: string): OpenCall {
  const { promise: over, resolve } = Promise.withResolvers<{ ok: boolean; text: string }>();
  const call: OpenCall = {
    said: nothingSaid,
    itemId,
    toolCallId: toolCallId.slice(0, mostIdChars),
    over,
    isOver: false,
    onSaid: () => undefined,
    end(ok) {
      call.isOver = true;
      resolve({ ok, text: resultOfCall(call.said) });
    },
  };
  return call;
}

function hasMembers(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
