/** What a thread of a server says, drawn into the transcript of its turn here: each message once, as the server's telling, bounded. */
import { createHash } from "node:crypto";
import type { z } from "zod";
import type { ThreadEventData } from "../../../shared/contract/thread-events.ts";
import type { MessageId } from "../../../shared/ids.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import { shorten, shortenText } from "../../../shared/wire/shorten.ts";
import { deepestArguments, isDeeperThan } from "../../models/nesting.ts";
import type { EventLog } from "../../threads/event-log.ts";
import type { Work } from "../source.ts";
import { messageSchema } from "./wire-shapes.ts";

type WireMessage = z.infer<typeof messageSchema>;

/** What came before is read back so far; what is older stands on the server. */
const mostLookedAt = 200;
export const mostTextBytes = 64_000;
const mostArgumentBytes = 16_000;
/** More than anybody reads of one turn. */
const mostItems = 500;
const mostBytes = 2_000_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The text of a message, which is one or stands in blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((one) => (isObject(one) && one.type === "text" ? one.text : undefined));
  return texts.filter((text) => typeof text === "string").join("\n\n");
}

/** The newest messages of a thread's values, and what cannot be read as one left out. */
export function messagesIn(values: unknown): WireMessage[] {
  const messages = isObject(values) ? values.messages : undefined;
  if (!Array.isArray(messages)) return [];
  return messages.slice(-mostLookedAt).flatMap((one) => messageSchema.safeParse(one).data ?? []);
}

/** Draws what is new at each look; holds in memory how much of it this run has drawn. */
export class ServerTelling {
  readonly #log: Pick<EventLog, "append" | "hasItem" | "item">;
  readonly #whole = new Set<string>();
  readonly #work: Work;
  readonly #server: string;
  #items = 0;
  #bytes = 0;

  /** @param server its name, for the sentences. */
  constructor(log: Pick<EventLog, "append" | "hasItem" | "item">, work: Work, server: string) {
    this.#log = log;
    this.#work = work;
    this.#server = server;
  }

  show(messages: readonly WireMessage[]): void {
    const calls = new Map(
      messages.flatMap(({ tool_calls: made = [] }) => made.map((call) => [call.id ?? "", call] as const)),
    );
    for (const message of messages) {
      const itemId = this.itemIdOf(message);
      if (itemId === undefined || this.isWhole(itemId)) continue;
      const drawn = this.#draw(message, itemId, calls);
      if (drawn.length === 0) continue;
      if (!this.#hasRoom(drawn)) return;
      this.#log.append(this.#work.thread.id, drawn);
      this.#whole.add(itemId);
    }
  }

  /** Whether it stands there to its end; of a message that was being written when a turn broke off the beginning does. */
  isWhole(itemId: string): boolean {
    if (this.#whole.has(itemId)) return true;
    const { id } = this.#work.thread;
    if (!this.#log.hasItem(id, itemId)) return false;
    const item = this.#log.item(id, itemId);
    if (item?.kind === "agentMessage" && item.partial) return false;
    this.#whole.add(itemId);
    return true;
  }

  /** Says something that the person has to know of this turn. */
  say(text: string): void {
    const itemId = `server-notice:${this.#work.turn.id}:${hash(text)}`;
    if (this.#log.hasItem(this.#work.thread.id, itemId)) return;
    this.#log.append(this.#work.thread.id, [{ type: "notice.added", itemId, level: "warning", text }]);
  }

  /** None for what was written here: it stands there already, under the id that it was sent with. */
  itemIdOf({ id, type, role, content, tool_call_id: call }: WireMessage): string | undefined {
    const { thread } = this.#work;
    if (id !== undefined && (type ?? role) !== "tool" && this.#log.hasItem(thread.id, id)) return undefined;
    return `${thread.id}:said:${hash(id ?? [type, role, call, textOf(content)])}`;
  }

  #draw(
    { type, role, content, name, status, tool_call_id: callId }: WireMessage,
    itemId: string,
    calls: ReadonlyMap<string, NonNullable<WireMessage["tool_calls"]>[number]>,
  ): ThreadEventData[] {
    const { turn } = this.#work;
    const place = { itemId, turnId: turn.id, agentPath: [] };
    const kind = kindOf({ type, role });
    const text = shortenText(textOf(content), mostTextBytes);
    if (kind === "tool") {
      const call = calls.get(callId ?? "");
      const tool = (call?.name ?? name ?? "a tool").slice(0, 200);
      const outcome = status === "error" ? "failed" : "ok";
      return [
        { type: "toolCall.requested", ...place, toolCallId: itemId, tool, args: argumentsOf(call?.args) },
        { type: "toolCall.finished", itemId, outcome, result: text },
      ];
    }
    if (kind === undefined || text.trim() === "") return [];
    // No words of others may stand there as the person's own.
    const told = kind === "person" ? `*Written on ${this.#server}, not here:*\n\n${text}` : text;
    return [
      {
        type: "message.finished",
        ...place,
        itemId: itemId as MessageId,
        text: told,
        partial: false,
      },
    ];
  }

  #hasRoom(drawn: ThreadEventData[]): boolean {
    this.#items += 1;
    this.#bytes += jsonBytes(drawn);
    if (this.#items <= mostItems && this.#bytes <= mostBytes) return true;
    this.say(`${this.#server} tells more than is shown here. The rest stands there.`);
    return false;
  }
}

const kinds: Record<string, "person" | "agent" | "tool"> = {
  human: "person",
  user: "person",
  ai: "agent",
  assistant: "agent",
  AIMessageChunk: "agent",
  tool: "tool",
};

/** Whose message it is; nothing where it is of no kind that is shown. */
export const kindOf = ({ type, role }: Pick<WireMessage, "type" | "role">) =>
  Object.hasOwn(kinds, type ?? role ?? "") ? kinds[type ?? role ?? ""] : undefined;

/** What is too deep or too large to be shown is not kept. */
function argumentsOf(args: Record<string, unknown> | undefined): Record<string, unknown> {
  if (args === undefined || isDeeperThan(args, deepestArguments)) return {};
  return shorten({ args }, mostArgumentBytes).value.args;
}

const hash = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
