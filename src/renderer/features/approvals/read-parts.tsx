/** Draws a long subject part by part: all of it up to a screenful or two, more when asked, and always how much there is. */
import { type ReactNode, useMemo } from "react";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Waive } from "../seen/waive.tsx";
import { showParts, useQueue } from "./queue-store.ts";
import { subjectStrings } from "./subject-strings.ts";

/** Up to here nothing is folded. */
const mostUnfolded = 60;
/** What stands in these is drawn at once, however long the text is. */
export const firstParts = 40;
const nextParts = 20;
/** What takes more screens than a person will look at may be taken as read. */
const mostToRead = 200;
/** As many as a page draws without a pause. */
const mostAtOnce = 2_000;
const partsInPiece = 10;

type ReadPartsProps = {
  /** The card and the digest of what it shows. */
  readKey: string;
  digest: string;
  count: number;
  /** Draws the parts from one number up to another. */
  draw: (from: number, to: number) => ReactNode;
  unit: "lines" | "parts";
  /** Tells it from another long text on the same card. */
  name?: string;
  className?: string;
};

export function ReadParts({ readKey, digest, count, draw, unit, name = "", className }: ReadPartsProps) {
  const place = `${readKey} ${digest} ${name}`;
  const asked = useQueue((state) => state.shownParts.get(place));
  const shown = Math.min(count, asked ?? (count <= mostUnfolded ? count : firstParts));
  const hidden = count - shown;
  const pieces = useMemo(
    () => Array.from({ length: Math.ceil(shown / partsInPiece) }, (_, index) => index * partsInPiece),
    [shown],
  );
  return (
    <div data-text={name} className="flex flex-col gap-1">
      {/* The fade that says "more" lies below the last line and not over it. What floats beside the box ends in here. */}
      <div className="flow-root min-w-0">
        <div className={cx("relative", className, hidden > 0 && "pb-6")}>
          {pieces.map((from) => {
            const to = Math.min(from + partsInPiece, shown);
            return (
              <div key={from} data-piece={`${name}${from}-${to}`}>
                {draw(from, to)}
              </div>
            );
          })}
          {hidden > 0 && (
            <div
              aria-hidden
              className="pointer-events-none absolute inset-x-0 bottom-0 h-6 bg-linear-to-t from-sunken to-transparent"
            />
          )}
        </div>
      </div>
      {count > mostUnfolded && (
        <p
          data-unread={hidden > 0 || undefined}
          data-hidden-pieces={Math.ceil(hidden / partsInPiece)}
          className="flex flex-wrap items-center gap-1.5 text-sm text-ink-2"
        >
          <span className="mr-1 font-medium">{subjectStrings.shownOf(shown, count, unit)}</span>
          {hidden > nextParts && (
            <Button small data-show-more onClick={() => showParts(place, shown + nextParts)}>
              {subjectStrings.showMore(nextParts, unit)}
            </Button>
          )}
          {hidden > 0 && (
            <Button
              small
              data-show-all
              {...(hidden <= nextParts && { "data-show-more": true })}
              onClick={() => showParts(place, shown + Math.min(hidden, mostAtOnce))}
            >
              {subjectStrings.showMore(Math.min(hidden, mostAtOnce), unit)}
            </Button>
          )}
          {count > mostToRead && <Waive readKey={readKey} digest={digest} />}
        </p>
      )}
    </div>
  );
}
