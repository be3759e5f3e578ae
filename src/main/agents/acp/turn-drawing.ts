/** Draws what an outer agent tells during a turn into the thread: text, reasoning, calls and plan, each bounded. */
import type { SessionNotification, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Todo } from "../../../shared/contract/thread-events.ts";
import type { Delta } from "../../../shared/contract/threads.ts";
import type { MessageId } from "../../../shared/ids.ts";
import { outerToolPrefix } from "../../../shared/tools/tools.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import type { GatedCall } from "../../gate/call.ts";
import { announceCall, finishCall } from "../../gate/record.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import { keptReasoning } from "../../threads/live-text.ts";
import type { SourceServices, Work } from "../source.ts";
import {
  kindOfCall,
  mergeCall,
  nothingSaid,
  resultOfCall,
  type SaidOfCall,
  toOuterCall,
} from "./merge-call.ts";

type Update = SessionNotification["update"];

/** A call from the first that is told of it to its end; the same id after its end is another call. */
export type DrawnCall = {
  said: SaidOfCall;
  readonly itemId: string;
  readonly toolCallId: string;
  /** Resolves with what the agent reports when it says that the call is over. */
  readonly over: Promise<{ ok: boolean; text: string }>;
  /** Called after whatever is said of it. */
  onSaid(): void;
};

type OpenCall = DrawnCall & { end(ok: boolean): void; isOver: boolean };

/** More than any person reads of a turn. */
const mostTextBytes = 600_000;
const mostCalls = 1_000;
const mostSteps = 200;
const mostStepBytes = 2_000;
const mostIdChars = 200;

export type TurnDrawing = {
  /** Takes what the agent tells. @throws TurnStopped when it is more than a turn may hold */
  hear(update: Update): void;
  /** The call of this id that is not over, with what the request says of it. */
  callOf(update: ToolCallUpdate): DrawnCall;
  /** The call as the gate is asked about it: announced in the thread by that. */
  toGated(call: DrawnCall, key: string, args: Record<string, unknown>): GatedCall;
  /** Writes down what was said until now and ends the calls that nobody heard the end of. */
  close(): void;
};

