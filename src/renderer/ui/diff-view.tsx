/** A unified diff with line numbers and changed words marked; drawn as elements, since ready-made viewers need inline styles. Loaded lazily. */
import { useMemo } from "react";
import { VList } from "virtua";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { cx } from "./class-names.ts";
import { type DiffPiece, useDiffColours } from "./diff-colours.ts";
import { type DiffRow, diffRows, endsLinesInCrLf, numbersOf } from "./diff-rows.ts";
import { revealInPieces, spellOut } from "./reveal-characters.ts";
import { RevealedText } from "./revealed-text.tsx";
import { ScrollBox } from "./scroll-box.tsx";

const virtualFrom = 300;

const tones: Record<DiffRow["kind"], string> = {
  same: "",
  gap: "bg-sunken text-ink-3",
  add: "bg-diff-add forced-colors:border-l-4",
  remove: "bg-diff-remove forced-colors:border-l-4 forced-colors:border-dashed",
};
const strong: Partial<Record<DiffRow["kind"], string>> = {
  add: "rounded-xs bg-diff-add-strong text-ink forced-colors:underline",
  remove: "rounded-xs bg-diff-remove-strong text-ink forced-colors:underline",
};
const signs: Record<DiffRow["kind"], string> = { same: " ", gap: " ", add: "+", remove: "−" };

type DiffViewProps = {
  diff: FileDiff;
  /** The number of the first line, where only a part of the file is given. */
  firstLine?: number;
  /** The same of what is there afterwards, where that is another number. */
  firstAfter?: number;
  /** Where in the file these lines stand is not known, so that none has a number. */
  unnumbered?: boolean;
  /** What to say instead of a diff when the host did not send one. */
  tooLarge: string;
};

export default function DiffView({ diff, firstLine, firstAfter, unnumbered, tooLarge }: DiffViewProps) {
  const rows = useMemo(
    () => diffRows(diff.before ?? "", diff.after ?? "", firstLine, firstAfter),
    [diff, firstLine, firstAfter],
  );
  const coloured = useDiffColours(diff, firstLine, firstAfter);
  if (diff.tooLarge) return <p className="text-ink-3">{tooLarge}</p>;
  const crLf = endsLinesInCrLf(diff.before ?? "", diff.after ?? "");
  const numbers = unnumbered ? [] : numbersOf(rows);
  const draw = (row: DiffRow, index: number) => (
    <DiffLine key={index} row={row} numbers={numbers} pieces={coloured(row)} crLf={crLf} />
  );
  return (
    <figure
      aria-label={`Diff of ${spellOut(diff.path)}`}
      className="overflow-hidden rounded-md border border-line bg-surface font-mono text-xs"
    >
      {rows.length > virtualFrom ? (
        <VList tabIndex={0} style={{ height: 384 }} data={rows} className="takes-presses">
          {draw}
        </VList>
      ) : (
        <ScrollBox className="max-h-96">{rows.map(draw)}</ScrollBox>
      )}
    </figure>
  );
}

type DiffLineProps = {
  row: DiffRow;
  /** The columns of numbers. */
  numbers: ReturnType<typeof numbersOf>;
  /** The text of the row. */
  pieces: readonly DiffPiece[];
  /** The carriage return at the end is the file's line end. */
  crLf: boolean;
};

/** One line with its numbers. */
export function DiffLine({ row, numbers, pieces, crLf }: DiffLineProps) {
  const revealed = useMemo(() => revealInPieces(textsOf(pieces, crLf)), [pieces, crLf]);
  return (
    <div className={cx("flex leading-5", tones[row.kind])}>
      {numbers.map((side) => (
        <span key={side} aria-hidden className="w-9 shrink-0 pr-1 text-right text-ink-3 select-none">
          {row[side] ?? ""}
        </span>
      ))}
      <span className="w-4 shrink-0 text-center select-none">{signs[row.kind]}</span>
      <span className="min-w-0 flex-1 pr-2 [overflow-wrap:anywhere] whitespace-break-spaces">
        {pieces.map(({ changed, color }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other identity than their place
            key={index}
            className={changed ? strong[row.kind] : undefined}
            style={color ? { color } : undefined}
          >
            <RevealedText parts={revealed[index] ?? []} inProse inOrder />
          </span>
        ))}
      </span>
    </div>
  );
}

function textsOf(pieces: readonly DiffPiece[], crLf: boolean): string[] {
  const last = pieces.length - 1;
  return pieces.map(({ text }, index) => (crLf && index === last ? text.replace(/\r$/, "") : text));
}
