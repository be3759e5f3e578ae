/** How long each subject stood in view on a visible page, for the record of decisions. Nothing is allowed because of it. */

type Viewing = { digest: string; ms: number; inView: boolean; since: number | undefined };

const viewings = new Map<string, Viewing>();

/** Counts while a subject is drawn, on from where it left off with the same digest. @returns a function that ends it. */
export function followViewing(key: string, digest: string, element: Element): () => void {
  const before = viewings.get(key);
  const viewing = before?.digest === digest ? before : { digest, ms: 0, inView: false, since: undefined };
  viewings.set(key, viewing);
  const note = (inView: boolean) => {
    viewing.inView = inView;
    count(viewing);
  };
  const observer = new IntersectionObserver((entries) => note(entries.at(-1)?.isIntersecting === true));
  observer.observe(element);
  const onVisibility = () => count(viewing);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    observer.disconnect();
    document.removeEventListener("visibilitychange", onVisibility);
    note(false);
  };
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

/** Adds what went by since the last look, and goes on counting while a person can see it. */
function count(viewing: Viewing): void {
  const now = performance.now();
  if (viewing.since !== undefined) viewing.ms += now - viewing.since;
  viewing.since = viewing.inView && document.visibilityState === "visible" ? now : undefined;
}
