/** A deep agent whose model follows a script, so that benches measure everything but a model. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { createDeepAgent } from "deepagents";
import { tool } from "langchain";
import { z } from "zod";

/** Calls the tool `read_thing` a given number of times, then ends the turn. */
class CountingModel extends BaseChatModel {
  readonly #steps: number;
  readonly #progress: { calls: number };

  constructor(steps: number, progress = { calls: 0 }) {
    super({});
    this.#steps = steps;
    this.#progress = progress;
  }

  override _llmType(): string {
    return "scripted";
  }

  /** So large that the agent never summarises, which would call the model outside the script. */
  override get profile() {
    return { maxInputTokens: 1e9 };
  }

  override bindTools(): this {
    return new CountingModel(this.#steps, this.#progress) as this;
  }

  override async _generate(_messages: BaseMessage[]): Promise<ChatResult> {
    this.#progress.calls += 1;
    const call = this.#progress.calls;
    const message =
      call > this.#steps
        ? new AIMessage({ content: "done" })
        : new AIMessage({
            content: `step ${call}`,
            tool_calls: [
              {
                id: `call_${call}`,
                name: "read_thing",
                args: { path: `/some/path/${call}` },
                type: "tool_call",
              },
            ],
          });
    return { generations: [{ text: message.text, message }] };
  }
}

const words =
  "the agent reads file and writes result into folder then checks build log error warning path module import export function return value state".split(
    " ",
  );

/** @returns a source of texts that look like tool output: the same sequence in every run, never the same text twice. */
function textSource(): (length: number) => string {
  let seed = 1;
  const random = () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  return (length) => {
    let text = "";
    while (text.length < length) {
      text += words[Math.floor(random() * words.length)];
      if (random() < 0.2) text += Math.floor(random() * 1e6).toString(36);
      text += " ";
    }
    return text.slice(0, length);
  };
}

/**
 * Runs one turn of `steps` tool calls, each with a result of `resultLength` characters, checkpointing
 * synchronously to the thread `threadId`.
 */
export async function runToolTurn(options: {
  checkpointer: BaseCheckpointSaver;
  threadId: string;
  steps: number;
  resultLength: number;
}): Promise<void> {
  const { checkpointer, threadId, steps, resultLength } = options;
  const nextText = textSource();
  const readThing = tool(async () => nextText(resultLength), {
    name: "read_thing",
    description: "Reads a thing.",
    schema: z.object({ path: z.string() }),
  });
  const agent = createDeepAgent({
    tools: [readThing],
    subagents: [],
    checkpointer,
    model: new CountingModel(steps),
  });
  await agent.invoke(
    { messages: [{ role: "user", content: "go" }] },
    { configurable: { thread_id: threadId }, durability: "sync", recursionLimit: 10 * steps + 100 },
  );
}
