/** The words of a run as they are written there: told as they come, until each message stands in the transcript whole. */
import { z } from "zod";
import type { MessageId, ThreadId } from "../../../shared/ids.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { SourceServices, Work } from "../source.ts";
import type { KeyHider } from "./hide-key.ts";
import type { ServerClient } from "./server-client.ts";
import { ServerError } from "./server-error.ts";
import { kindOf, mostTextBytes, type ServerTelling, textOf } from "./server-messages.ts";
import type { RunEvent } from "./server-stream.ts";
import { messageSchema } from "./wire-shapes.ts";

export type WordsParts = {
  client: Pick<ServerClient, "events">;
  /** The thread's id on the server. */
  thread: string;
  work: Work;
  telling: Pick<ServerTelling, "itemIdOf" | "isWhole">;
  hide: KeyHider;
  onDelta: SourceServices["onDelta"];
};

/** Of all messages together: more than anybody reads of one turn. */
const mostWords = 2_000_000;
/** Of the events that were read, so that none is told twice. */
const mostEvents = 200_000;

/** Of a message that is being written. `before`: the last letters that were told; `held`: what may be a piece of the key. */
type Written = { told: number; before: string; held: string };
/** So few letters are told before they are known for a piece of the key. */
const lettersBefore = 3;

const chunkSchema = z.tuple([
  messageSchema.extend({
    tool_call_chunks: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
  }),
  z.looseObject({ langgraph_checkpoint_ns: z.string().nullish() }),
]);

/** Holds in memory what of which message was told, and the end of each that may be the beginning of the key. */
export class RunWords {
  readonly #parts: WordsParts;
  readonly #end = new AbortController();
  readonly #messages = new Map<string, Written>();
  readonly #read = new Set<string>();
  #run: string | undefined;
  #after = "-1";
  #words = 0;
  #reading: Promise<void> | undefined;
  #isDeaf = false;
  #problem: unknown;

  constructor(parts: WordsParts) {
    this.#parts = parts;
  }

  /** Whether it would have nothing of a run. */
  get isBusyOrDeaf(): boolean {
    return this.#isDeaf || this.#reading !== undefined;
  }

  /** Joins a run of this console, behind what was heard of it before. Whoever else reads it loses nothing to this. */
  listen(run: string): void {
    if (this.isBusyOrDeaf) return;
    if (this.#run !== run) {
      this.#run = run;
      this.#after = "-1";
      this.#read.clear();
    }
    this.#reading = this.#hear(run)
      .catch((error: unknown) => {
        // A line that broke is joined again; a server that says no is not asked again.
        if (error instanceof ServerError) this.#isDeaf = error.kind !== "silent";
        else if (!this.#end.signal.aborted) this.#problem = error;
      })
      .finally(() => {
        this.#reading = undefined;
      });
  }

  /** Resolves when nothing is read any more. @throws what was no fault of the server */
  async end(): Promise<void> {
    this.#end.abort(new Error("Nobody listens any more."));
    await this.#reading;
    if (this.#problem !== undefined) throw this.#problem;
  }

  async #hear(run: string): Promise<void> {
    const { client, thread } = this.#parts;
    for await (const event of client.events(thread, run, this.#after, this.#end.signal)) {
      const { id, name } = event;
      // A server that numbers nothing keeps nothing: what is read of it would be taken from others.
      this.#isDeaf ||= (id === undefined && name === "messages") || this.#read.size > mostEvents;
      if (this.#isDeaf) return;
      if (id === undefined || this.#read.has(id)) continue;
      this.#read.add(id);
      this.#after = id;
      if (name === "messages") this.#tell(event);
    }
  }

  #tell({ data }: RunEvent): void {
    const chunk = chunkSchema.safeParse(parseJson(data)).data;
    if (chunk === undefined) return;
    const [message, { langgraph_checkpoint_ns: place }] = chunk;
    // What sub-agents say to their agent is no message of the thread.
    if (message.id === undefined || kindOf(message) !== "agent" || place?.includes("|")) return;
    const { telling, work, hide, onDelta } = this.#parts;
    const messageId = telling.itemIdOf(message) as MessageId | undefined;
    if (messageId === undefined || telling.isWhole(messageId)) return;
    const text = this.#wordsOf(messageId, textOf(message.content));
    const made = message.tool_call_chunks?.find(({ name }) => name)?.name;
    const toolName = made ? hide.text(made).slice(0, 200) : undefined;
    if (text === "" && toolName === undefined) return;
    const threadId: ThreadId = work.thread.id;
    onDelta(threadId, {
      messageId,
      turnId: work.turn.id,
      agentPath: [],
      text: text || undefined,
      toolName,
    });
  }

  /** What can be told now of so many words more. */
  #wordsOf(id: string, more: string): string {
    const known = this.#messages.get(id) ?? { told: 0, before: "", held: "" };
    this.#messages.set(id, known);
    const { hide } = this.#parts;
    const { before } = known;
    const room = Math.min(mostTextBytes - known.told, mostWords - this.#words);
    const whole = before + (known.held + more).slice(0, Math.max(room, 0));
    const open = Math.max(hide.openFrom(whole), before.length);
    const shown = whole.slice(0, open);
    const hidden = hide.text(shown);
    const text = hidden.startsWith(before) ? hidden.slice(before.length) : hidden;
    known.before = shown.slice(-lettersBefore);
    known.held = whole.slice(open);
    known.told += text.length;
    this.#words += text.length;
    return text;
  }
}
