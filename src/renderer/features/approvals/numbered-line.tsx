/** A line of a command with its number, and why it asks beside it, without moving the lines that follow. */
import type { ReactNode } from "react";
import { cx } from "../../ui/class-names.ts";

/** `sign` stands before the number, `words` beside the line; `tint` is the ground of both, `tone` their colour. */
export type LineNote = { sign: ReactNode; tone: string; tint: string; words: ReactNode };

/** What a box of lines leaves free at its right where notes stand there: their width and the stroke that leads to them. */
export const roomForNotes = "@min-[760px]:mr-[252px]";

/**
 * On a wide card the note floats beside the box: the line below it stays where it is, and a note that comes soon after
 * another stands below that one. On a narrow card it stands below its line.
 */
const beside =
  "@min-[760px]:relative @min-[760px]:float-right @min-[760px]:clear-right @min-[760px]:mt-0 @min-[760px]:-mr-[263px] @min-[760px]:mb-2 @min-[760px]:ml-0 @min-[760px]:w-60 @min-[760px]:bg-transparent @min-[760px]:p-0 @min-[760px]:before:absolute @min-[760px]:before:top-2.5 @min-[760px]:before:-left-3 @min-[760px]:before:w-2 @min-[760px]:before:border-t @min-[760px]:before:border-current";

type NumberedLineProps = { number: number | undefined; note?: LineNote; children: ReactNode };

/** @param number none for the rest of a line that is too long to be drawn at once. */
export function NumberedLine({ number, note, children }: NumberedLineProps) {
  return (
    <div className="flex flex-col @min-[760px]:block">
      {note && (
        <div
          data-beside
          className={cx("order-2 -mx-2.5 pr-2.5 pb-1 pl-[46px]", note.tone, note.tint, beside)}
        >
          {/* One that another pushed down stands no longer beside its line. */}
          <span
            aria-hidden
            data-line={number}
            className="line-number float-left mr-1.5 select-none @max-[760px]:hidden"
          />
          {note.words}
        </div>
      )}
      <div className={cx("-mx-2.5 flex gap-2 pr-2.5 pl-1.5 leading-5", note?.tint)}>
        <span
          aria-hidden
          data-line={number}
          className="line-number flex h-5 w-8 shrink-0 items-center self-start select-none"
        >
          {note?.sign}
        </span>
        {children}
      </div>
    </div>
  );
}
