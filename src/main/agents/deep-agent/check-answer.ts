/** The one place between a model's answer and its record: what is kept of it can be acted on, answered and sent back. */
import { AIMessage, type AIMessageChunk } from "langchain";
import { z } from "zod";
import { kindOf } from "../../../shared/tools/tools.ts";
import { isUnseen } from "../../../shared/unseen-text.ts";
import { endOfFit, isLongerThan, jsonBytes, utf8Bytes } from "../../../shared/wire/json-bytes.ts";
import { parseJson } from "../../base/parse-json.ts";
import { explainCut, isCut } from "../../models/answer-end.ts";
import { deepestArguments, isDeeperThan } from "../../models/nesting.ts";
import {
  describeLongPath,
  describeTooMany,
  describeTooMuch,
  describeUnreadable,
  mostAnswerBytes,
} from "./too-much.ts";

/** Notes on an answer, kept in its message: they outlive a restart and are sent to no provider. */
const notesSchema = z.object({
  /** By tool call id: why nothing may come of this call. */
  unusable: z.record(z.string(), z.string()).default({}),
  cut: z.boolean().default(false),
});
const notesKey = "countersign";

export type CheckedAnswer = {
  message: AIMessage;
  /** Why the answer is not whole, as the end of a sentence. */
  cut: string | undefined;
  /** The model neither said nor asked for anything. */
  empty: boolean;
};

/** A call as it arrived: the text of its arguments, or the object a client made of it without ever having a text. */
type Arrived = { id: string | undefined; name: string; args: unknown };

type Usable = { name: string; args: Record<string, unknown> } | { name: string; problem: string };

const objectSchema = z.record(z.string(), z.unknown());
/** What every provider takes back in the history as a name and as an id. */
const sendableName = /^[\w-]{1,64}$/;
const sendableId = /^[\w.:-]{1,200}$/;
const shownArgsChars = 300;
/** Stands in for a name that no provider would take back. */
const noTool = "unnamed_tool";
/** Several under the tool's own name would be answered by the library of agents, past the gate and the transcript. */
const secondPlan: Usable = {
  name: noTool,
  problem:
    "One answer may set the plan once, and this was another write_todos call in it, so it was not made. Put all steps into one call.",
};

/**
 * @param earlier the conversation so far; a call with an id that was used in it would count as answered already.
 * @param ownId names the message; the same when a crash makes the model be asked again.
 * @param endedBy the provider's word for why the answer ended, when it gave one.
 */
export function checkAnswer(
  answer: AIMessage | AIMessageChunk,
  earlier: readonly unknown[],
  ownId: string,
  endedBy: string | undefined,
): CheckedAnswer {
  const said = keepFit(answer);
  const cut = endedBy !== undefined && isCut(endedBy) ? explainCut(endedBy) : said.cut;
  const unusable: [string, string][] = [];
  const taken = new Set(earlier.flatMap((message) => idsIn(message)));
  let bytes = 0;
  let plans = 0;
  const all = arrivedCalls(answer);
  const tooMany = describeTooMany(all.length);
  // The first of too many stands for them all: each that is kept would have to be answered by itself.
  const calls = (tooMany === undefined ? all : all.slice(0, 1)).map((arrived, index) => {
    const id = takeId(arrived.id, `${shortOf(ownId)}-${index}`, taken);
    bytes += bytesOf(arrived.args);
    const read = plans > 0 && isPlan(arrived) ? secondPlan : readCall(arrived, bytes);
    if (isPlan(arrived)) plans += 1;
    const problem = cut ? cutText(cut) : (tooMany ?? ("problem" in read ? read.problem : undefined));
    if (problem !== undefined) unusable.push([id, problem]);
    const args = "problem" in read || problem !== undefined ? {} : read.args;
    return { type: "tool_call" as const, id, name: read.name, args };
  });
  const message = new AIMessage({
    id: ownId,
    name: answer.name,
    content: unusable.length === 0 && isAsItCame(answer, calls) ? said.content : withoutCalls(said.content),
    tool_calls: calls,
    response_metadata: said.metadata,
    usage_metadata: answer.usage_metadata,
    additional_kwargs: {
      ...said.kwargs,
      ...((cut || unusable.length > 0) && {
        [notesKey]: { unusable: Object.fromEntries(unusable), cut: cut !== undefined },
      }),
    },
  });
  return { message, cut, empty: calls.length === 0 && isUnseen(message.text) };
}

type Said = {
  content: AIMessage["content"];
  kwargs: Record<string, unknown>;
  metadata: AIMessage["response_metadata"];
  /** Why it is not all, as the end of a sentence. */
  cut: string | undefined;
};

/** What the answer says beside its calls; of one that says too much the beginning of its text. */
function keepFit(answer: AIMessage | AIMessageChunk): Said {
  const { content, response_metadata: metadata } = answer;
  const kwargs = withoutRawCalls(answer.additional_kwargs);
  const whole = { content, kwargs, metadata, cut: undefined };
  if (!isLongerThan([withoutCalls(content), kwargs, metadata], mostAnswerBytes)) return whole;
  const text = typeof content === "string" ? content : textOf(content);
  const cut = `it was longer than ${mostAnswerBytes} bytes, of which the beginning was kept`;
  return { content: text.slice(0, endOfFit(text, mostAnswerBytes)), kwargs: {}, metadata: {}, cut };
}

function textOf(content: Exclude<AIMessage["content"], string>): string {
  return content.map((block) => (block.type === "text" ? String(block.text) : "")).join("");
}

/** Whether the newest answer of a conversation was one that broke off. */
export function lastAnswerWasCut(messages: readonly unknown[]): boolean {
  const last = messages.findLast((message) => AIMessage.isInstance(message));
  return last !== undefined && notesOf(last).cut;
}

