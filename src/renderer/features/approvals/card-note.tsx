/** Says on the card or group itself what the last press did instead of deciding; lies over the row, so that nothing moves. */
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

export function CardNote({ of }: { of: string }) {
  const text = useQueue(({ holding, confirming, note }) => {
    if (holding === of) return strings.keepHolding;
    if (confirming === of) return strings.pressAgain;
    return note?.key === of ? note.text : undefined;
  });
  return (
    <p role="status" className="pointer-events-none absolute bottom-full left-0 z-10 mb-1">
      {text && (
        <span className="block rounded-md border border-line-strong bg-raised px-2 py-1 font-medium shadow-pop">
          {text}
        </span>
      )}
    </p>
  );
}
