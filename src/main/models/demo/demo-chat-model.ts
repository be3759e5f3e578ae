/** A chat model without a key and without AI: it obeys instruction lines, so every path can be walked offline. */
import { setTimeout as wait } from "node:timers/promises";
import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { z } from "zod";
import { kindOf, type ToolKind } from "../../../shared/tools/tools.ts";
import { demoModelId } from "./demo-model-id.ts";
import { instructionUsages } from "./instruction.ts";
import { type DemoScript, locateScript, type ScriptedCall } from "./script.ts";

const defaultWordDelayMs = 15;
const charactersPerToken = 4;
/** So large that the agent never tries to have this model summarise its history. */
const contextWindow = 100_000_000;

const namedSchema = z.object({ name: z.string() });

type CallOptions = BaseChatModel["ParsedCallOptions"];

/**
 * Plays the instruction lines of the latest human message, one paragraph a model turn, streaming word by word.
 * Keeps no state: the next turn follows from the messages alone. Rejects with an AbortError when stopped.
 */
export class DemoChatModel extends BaseChatModel {
  readonly model = demoModelId;
  readonly #wordDelayMs: number;
  readonly #tools: readonly string[] | undefined;

  /**
   * @param fields `wordDelayMs` is the pause before each streamed piece, 0 streams without pauses; `tools` are the names
   * a `call` line may use, any when not given.
   */
  constructor(fields: { wordDelayMs?: number; tools?: readonly string[] } = {}) {
    super({});
    this.#wordDelayMs = fields.wordDelayMs ?? defaultWordDelayMs;
    this.#tools = fields.tools;
  }

  static override lc_name(): string {
    return "DemoChatModel";
  }

  override get profile() {
    return { maxInputTokens: contextWindow, toolCalling: true };
  }

  override _llmType(): string {
    return "demo";
  }

