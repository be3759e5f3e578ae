/** How long each subject stood in view on a visible page, for the record of decisions. Nothing is allowed because of it. */

type Viewing = { digest: string; ms: number; inView: boolean; since: number | undefined };

const viewings = new Map<string, Viewing>();

/** Told at every look at the page, and when a subject is drawn no more. */
export function noteInView(key: string, digest: string, inView: boolean): void {
  const before = viewings.get(key);
  const viewing = before?.digest === digest ? before : { digest, ms: 0, inView, since: undefined };
  viewings.set(key, viewing);
  viewing.inView = inView;
  count(viewing);
}

/** Told when the page comes into view or leaves it. */
export function countViewings(): void {
  for (const viewing of viewings.values()) count(viewing);
}

/** In whole milliseconds, as it is drawn now. */
export function viewedMs(key: string, digest: string): number {
  const viewing = viewings.get(key);
  if (viewing?.digest !== digest) return 0;
  count(viewing);
  return Math.round(viewing.ms);
}

export function forgetViewings(keys: Iterable<string> = [...viewings.keys()]): void {
  for (const key of keys) viewings.delete(key);
}

/** Adds what went by since the last time, and goes on counting while a person can see it. */
function count(viewing: Viewing): void {
  const now = performance.now();
  if (viewing.since !== undefined) viewing.ms += now - viewing.since;
  viewing.since = viewing.inView && document.visibilityState === "visible" ? now : undefined;
}
