/** Holds back what tasks of a graph wrote when they ended, for one turn of the loop: mostly their step's checkpoint follows at once and says it. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type { PendingWrite } from "@langchain/langgraph-checkpoint";

/** What a task wrote. @property config names the checkpoint that its step began with. */
export type TaskWrites = { config: RunnableConfig; writes: PendingWrite[]; taskId: string };

type Held = { one: TaskWrites; settle: (stored?: Promise<void>) => void };

export class HeldWrites {
  readonly #write: (one: TaskWrites) => Promise<void>;
  #held: Held[] = [];
  #turn: NodeJS.Immediate | undefined;

  /** @param write stores one, before it first waits for anything */
  constructor(write: (one: TaskWrites) => Promise<void>) {
    this.#write = write;
  }

  /**
   * Whoever dies within this turn has lost what the task did, as if that had taken so much longer.
   * @returns when it is stored, or passed
   */
  hold(one: TaskWrites): Promise<void> {
    return new Promise((settle) => this.#keep({ one, settle }));
  }

  #keep(...held: Held[]): void {
    this.#held.push(...held);
    if (this.#held.length > 0) this.#turn ??= setImmediate(() => this.writeAll());
  }

  /**
   * Stores a checkpoint, and with it all that was written in its step.
   * @param step the checkpoint that this step began with
   * @throws what `store` does; then it is held as before
   */
  async pass<T>(step: RunnableConfig, store: () => Promise<T>): Promise<T> {
    const place = placeOf(step);
    const isPassed = ({ one }: Held) => placeOf(one.config) === place;
    const passed = this.#held.filter(isPassed);
    this.#held = this.#held.filter((one) => !isPassed(one));
    try {
      const stored = await store();
      for (const { settle } of passed) settle();
      return stored;
    } catch (error) {
      this.#keep(...passed);
      throw error;
    }
  }

  /** Stores all that is held, before anything looks for it. */
  writeAll(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    for (const { one, settle } of this.#held.splice(0)) settle(this.#write(one));
  }
}

function placeOf({ configurable }: RunnableConfig): string {
  const { thread_id, checkpoint_ns = "", checkpoint_id } = configurable ?? {};
  return JSON.stringify([thread_id, checkpoint_ns, checkpoint_id]);
}