  /** The script makes the calls itself; it only needs to know which tools there are. */
  override bindTools(tools: readonly unknown[]): DemoChatModel {
    const names = tools.flatMap((tool) => namedSchema.safeParse(tool).data?.name ?? []);
    return new DemoChatModel({ wordDelayMs: this.#wordDelayMs, tools: names });
  }

  override async _generate(messages: BaseMessage[], options: CallOptions): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options)) {
      whole = whole ? whole.concat(chunk) : chunk;
    }
    return { generations: whole ? [whole] : [] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: CallOptions,
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    for (const message of composeAnswer(messages, this.#tools)) {
      options.signal?.throwIfAborted();
      if (this.#wordDelayMs > 0) await wait(this.#wordDelayMs, undefined, { signal: options.signal });
      const text = message.text;
      const chunk = new ChatGenerationChunk({ text, message });
      yield chunk;
      await runManager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

function composeAnswer(
  messages: readonly BaseMessage[],
  tools: readonly string[] | undefined,
): AIMessageChunk[] {
  const { script, turn } = locateScript(messages);
  const callsOf = ({ calls }: DemoScript["turns"][number]) => calls.filter((call) => !isMissing(call, tools));
  // Without a call the run would end, so a turn that has none left joins the next one.
  const next = script.turns.slice(turn).findIndex((one) => callsOf(one).length > 0);
  const played = next < 0 ? [] : script.turns.slice(turn, turn + next + 1);
  const calls = played.flatMap(callsOf);
  const said = played.flatMap(({ say }) => say || []).join("\n");
  const text = played.length > 0 ? said : writeReport(script, messages, tools);
  const words = text.match(/\S+\s*/g) ?? [];
  return [
    ...words.map((content) => new AIMessageChunk({ content })),
    ...calls.flatMap(chunkCall),
    new AIMessageChunk({
      content: "",
      usage_metadata: estimateUsage(messages, text, calls),
      response_metadata: {
        model_name: demoModelId,
        model_provider: "demo",
        finish_reason: calls.length > 0 ? "tool_calls" : "stop",
      },
    }),
  ];
}

/** As real providers do: the first piece carries id and name, the arguments arrive in fragments of JSON. */
function chunkCall(call: ScriptedCall, index: number): AIMessageChunk[] {
  const json = JSON.stringify(call.args);
  const middle = Math.ceil(json.length / 2);
  return [json.slice(0, middle), json.slice(middle)].map(
    (args, part) =>
      new AIMessageChunk({
        content: "",
        tool_call_chunks: [
          { type: "tool_call_chunk", index, args, ...(part === 0 ? { id: call.id, name: call.name } : {}) },
        ],
      }),
  );
}

function estimateUsage(messages: readonly BaseMessage[], text: string, calls: readonly ScriptedCall[]) {
  const sent = messages.reduce((sum, message) => sum + message.text.length, 0);
  const written = text.length + JSON.stringify(calls.map(({ name, args }) => [name, args])).length;
  const inputTokens = Math.ceil(sent / charactersPerToken);
  const outputTokens = Math.ceil(written / charactersPerToken);
  return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}

const quoteLimit = 240;
/** Steps whose result is an answer someone gave, worth repeating even when all went well. */
const answeringKinds: readonly ToolKind[] = ["question", "delegate"];

/**
 * Says what happened, or, when the message held no instruction at all, what the demo understands.
 * @param tools the names of the agent's tools; undefined when they are not known.
 */
export function writeReport(
  script: DemoScript,
  messages: readonly BaseMessage[],
  tools: readonly string[] | undefined,
): string {
  const calls = script.turns.flatMap((turn) => turn.calls);
  const understood = calls.length > 0 || script.closing !== "" || script.unknown.some(({ why }) => why);
  if (!understood) return help;
  const outcomes = calls.map((call) => describeOutcome(call, messages, tools));
  const worked = outcomes.filter((outcome) => outcome.worked).length;
  const parts = [
    script.closing,
    calls.length > 0
      ? `Done: ${worked} of ${calls.length} ${calls.length === 1 ? "step" : "steps"} worked.`
      : "",
    outcomes.flatMap((outcome) => outcome.remark ?? []).join("\n"),
    script.unknown
      .map(({ line, why }) =>
        why ? `- \`${line}\`: ${why}.` : `- I did not understand \`${line}\`; send \`help\` for what I obey.`,
      )
      .join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

const help = [
  "I am a scripted demo, not an AI: I obey instruction lines and nothing else. These are the lines I know:",
  instructionUsages.map((usage) => `- \`${usage}\``).join("\n"),
  "Lines in one paragraph run in parallel, a blank line starts the next turn. Try `demo tour`.",
].join("\n\n");

/** A tool that a person named and the agent does not have is never called, so that nobody is asked about it. */
export function isMissing(call: ScriptedCall, tools: readonly string[] | undefined): boolean {
  return call.byName && tools !== undefined && !tools.includes(call.name);
}

type Outcome = {
  worked: boolean;
  remark?: string;
};

function describeOutcome(
  call: ScriptedCall,
  messages: readonly BaseMessage[],
  tools: readonly string[] | undefined,
): Outcome {
  const result = messages.findLast(
    (message) => ToolMessage.isInstance(message) && message.tool_call_id === call.id,
  );
  if (!ToolMessage.isInstance(result) && isMissing(call, tools)) {
    const known = tools?.join(", ");
    return {
      worked: false,
      remark: `- \`${call.line}\`: there is no tool ${call.name} here. There are: ${known}.`,
    };
  }
  if (!ToolMessage.isInstance(result)) return { worked: false, remark: `- \`${call.line}\`: no result` };
  const text = result.text.trim();
  const exitCode = /\[Command failed with exit code (-?\d+)\]/.exec(text)?.[1];
  if (exitCode !== undefined) {
    return { worked: false, remark: `- \`${call.line}\`: failed with exit code ${exitCode}` };
  }
  // The file tools report a failure as an ordinary result that begins with "Error".
  if (result.status === "error" || /^(error|cannot)\b/i.test(text)) {
    return { worked: false, remark: `- \`${call.line}\`: did not work: ${quote(text)}` };
  }
  if (call.byName || answeringKinds.includes(kindOf(call.name)))
    return { worked: true, remark: `- \`${call.line}\`: ${quote(text)}` };
  return { worked: true };
}

function quote(text: string): string {
  const flat = text.replace(/\s+/g, " ");
  return `“${flat.length > quoteLimit ? `${flat.slice(0, quoteLimit)}…` : flat}”`;
}
