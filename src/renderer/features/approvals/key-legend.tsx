/** The keys of the decisions, on their buttons or, where these have no room, beside them; for the eye alone. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { cx } from "../../ui/class-names.ts";
import { Kbd } from "../../ui/kbd.tsx";
import { strings } from "./strings.ts";

/** A key, and what it does in a word. */
export type KeyWord = readonly [keys: string, word: string];

/** What does not fit into the line is left out as a whole; the sheet of keys has all of them. */
export function KeyLegend({ keys }: { keys: readonly KeyWord[] }) {
  return (
    <ul
      aria-hidden
      data-key-legend
      // What stands before the first has no width: a first one that does not fit goes to the lines that are hidden, as the others do.
      className="flex h-5 flex-wrap gap-x-3 gap-y-1 overflow-hidden text-sm text-ink-3 before:-mr-3 before:h-5 before:content-[''] @min-[631px]:hidden"
    >
      {keys.map(([key, word]) => (
        <li key={key} className="flex items-center gap-1 whitespace-nowrap">
          <Kbd keys={key} />
          {word}
        </li>
      ))}
    </ul>
  );
}

/** Those of a request, in the order of its buttons. */
export function keysOf({ kind, allowedDecisions, risk }: Approval): KeyWord[] {
  // Elsewhere the same keys do what other words say.
  if (kind !== "tool" && kind !== "interrupt") return [];
  const { approve, hold, reject, edit, respond } = strings.legend;
  const all = [
    ["approve", "y", risk === "high" ? hold : approve],
    ["reject", "n", reject],
    ["edit", "c", edit],
    ["respond", "r", respond],
  ] as const;
  return all.filter(([type]) => allowedDecisions.includes(type)).map(([, key, word]) => [key, word]);
}

/** @param held it acts once it was down for a while. */
export function KeyHint({ keys, shown, held = false }: { keys: string; shown: boolean; held?: boolean }) {
  return (
    <span aria-hidden className={cx("-mr-1 inline-flex gap-1 @max-[630px]:hidden", !shown && "invisible")}>
      {held && <span className="font-normal">{strings.holdKey}</span>}
      <Kbd keys={keys} />
    </span>
  );
}
