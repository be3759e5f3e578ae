/** AbortSignal exists wherever this code runs but in no type library both sides share; this names it for both. */

type SignalShape = {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
};

/** The platform's own AbortSignal where its types are known, else the part of it that the wire uses. */
export type CancelSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : SignalShape;

type Canceller = { readonly signal: CancelSignal; abort(): void };

/** A fresh AbortController. */
export function createCanceller(): Canceller {
  const { AbortController } = globalThis as unknown as { AbortController: new () => Canceller };
  return new AbortController();
}
