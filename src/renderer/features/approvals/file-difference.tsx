/** The change of a file on its card, in parts that can be read one by one. Loaded lazily. */
import { useMemo } from "react";
import type { FileDiff } from "../../../shared/contract/approvals.ts";
import { useDiffColours } from "../../ui/diff-colours.ts";
import { diffRows, endsLinesInCrLf, numbersOf } from "../../ui/diff-rows.ts";
import { DiffLine } from "../../ui/diff-view.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { Waive } from "../seen/waive.tsx";
import { ReadParts } from "./read-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";

/** `name` tells it from the difference of another file in the same place. */
type FileDifferenceProps = { readKey: string; digest: string; diff: FileDiff; name?: string };

export default function FileDifference({ readKey, digest, diff, name }: FileDifferenceProps) {
  const rows = useMemo(() => diffRows(diff.before ?? "", diff.after ?? ""), [diff]);
  const crLf = useMemo(() => endsLinesInCrLf(diff.before ?? "", diff.after ?? ""), [diff]);
  const numbers = numbersOf(rows);
  const coloured = useDiffColours(diff);
  if (diff.tooLarge) {
    return (
      <p data-unread data-text={name ?? ""} className="flex flex-wrap items-center gap-2 text-ink-2">
        {subjectStrings.tooLarge}
        <Waive readKey={readKey} digest={digest} />
      </p>
    );
  }
  return (
    <figure aria-label={subjectStrings.diffOf(spellOut(diff.path))}>
      <ReadParts
        readKey={readKey}
        digest={digest}
        count={rows.length}
        unit="lines"
        name={name}
        className="overflow-hidden rounded-md border border-line bg-surface font-mono text-xs"
        draw={(from, to) =>
          rows.slice(from, to).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity than its place
            <DiffLine key={from + index} row={row} numbers={numbers} pieces={coloured(row)} crLf={crLf} />
          ))
        }
      />
    </figure>
  );
}
