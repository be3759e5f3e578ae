/** Whatever a thread did and however it was stopped: each moment that somebody noted can be gone back to, as if all were kept. */

import type { BaseMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runsOf } from "../../base/testing/long-run.ts";
import type { LinearSqliteSaver } from "./linear-sqlite-saver.ts";
import {
  createMailAgent,
  describeMessage,
  openForRuns,
  type Script,
  temporaryPath,
} from "./testing/stored-threads.ts";
import { readMessages } from "./testing/thread-growth.ts";

/** `send` ends after so many steps, as a stop ends it, or by itself; the numbers choose among what was noted. */
const deed = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("send" as const), steps: fc.nat({ max: 14 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("resume" as const), steps: fc.nat({ max: 14 }) }) },
  fc.record({ do: fc.constant("take back" as const), which: fc.nat() }),
  fc.constant({ do: "undo" as const }),
  fc.record({ do: fc.constant("copy" as const), which: fc.nat() }),
  fc.constant({ do: "reopen" as const }),
);

type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

/** Two calls of the tool; in some turns the second goes to a sub-agent that calls it too. */
const script: Script = (human, step) => {
  const mail = { id: `${human}-${step}`, name: "send_mail", args: { to: `${step}` } };
  const task = {
    id: `${human}-task`,
    name: "task",
    args: { description: `for ${human}`, subagent_type: "worker" },
  };
  if (step >= 2) return { content: `end of ${human}` };
  return { calls: [step === 1 && /^turn \d*[0369]$/.test(human) ? task : mail] };
};

type Noted = { thread: string; id: string; lines: string[] };

class Life {
  readonly #open: () => LinearSqliteSaver;
  #saver: LinearSqliteSaver;
  #thread = "t0";
  #turns = 0;
  #copies = 0;
  #mark: { mark: string; thread: string; from: string; isNew: boolean } | undefined;
  readonly noted: Noted[] = [];

  constructor(open: () => LinearSqliteSaver) {
    this.#open = open;
    this.#saver = open();
  }

  async lines(thread = this.#thread, id?: string): Promise<string[] | undefined> {
    const messages = (await readMessages(this.#saver, thread, id)) as BaseMessage[] | undefined;
    return messages?.map(describeMessage);
  }

  async #note(): Promise<void> {
    const id = this.#saver.newestCheckpoint(this.#thread);
    if (id !== null)
      this.noted.push({ thread: this.#thread, id, lines: (await this.lines(this.#thread, id))! });
  }

  async run(one: Deed): Promise<void> {
    if (one.do === "send" || one.do === "resume") return this.#go(one.do, one.steps);
    if (one.do === "reopen") {
      this.#saver.close();
      this.#saver = this.#open();
    }
    if (one.do === "undo" && this.#mark?.thread === this.#thread) {
      this.#saver.bringThreadForth(this.#thread, this.#mark.mark);
      expect(await this.lines()).toEqual(this.noted.find(({ id }) => id === this.#mark?.from)?.lines);
      // It goes on from there: the step is passed like any other, unless a turn began at it.
      if (this.#mark.isNew) this.noted.pop();
      this.#mark = undefined;
    }
    if (one.do !== "take back" && one.do !== "copy") return;
    const own = this.noted.filter(({ thread }) => thread === this.#thread);
    const chosen = own[one.which % Math.max(1, own.length)];
    if (chosen === undefined) return;
    if (one.do === "copy") {
      this.#copies += 1;
      this.#saver.copyThread(chosen.thread, `t${this.#copies}`, chosen.id);
      this.#thread = `t${this.#copies}`;
      this.#mark = undefined;
    } else {
      // Where it stood is needed for the way forth.
      const from = this.#saver.newestCheckpoint(this.#thread)!;
      const isNew = !own.some(({ id }) => id === from);
      if (isNew) await this.#note();
      const mark = `m${this.#turns}-${this.noted.length}`;
      this.#saver.takeThreadBack(this.#thread, { checkpointId: chosen.id, from, mark });
      this.#mark = { mark, thread: this.#thread, from, isNew };
    }
    expect(await this.lines()).toEqual(chosen.lines);
  }

  /** A run that is left after so many steps is what a stop, a failure and a kill leave behind. */
  async #go(how: "send" | "resume", steps: number): Promise<void> {
    if (how === "resume" && this.#saver.newestCheckpoint(this.#thread) === null) return;
    if (how === "send") await this.#note();
    this.#mark = undefined;
    this.#turns += 1;
    const name = `turn ${this.#turns}`;
    const agent = createMailAgent({ checkpointer: this.#saver, script, ran: [], ask: false });
    const input =
      how === "send" ? { messages: [{ role: "user", content: name, id: `${this.#thread}-${name}` }] } : null;
    const config = {
      configurable: { thread_id: this.#thread },
      durability: "sync" as const,
      subgraphs: true,
    };
    let left = steps;
    for await (const _step of await agent.stream(input, { ...config, streamMode: "updates" })) {
      left -= 1;
      if (left <= 0 && steps < 12) break;
    }
  }
}

test("every moment that was noted is there, with what was said until then", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 12 }), async (deeds) => {
      const path = temporaryPath();
      const life = new Life(() => openForRuns(path));
      for (const one of deeds) await life.run(one);
      for (const { thread, id, lines } of life.noted) expect(await life.lines(thread, id)).toEqual(lines);
    }),
    { numRuns: runsOf(6) },
  );
});
