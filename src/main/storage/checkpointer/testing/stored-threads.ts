/** What the tests of this folder share: temporary databases and an agent whose model follows a script. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import Database from "better-sqlite3";
import { createDeepAgent } from "deepagents";
import { tool } from "langchain";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { createCheckpointer } from "../create-checkpointer.ts";
import type { LinearSqliteSaver } from "../linear-sqlite-saver.ts";

/** A path in a directory that is removed after the test. */
export function temporaryPath(): string {
  const directory = mkdtempSync(join(tmpdir(), "checkpointer-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "checkpoints.db");
}

/** Opens our saver; it is closed after the test. */
export function openLinear(path = temporaryPath()): LinearSqliteSaver {
  const saver = createCheckpointer(path);
  onTestFinished(() => saver.close());
  return saver;
}

/** Opens ours as the host does, which drops the steps that a turn has passed; it is closed after the test. */
export function openForRuns(path = temporaryPath()): LinearSqliteSaver {
  const onWriteFailed = (_threadId: string, error: unknown) => {
    throw error;
  };
  const saver = createCheckpointer(path, onWriteFailed);
  onTestFinished(() => saver.close());
  return saver;
}

/** Opens the stock saver; it is closed after the test. */
export function openStock(path = temporaryPath()): SqliteSaver {
  const saver = new SqliteSaver(new Database(path));
  onTestFinished(() => {
    saver.db.close();
  });
  return saver;
}

type Reply = {
  readonly content?: string;
  readonly calls?: readonly { id: string; name: string; args: Record<string, unknown> }[];
};

/** Decides the next reply from the messages alone, so it goes on after a restart. */
export type Script = (firstHuman: string, step: number) => Reply;

class ScriptedModel extends BaseChatModel {
  readonly #script: Script;

  constructor(script: Script) {
    super({});
    this.#script = script;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const lastHuman = messages.findLastIndex((message) => message.type === "human");
    const step = messages.slice(lastHuman).filter((message) => message.type === "ai").length;
    const { content = "", calls = [] } = this.#script(String(messages[lastHuman]?.content), step);
    const toolCalls = calls.map((call) => ({ ...call, type: "tool_call" as const }));
    const message = new AIMessage({ content, tool_calls: toolCalls });
    return { generations: [{ text: content, message }] };
  }
}

/** An agent with one tool, `send_mail`, which `ran` records, and one sub-agent, `worker`. */
export function createMailAgent(options: {
  checkpointer: BaseCheckpointSaver;
  script: Script;
  ran: string[];
  ask: boolean;
}) {
  const { checkpointer, script, ran, ask } = options;
  const sendMail = tool(
    async ({ to }) => {
      ran.push(to);
      return `mailed ${to}`;
    },
    { name: "send_mail", description: "Sends a mail.", schema: z.object({ to: z.string() }) },
  );
  return createDeepAgent({
    tools: [sendMail],
    checkpointer,
    model: new ScriptedModel(script),
    interruptOn: ask ? { send_mail: true } : {},
    subagents: [{ name: "worker", description: "Works.", systemPrompt: "Work." }],
  });
}

/** One message as a line without random ids. */
export function describeMessage(message: BaseMessage): string {
  const {
    tool_calls = [],
    tool_call_id = "",
    status = "",
  } = message as unknown as {
    tool_calls?: { id?: string; name: string; args: unknown }[];
    tool_call_id?: string;
    status?: string;
  };
  const calls = tool_calls.map(({ id, name, args }) => `${name}#${id}${JSON.stringify(args)}`).join(" ");
  return `${message.type} ${tool_call_id} ${status} [${calls}] ${message.text}`;
}
