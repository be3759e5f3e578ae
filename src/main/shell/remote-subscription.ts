/** One watcher in the host: hands on what the shell host tells, and lets it wait while the watcher pauses. */

import type { CommandEvent, Subscription } from "./output-subscribers.ts";

/** What a watcher has to tell its source, in this order: `watch` once, then the others. */
export type WatcherMessage =
  | { type: "watch"; paused: boolean }
  | { type: "pause"; paused: boolean }
  /** So many characters of output were taken, so as many more may come. */
  | { type: "took"; chars: number }
  | { type: "unwatch" };

/** What waits here is bounded: the shell host sends no more than was confirmed. */
export class RemoteSubscription implements Subscription {
  readonly #listener: (event: CommandEvent) => void;
  readonly #tell: (message: WatcherMessage) => void;
  readonly #waiting: CommandEvent[] = [];
  #isPaused = false;
  #isClosed = false;
  /** What the source was told last; undefined before it knows of this watcher. */
  #toldPaused: boolean | undefined;
  #isScheduled = false;

  constructor(listener: (event: CommandEvent) => void, tell: (message: WatcherMessage) => void) {
    this.#listener = listener;
    this.#tell = tell;
    this.#schedule();
  }

  pause(): void {
    this.#isPaused = true;
    this.#schedule();
  }

  resume(): void {
    this.#isPaused = false;
    this.#schedule();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.#tell({ type: "unwatch" });
  }

  hear(event: CommandEvent): void {
    this.#waiting.push(event);
    this.#drain();
  }

  /** A wish that changes several times in one turn of the loop is told once, and nobody is called back at once. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isClosed) return;
      this.#tellPaused();
      this.#drain();
    });
  }

  #tellPaused(): void {
    const paused = this.#isPaused;
    if (this.#toldPaused === paused) return;
    const type = this.#toldPaused === undefined ? "watch" : "pause";
    this.#toldPaused = paused;
    this.#tell({ type, paused });
  }

  #drain(): void {
    let chars = 0;
    for (let event = this.#next(); event !== undefined; event = this.#next()) {
      if (event.type === "output") chars += event.text.length;
      this.#handOn(event);
    }
    if (chars > 0 && !this.#isClosed) this.#tell({ type: "took", chars });
  }

  #next(): CommandEvent | undefined {
    return this.#isPaused || this.#isClosed ? undefined : this.#waiting.shift();
  }

  /** A watcher that throws is a defect of the watcher; the command and the others go on without it. */
  #handOn(event: CommandEvent): void {
    try {
      this.#listener(event);
    } catch {
      this.close();
    }
    if (event.type === "ended") this.close();
  }
}