/** Why nothing may come of the call with this id, in the newest answer that has one; `undefined` when it may be acted on. */
export function whyUnusable(messages: readonly unknown[], toolCallId: string): string | undefined {
  const answer = answerWith(messages, toolCallId);
  const notes = answer && notesOf(answer);
  return notes && Object.hasOwn(notes.unusable, toolCallId) ? notes.unusable[toolCallId] : undefined;
}

/** The newest answer that makes the call with this id. */
export function answerWith(messages: readonly unknown[], toolCallId: string): AIMessage | undefined {
  return messages.findLast(
    (message): message is AIMessage =>
      AIMessage.isInstance(message) && (message.tool_calls ?? []).some(({ id }) => id === toolCallId),
  );
}

function notesOf(message: AIMessage): z.infer<typeof notesSchema> {
  return notesSchema.catch({ unusable: {}, cut: false }).parse(message.additional_kwargs[notesKey]);
}

/** The clients complete arguments that broke off by guesswork, so they are read from what came over the wire. */
function arrivedCalls(answer: AIMessage | AIMessageChunk): Arrived[] {
  const pieces = "tool_call_chunks" in answer ? (answer.tool_call_chunks ?? []) : [];
  if (pieces.length === 0)
    return [...(answer.tool_calls ?? []), ...(answer.invalid_tool_calls ?? [])].map(({ id, name, args }) => ({
      id,
      name: name ?? "",
      args,
    }));
  const calls: (Arrived & { args: string; index: number | undefined })[] = [];
  for (const { id, name, args = "", index } of pieces) {
    const begun = calls.findLast((call) =>
      id ? call.id === id && call.index === index : index !== undefined && call.index === index,
    );
    if (!begun) calls.push({ id, name: name ?? "", args, index });
    else Object.assign(begun, { name: begun.name || (name ?? ""), args: begun.args + args });
  }
  return calls;
}

function bytesOf(args: unknown): number {
  // Nobody needs to know by how much it is too long.
  if (isLongerThan(args, mostAnswerBytes)) return mostAnswerBytes + 1;
  if (typeof args === "string") return utf8Bytes(args);
  // What is nested so deeply cannot be written, and then only the call itself is bad.
  return isDeeperThan(args, deepestArguments) ? 0 : jsonBytes(args);
}

/** @param bytes what the arguments take up to this call's */
function readCall({ name, args }: Arrived, bytes: number): Usable {
  if (!sendableName.test(name))
    return {
      name: noTool,
      problem: `There is no tool with the name ${JSON.stringify(name.slice(0, 80))}, so this call was not made. Use the name of a tool you were given.`,
    };
  const tooMuch = describeTooMuch(name, bytes);
  if (tooMuch !== undefined) return { name, problem: tooMuch };
  const text = typeof args === "string" ? args.trim() || "{}" : undefined;
  const value = text === undefined ? args : parseJson(text);
  if (isDeeperThan(value, deepestArguments))
    return {
      name,
      problem: `The arguments of this ${name} call are nested more than ${deepestArguments} levels deep, so it was not made. Send it again with flatter arguments, or put such data into a file.`,
    };
  const read = objectSchema.safeParse(value);
  if (read.success) {
    const problem = describeLongPath(name, read.data) ?? describeUnreadable(name, read.data);
    return problem === undefined ? { name, args: read.data } : { name, problem };
  }
  const shown = (text ?? JSON.stringify(args) ?? "").slice(0, shownArgsChars);
  return {
    name,
    problem: `The arguments of this ${name} call are not a complete JSON object, so it was not made. Send it again with all its arguments in one JSON object. What arrived: ${shown}`,
  };
}

function isPlan({ name }: Arrived): boolean {
  return kindOf(name) === "plan";
}

function cutText(cut: string): string {
  return `Your answer broke off before its end (${cut}), so none of its calls was made. Make them again, with less in one answer: write long files in parts, and leave out what you do not need.`;
}

function idsIn(message: unknown): string[] {
  return AIMessage.isInstance(message) ? (message.tool_calls ?? []).flatMap(({ id }) => id ?? []) : [];
}

/** An id that is missing, used before, or that no provider would take back gets one of our own. */
function takeId(id: string | undefined, own: string, taken: Set<string>): string {
  const chosen = id !== undefined && sendableId.test(id) && !taken.has(id) ? id : `call-${own}`;
  taken.add(chosen);
  return chosen;
}

/** The last part of a message id is unique to the model call. */
function shortOf(ownId: string): string {
  return ownId.slice(ownId.lastIndexOf(":") + 1).replaceAll(/[^\w-]/g, "");
}

type Calls = { id: string; name: string; args: Record<string, unknown> }[];

/** Whether the answer's content, which may hold the calls once more, still says the same as its calls. */
function isAsItCame(answer: AIMessage | AIMessageChunk, calls: Calls): boolean {
  const came = answer.tool_calls ?? [];
  return (
    came.length === calls.length &&
    came.every(({ id, name, args }, index) => {
      const call = calls[index]!;
      return id === call.id && name === call.name && JSON.stringify(args) === JSON.stringify(call.args);
    })
  );
}

const callBlocks = new Set(["tool_use", "input_json_delta", "tool_call", "functionCall", "function_call"]);

/** The providers' clients write the calls anew from the message's own list. */
function withoutCalls(content: AIMessage["content"]): AIMessage["content"] {
  if (typeof content === "string") return content;
  return content.filter((block) => !callBlocks.has(block.type)) as AIMessage["content"];
}

function withoutRawCalls(kwargs: Record<string, unknown> = {}): Record<string, unknown> {
  const { tool_calls: _calls, function_call: _call, [notesKey]: _forged, ...rest } = kwargs;
  return rest;
}
