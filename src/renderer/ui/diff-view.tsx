/** A unified diff with line numbers and changed words marked; drawn as elements, since ready-made viewers need inline styles. Loaded lazily. */
import { useMemo } from "react";
import { VList } from "virtua";
import type { FileDiff } from "../../shared/contract/approvals.ts";
import { cx } from "./class-names.ts";
import { type DiffRow, diffRows } from "./diff-rows.ts";

const virtualFrom = 300;

const tones: Record<DiffRow["kind"], string> = {
  same: "",
  gap: "bg-sunken text-ink-3",
  add: "bg-diff-add",
  remove: "bg-diff-remove",
};
const strong: Partial<Record<DiffRow["kind"], string>> = {
  add: "rounded-xs bg-diff-add-strong text-ink",
  remove: "rounded-xs bg-diff-remove-strong text-ink",
};
const signs: Record<DiffRow["kind"], string> = { same: " ", gap: " ", add: "+", remove: "−" };

/** @param tooLarge what to say instead of a diff when the host did not send one. */
export default function DiffView({ diff, tooLarge }: { diff: FileDiff; tooLarge: string }) {
  const rows = useMemo(() => diffRows(diff.before ?? "", diff.after ?? ""), [diff]);
  if (diff.tooLarge) return <p className="text-ink-3">{tooLarge}</p>;
  const draw = (row: DiffRow, index: number) => <Line key={index} row={row} />;
  return (
    <figure
      aria-label={`Diff of ${diff.path}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long diff scrolls and must be reachable by keyboard
      tabIndex={0}
      className="overflow-hidden rounded-md border border-line bg-surface font-mono text-xs"
    >
      {rows.length > virtualFrom ? (
        <VList style={{ height: 384 }} data={rows}>
          {draw}
        </VList>
      ) : (
        <div className="max-h-96 overflow-y-auto">{rows.map(draw)}</div>
      )}
    </figure>
  );
}

function Line({ row }: { row: DiffRow }) {
  return (
    <div className={cx("flex leading-5", tones[row.kind])}>
      <span aria-hidden className="w-9 shrink-0 pr-1 text-right text-ink-3 select-none">
        {row.before ?? ""}
      </span>
      <span aria-hidden className="w-9 shrink-0 pr-1 text-right text-ink-3 select-none">
        {row.after ?? ""}
      </span>
      <span className="w-4 shrink-0 text-center">{signs[row.kind]}</span>
      <span className="min-w-0 flex-1 pr-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {row.parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other identity than their place
          <span key={index} className={part.changed ? strong[row.kind] : undefined}>
            {part.text}
          </span>
        ))}
      </span>
    </div>
  );
}
