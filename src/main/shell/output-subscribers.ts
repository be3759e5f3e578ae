/** Shows a command's output to those who watch, from one shared ring: a slow watcher skips bytes, it never queues them. */
import { StringDecoder } from "node:string_decoder";
import type { CommandResult } from "./command-result.ts";
import { borderAtOrAfter, type OutputRing } from "./output-ring.ts";

/** What a watcher is told, in order. `output` keeps its escape sequences: it is meant for a terminal. */
export type CommandEvent =
  | { type: "output"; text: string }
  /** Bytes that fell out of the ring while this watcher was paused; the next output starts on a fresh line. */
  | { type: "skipped"; bytes: number }
  /** A program reads the keyboard (true), or went on (false). */
  | { type: "waitingForInput"; waiting: boolean }
  | { type: "ended"; result: CommandResult };

type CommandListener = (event: CommandEvent) => void;

/** A watcher's hold on its stream. After `pause` no event arrives until `resume`. */
export type Subscription = {
  pause(): void;
  resume(): void;
  close(): void;
};

/** Bytes handed over at once. */
const pieceBytes = 64 * 1024;
/** How far to look for a line border after a skip, so that a terminal does not start in an escape sequence. */
const lineSearchBytes = 4096;

type Watcher = {
  listener: CommandListener;
  decoder: StringDecoder;
  cursor: number;
  paused: boolean;
  /** Has stalled too long: it holds nobody back until it resumes. */
  cutBack: boolean;
  toldWaiting: boolean;
};

type SubscribersOptions = {
  ring: OutputRing;
  /** How long one paused watcher may hold the command back. */
  stallMs: number;
  /** The watchers' wish, told on each change: true = stop reading from the command. */
  onHoldBack: (held: boolean) => void;
};

/** The watchers of one command. */
export class OutputSubscribers {
  readonly #options: SubscribersOptions;
  readonly #ring: OutputRing;
  readonly #watchers = new Set<Watcher>();
  #scheduled = false;
  #waiting = false;
  #held = false;
  #stallTimer: NodeJS.Timeout | undefined;
  #result: CommandResult | undefined;

  constructor(options: SubscribersOptions) {
    this.#options = options;
    this.#ring = options.ring;
  }

  /** The new watcher is first shown what the ring still holds. */
  add(listener: CommandListener): Subscription {
    const watcher: Watcher = {
      listener,
      decoder: new StringDecoder("utf8"),
      cursor: 0,
      paused: false,
      cutBack: false,
      toldWaiting: false,
    };
    this.#watchers.add(watcher);
    this.#schedule();
    return {
      pause: () => {
        watcher.paused = true;
        this.#review();
      },
      resume: () => {
        watcher.paused = false;
        watcher.cutBack = false;
        this.#schedule();
        this.#review();
      },
      close: () => {
        this.#watchers.delete(watcher);
        this.#review();
      },
    };
  }

  /** Must be called before `bytes` more are appended, so that nothing a ready watcher could take is overwritten. */
  makeRoomFor(bytes: number): void {
    for (const watcher of this.#watchers) {
      if (!watcher.paused && this.#ring.end + bytes - watcher.cursor > this.#ring.capacity)
        this.#flush(watcher);
    }
  }

  /** Bytes were appended to the ring. */
  appended(): void {
    this.#schedule();
    this.#review();
  }

  setWaiting(waiting: boolean): void {
    this.#waiting = waiting;
    this.#schedule();
  }

  end(result: CommandResult): void {
    this.#result = result;
    this.#review();
    this.#schedule();
  }

  /** A watcher that throws is a defect of the watcher; the command and the others go on without it. */
  #tell(watcher: Watcher, event: CommandEvent): void {
    try {
      watcher.listener(event);
    } catch {
      this.#watchers.delete(watcher);
    }
  }

  #skipLost(watcher: Watcher): void {
    const preview = this.#ring.read(this.#ring.start, lineSearchBytes);
    const newline = preview.indexOf(0x0a);
    const from = this.#ring.start + (newline === -1 ? borderAtOrAfter(preview, 0) : newline + 1);
    const bytes = from - watcher.cursor;
    watcher.cursor = from;
    watcher.decoder = new StringDecoder("utf8");
    this.#tell(watcher, { type: "skipped", bytes });
  }

  #tellOutput(watcher: Watcher): void {
    const piece = this.#ring.read(watcher.cursor, pieceBytes);
    watcher.cursor += piece.length;
    const text = watcher.decoder.write(piece);
    if (text !== "") this.#tell(watcher, { type: "output", text });
  }

  #tellEnd(watcher: Watcher, result: CommandResult): void {
    this.#watchers.delete(watcher);
    const rest = watcher.decoder.end();
    if (rest !== "") this.#tell(watcher, { type: "output", text: rest });
    this.#tell(watcher, { type: "ended", result });
  }

  /** Any event may make the watcher pause or leave, so that is asked anew before each. */
  #flush(watcher: Watcher): void {
    const ready = () => this.#watchers.has(watcher) && !watcher.paused;
    while (ready() && watcher.cursor < this.#ring.end) {
      if (watcher.cursor < this.#ring.start) this.#skipLost(watcher);
      else this.#tellOutput(watcher);
    }
    if (ready() && watcher.toldWaiting !== this.#waiting) {
      watcher.toldWaiting = this.#waiting;
      this.#tell(watcher, { type: "waitingForInput", waiting: this.#waiting });
    }
    if (ready() && this.#result !== undefined) this.#tellEnd(watcher, this.#result);
  }

  /** One event for all that arrived in this turn of the loop, instead of one for each 4 KB the terminal gives. */
  #schedule(): void {
    if (this.#scheduled || this.#watchers.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      for (const watcher of this.#watchers) this.#flush(watcher);
      this.#review();
    });
  }

  #isHolding(watcher: Watcher): boolean {
    const lag = this.#ring.end - watcher.cursor;
    return watcher.paused && !watcher.cutBack && lag > this.#ring.capacity / 2;
  }

  #review(): void {
    const now = this.#result === undefined && [...this.#watchers].some((watcher) => this.#isHolding(watcher));
    if (now === this.#held) return;
    this.#held = now;
    clearTimeout(this.#stallTimer);
    this.#stallTimer = now ? setTimeout(() => this.#cutBackStalled(), this.#options.stallMs) : undefined;
    this.#options.onHoldBack(now);
  }

  #cutBackStalled(): void {
    for (const watcher of this.#watchers) watcher.cutBack ||= this.#isHolding(watcher);
    this.#review();
  }
}
