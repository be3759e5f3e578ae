/** Why it asks: what the policy says of each part of the command, each reason once. */
import {
  Asterisk,
  Ban,
  BookCheck,
  CircleCheck,
  CircleQuestionMark,
  FileX,
  type LucideIcon,
  Send,
} from "lucide-react";
import { useMemo, useState } from "react";
import type { Verdict, VerdictClass, VerdictName } from "../../../shared/contract/decisions.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { bounded, mergeUnits, mostReasons, type Reason } from "./merge-units.ts";
import type { Note } from "./place-reasons.ts";
import { strings } from "./strings.ts";
import { subjectStrings } from "./subject-strings.ts";

/** `tint` is the ground of a line that it is about. */
type Look = { icon: LucideIcon; tone: string; tint: string };

const looks: Record<VerdictName, Look> = {
  safe: { icon: CircleCheck, tone: "text-ok", tint: "bg-ok-soft" },
  covered: { icon: BookCheck, tone: "text-info", tint: "bg-info-soft" },
  new: { icon: Asterisk, tone: "text-warn", tint: "bg-warn-soft" },
  ask: { icon: CircleQuestionMark, tone: "text-bad", tint: "bg-bad-soft" },
  deny: { icon: Ban, tone: "text-bad", tint: "bg-bad-soft" },
};

/** An action that asks because of what it does beyond the workspace has an icon and a word of its own. */
export const classIcons: Record<VerdictClass, LucideIcon> = { leaves: Send, final: FileX };

/** A rule that forbids says more than what the action would have done. */
export function lookOf({ verdict, class: beyond }: Reason): Look {
  const look = looks[verdict];
  return beyond !== undefined && verdict !== "deny" ? { ...look, icon: classIcons[beyond] } : look;
}

/** The parts stand whole in the command above; here they only say which is meant. */
const longestText = 80;
const mostTexts = 3;
const longestReason = 280;

/** @param notes those that stand beside their line of the command, and here only with all others. */
export function UnitChips({ verdict, notes = [] }: { verdict: Verdict; notes?: readonly Note[] }) {
  const reasons = useMemo(() => mergeUnits(verdict.units), [verdict.units]);
  const [whole, setWhole] = useState(false);
  if (reasons.length === 0) return null;
  const alone = verdict.units.length === 1;
  const fits = reasons.length <= mostReasons && reasons.every((reason) => isShort(reason, alone));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are remarks
    <div
      role="group"
      aria-label={subjectStrings.whyItAsks}
      data-why
      tabIndex={-1}
      className="flex flex-col gap-1 rounded-sm text-sm"
    >
      {reasons.slice(0, whole ? reasons.length : mostReasons).map(
        (reason, rank) =>
          (whole || !notes.some((note) => note.rank === rank)) && (
            // biome-ignore lint/suspicious/noArrayIndexKey: a reason has no other identity than its place
            <ReasonRow key={rank} reason={reason} alone={alone} whole={whole} />
          ),
      )}
      {(notes.length > 0 || !fits) && (
        <div className="flex flex-wrap items-center gap-x-2">
          {notes.length > 0 && !whole && (
            <p className="text-ink-2">
              {subjectStrings.besideLines(notes.map(({ line }) => line).toSorted((a, b) => a - b))}
            </p>
          )}
          {!fits && (
            <Button small look="quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
              {whole ? subjectStrings.fewerReasons : subjectStrings.moreReasons(reasons.length - mostReasons)}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

type ReasonRowProps = { reason: Reason; alone: boolean; whole: boolean; shape?: boolean };

/**
 * @param alone it is about the whole command, or stands beside its line, so that nothing needs to be repeated.
 * @param shape whether its shape stands before it; else it stands at the line that it is about.
 */
export function ReasonRow({ reason: merged, alone, whole, shape = true }: ReasonRowProps) {
  const { texts, verdict, class: beyond, reason, rule } = merged;
  const { icon: Icon, tone } = lookOf(merged);
  const isBeyond = beyond !== undefined && verdict !== "deny";
  const cut = (text: string, longest: number) => (whole ? text : bounded(text, longest));
  const shown = alone ? [] : texts.slice(0, whole ? texts.length : mostTexts);
  return (
    <div className="flex items-baseline gap-1.5">
      {shape && <Icon aria-hidden className={cx("size-3.5 shrink-0 translate-y-0.5", tone)} />}
      <span className="min-w-0">
        {shown.length < texts.length && !alone && (
          <span className="mr-1.5 font-medium">{texts.length} ×</span>
        )}
        {shown.map((text, index) => (
          <ExactText
            // biome-ignore lint/suspicious/noArrayIndexKey: equal parts may repeat, their order is fixed
            key={index}
            text={cut(text, longestText)}
            // A line of its own would look like another reason.
            oneLine
            className="mr-1.5 rounded-sm bg-sunken px-1"
          />
        ))}
        {!alone && shown.length < texts.length && (
          <span className="mr-1.5 text-ink-3">{subjectStrings.moreParts(texts.length - shown.length)}</span>
        )}
        <span className={cx("font-medium", tone)}>
          {isBeyond ? strings.classes[beyond] : subjectStrings.verdicts[verdict]}
        </span>
        <span className="text-ink-2">
          {" — "}
          <ForeignText text={cut(reason, longestReason)} />
          {rule && (
            <>
              {" "}
              <ExactText text={cut(rule, longestText)} oneLine />
            </>
          )}
        </span>
      </span>
    </div>
  );
}

function isShort({ texts, reason, rule = "" }: Reason, alone: boolean): boolean {
  const textsFit = alone || (texts.length <= mostTexts && texts.every((text) => text.length <= longestText));
  return textsFit && reason.length <= longestReason && rule.length <= longestText;
}
