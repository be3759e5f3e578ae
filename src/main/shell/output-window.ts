/** One watcher's stream as it leaves the shell host: never more under way than the host has room for. */

import type { Subscription } from "./output-subscribers.ts";
import type { RunningCommand } from "./running-command.ts";
import type { WatchedEvent } from "./shell-messages.ts";

/** Characters that may be under way or waiting in the host, for one watcher. */
const windowChars = 128 * 1024;

/**
 * Stops listening while the host says so or has not confirmed enough. To the command that is a watcher like any other:
 * it is held back for a while, then the watcher is cut back and told what it missed.
 */
export class OutputWindow {
  readonly #subscription: Subscription;
  #isPausedByHost: boolean;
  #unconfirmed = 0;
  #isPaused = false;

  constructor(command: RunningCommand, paused: boolean, tell: (event: WatchedEvent) => void) {
    this.#isPausedByHost = paused;
    this.#subscription = command.subscribe((event) => {
      if (event.type === "output") this.#unconfirmed += event.text.length;
      tell(event.type === "ended" ? { type: "ended" } : event);
      this.#review();
    });
    this.#review();
  }

  pause(paused: boolean): void {
    this.#isPausedByHost = paused;
    this.#review();
  }

  confirm(chars: number): void {
    this.#unconfirmed -= chars;
    this.#review();
  }

  close(): void {
    this.#subscription.close();
  }

  #review(): void {
    const pause = this.#isPausedByHost || this.#unconfirmed >= windowChars;
    if (pause === this.#isPaused) return;
    this.#isPaused = pause;
    if (pause) this.#subscription.pause();
    else this.#subscription.resume();
  }
}
