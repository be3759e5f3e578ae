/** Why it asks: each sub-command with what the policy says of it. */
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
import type { Verdict, VerdictClass, VerdictName } from "../../../shared/contract/decisions.ts";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ExactText } from "./exact-text.tsx";
import { strings } from "./strings.ts";

const looks: Record<VerdictName, { icon: LucideIcon; tone: string }> = {
  safe: { icon: CircleCheck, tone: "text-ok" },
  covered: { icon: BookCheck, tone: "text-info" },
  new: { icon: Asterisk, tone: "text-warn" },
  ask: { icon: CircleQuestionMark, tone: "text-bad" },
  deny: { icon: Ban, tone: "text-bad" },
};

/** An action that asks because of what it does beyond the workspace has an icon and a word of its own. */
export const classIcons: Record<VerdictClass, LucideIcon> = { leaves: Send, final: FileX };

export function UnitChips({ verdict }: { verdict: Verdict }) {
  if (verdict.units.length === 0) return null;
  const alone = verdict.units.length === 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are remarks
    <div
      role="group"
      aria-label={strings.whyItAsks}
      data-why
      tabIndex={-1}
      className="flex flex-col gap-1 rounded-sm text-sm"
    >
      {verdict.units.map((unit, index) => {
        const { icon, tone } = looks[unit.verdict];
        const Icon = unit.class && unit.verdict !== "deny" ? classIcons[unit.class] : icon;
        const word =
          unit.class && unit.verdict !== "deny"
            ? strings.classes[unit.class]
            : strings.verdicts[unit.verdict];
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: equal sub-commands may repeat, their order is fixed
            key={index}
            className="flex items-baseline gap-1.5"
          >
            <Icon aria-hidden className={cx("size-3.5 shrink-0 translate-y-0.5", tone)} />
            <span className="min-w-0">
              {!alone && <ExactText text={unit.text} className="mr-1.5 rounded-sm bg-sunken px-1" />}
              <span className={cx("font-medium", tone)}>{word}</span>
              <span className="text-ink-2">
                {" — "}
                <ForeignText text={unit.reason} />
                {unit.rule && (
                  <>
                    {" "}
                    <ExactText text={unit.rule} oneLine />
                  </>
                )}
              </span>
            </span>
          </div>
        );
      })}
    </div>
  );
}
