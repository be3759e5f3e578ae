/** The programs that one shell host holds, as the host sees them. */
import type { HeldProgram, HeldRequest } from "./held-program.ts";
import type { FromShellHost, ToShellHost } from "./shell-messages.ts";

type Link = {
  send(message: ToShellHost): void;
  onChange(): void;
  /** It did not say that one is gone which was let go. */
  onSilence(): void;
};

type Told = Extract<FromShellHost, { type: "ready" | "gone" }>;

export class RemoteHeld {
  readonly #held = new Map<number, { ready(pid: number): void; gone(said: string): void }>();
  readonly #link: Link;
  readonly #patienceMs: number;
  #lastId = 0;

  /** @param patienceMs how long the shell host may take to say that one is gone which was let go */
  constructor(link: Link, patienceMs: number) {
    this.#link = link;
    this.#patienceMs = patienceMs;
  }

  get size(): number {
    return this.#held.size;
  }

  start(request: HeldRequest): HeldProgram {
    this.#lastId += 1;
    const heldId = this.#lastId;
    const [ready, gone] = [Promise.withResolvers<number>(), Promise.withResolvers<string>()];
    this.#held.set(heldId, { ready: ready.resolve, gone: gone.resolve });
    this.#link.onChange();
    this.#link.send({ type: "hold", heldId, request });
    const letGo = () => {
      this.#link.send({ type: "letGo", heldId });
      setTimeout(() => this.#held.has(heldId) && this.#link.onSilence(), this.#patienceMs).unref();
    };
    return { ready: ready.promise, gone: gone.promise, letGo };
  }

  /** @returns whether it can be true */
  hear(told: Told): boolean {
    const one = this.#held.get(told.heldId);
    if (one === undefined) return false;
    if (told.type === "ready") one.ready(told.pid);
    else this.#end(told.heldId, told.said);
    return true;
  }

  /** They end with the process that started them. */
  loseAll(why: string): void {
    for (const heldId of [...this.#held.keys()]) this.#end(heldId, why);
  }

  #end(heldId: number, said: string): void {
    this.#held.get(heldId)?.gone(said);
    this.#held.delete(heldId);
    this.#link.onChange();
  }
}