/** @param agent the name of the agent, which stands with each of its calls. */
export function createTurnDrawing(
  { thread, turn }: Work,
  agent: string,
  services: SourceServices,
): TurnDrawing {
  const { journal, onDelta } = services;
  const { log } = journal;
  const calls = new Map<string, OpenCall>();
  const base = `${turn.id}:outer:${log.lastSeq(thread.id)}`;
  let items = 0;
  let writing: Delta | undefined;
  let textBytes = 0;

  function nextId(): string {
    items += 1;
    return `${base}:${items}`;
  }

  function write(part: { text?: string; reasoning?: string }): void {
    textBytes += jsonBytes(part);
    if (textBytes > mostTextBytes) throw tooMuch("text");
    // Reasoning that follows a text belongs to the next message.
    if (part.reasoning !== undefined && writing?.text) finishMessage();
    const where = {
      messageId: writing?.messageId ?? (nextId() as MessageId),
      turnId: turn.id,
      agentPath: [],
    };
    const delta: Delta = { ...where, ...part };
    writing = {
      ...where,
      text: (writing?.text ?? "") + (part.text ?? ""),
      reasoning: (writing?.reasoning ?? "") + (part.reasoning ?? ""),
    };
    onDelta(thread.id, delta);
  }

  function finishMessage(): void {
    if (!writing) return;
    const { messageId: itemId, turnId, agentPath, text = "", reasoning } = writing;
    writing = undefined;
    const message = { itemId, turnId, agentPath, text, reasoning: keptReasoning(reasoning || undefined) };
    log.append(thread.id, [{ type: "message.finished", ...message, partial: false }]);
  }

  function openCall(toolCallId: string): OpenCall {
    const known = calls.get(toolCallId);
    if (known && !known.isOver) return known;
    if (calls.size >= mostCalls) throw tooMuch("calls");
    const { promise: over, resolve } = Promise.withResolvers<{ ok: boolean; text: string }>();
    const call: OpenCall = {
      said: nothingSaid,
      itemId: nextId(),
      toolCallId: toolCallId.slice(0, mostIdChars),
      over,
      isOver: false,
      onSaid: () => undefined,
      end(ok) {
        call.isOver = true;
        resolve({ ok, text: resultOfCall(call.said) });
      },
    };
    // Ids come from the agent: one that was used before stands for another call now.
    calls.set(toolCallId, call);
    return call;
  }

  function hearCall(update: ToolCallUpdate): void {
    finishMessage();
    const call = openCall(update.toolCallId);
    call.said = mergeCall(call.said, update);
    const { status, content, rawInput, places } = call.said;
    const isOver = status === "completed" || status === "failed";
    // Often the first message of a call says nothing of it; the thread shows it once there is something to show.
    const isTold = content.length > 0 || places.length > 0 || hasMembers(rawInput);
    if (isOver || isTold) announceCall(journal, toGated(call, call.itemId, argsOf(call)));
    if (isOver) {
      const ok = status === "completed";
      call.end(ok);
      // What passed the gate is ended there.
      if (!asked.has(call.itemId)) endInThread(call, ok, resultOfCall(call.said));
    }
    call.onSaid();
  }

  const asked = new Set<string>();
  const argsOf = (call: OpenCall) => ({ ...toOuterCall(agent, call.said, undefined) });

  function endInThread(call: OpenCall, ok: boolean, result: string): void {
    finishCall(journal, toGated(call, call.itemId, {}), { outcome: ok ? "ok" : "failed", result });
  }

  function toGated(call: DrawnCall, key: string, args: Record<string, unknown>): GatedCall {
    return {
      key,
      threadId: thread.id,
      turnId: turn.id,
      itemId: call.itemId,
      parentItemId: undefined,
      agentPath: [],
      toolCallId: call.toolCallId,
      tool: `${outerToolPrefix}${kindOfCall(call.said)}`,
      args,
      rule: undefined,
      argsSchema: undefined,
      face: undefined,
    };
  }

  function hearPlan(entries: readonly { content: string; status: string }[]): void {
    const todos = entries.slice(0, mostSteps).map(({ content, status }): Todo => {
      const known = status === "completed" || status === "in_progress" ? status : "pending";
      return { content: shortenText(content, mostStepBytes), status: known };
    });
    log.append(thread.id, [{ type: "plan.changed", itemId: `plan:${turn.id}`, todos }]);
  }

  return {
    hear(update) {
      const { sessionUpdate: what } = update;
      if (what === "agent_message_chunk" && update.content.type === "text")
        write({ text: update.content.text });
      else if (what === "agent_thought_chunk" && update.content.type === "text")
        write({ reasoning: update.content.text });
      else if (what === "tool_call" || what === "tool_call_update") hearCall(update);
      else if (what === "plan") hearPlan(update.entries);
      else if (what === "current_mode_update")
        log.append(thread.id, [
          { type: "notice.added", itemId: nextId(), level: "warning", text: newMode(update.currentModeId) },
        ]);
    },
    callOf(update) {
      finishMessage();
      const known = calls.get(update.toolCallId);
      // One id asked about twice at once is two calls.
      if (known && !known.isOver && asked.has(known.itemId)) known.isOver = true;
      const call = openCall(update.toolCallId);
      if (known && call !== known) call.said = known.said;
      call.said = mergeCall(call.said, update);
      asked.add(call.itemId);
      return call;
    },
    toGated,
    close() {
      finishMessage();
      for (const call of calls.values()) {
        if (call.isOver) continue;
        call.end(true);
        if (!asked.has(call.itemId) && log.item(thread.id, call.itemId))
          endInThread(call, true, "The agent did not say how this ended.");
      }
    },
  };
}

function tooMuch(of: string): TurnStopped {
  return new TurnStopped(
    "failed",
    `The agent told more ${of} in one turn than a thread can hold, so it was ended.`,
  );
}

const newMode = (mode: string) =>
  `The agent changed its mode to “${shortenText(mode, 200)}”. What it asks about may be different from now on.`;

function hasMembers(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
