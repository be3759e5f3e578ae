/** The client's side of one stream: what has arrived and was not consumed yet, and how much may still arrive. */

export type Inbox = {
  /** False when the host sent more than was asked for. */
  push(item: unknown): boolean;
  grant(credits: number): void;
  /** No more will come; what is here may still be taken, then `failure` is thrown if there is one. */
  finish(failure?: Error): void;
  /** Drops what is here and ends now. */
  abandon(): void;
  /** The next item, or undefined at the end. */
  take(): Promise<{ item: unknown } | undefined>;
};

/** @param credits how many items the host may send before it is granted more. */
export function createInbox(credits: number): Inbox {
  const items: unknown[] = [];
  let outstanding = credits;
  let finished = false;
  let failure: Error | undefined;
  let wake: (() => void) | undefined;

  function finish(because?: Error): void {
    if (finished) return;
    finished = true;
    failure = because;
    wake?.();
  }

  return {
    push: (item) => {
      if (outstanding === 0) return false;
      outstanding--;
      items.push(item);
      wake?.();
      return true;
    },
    grant: (more) => {
      outstanding += more;
    },
    finish,
    abandon: () => {
      items.length = 0;
      finish();
      failure = undefined;
    },
    take: async () => {
      while (items.length === 0 && !finished) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (items.length > 0) return { item: items.shift() };
      if (failure !== undefined) throw failure;
      return undefined;
    },
  };
}
