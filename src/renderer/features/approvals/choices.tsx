/** The answers a question offers, as buttons: a press sends that one, as a decision of the card. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Choice } from "../../../shared/contract/subjects.ts";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { useIsRead } from "../seen/use-read-gauge.ts";
import { pressed } from "./pressed.ts";
import { useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";
import { submitChoice } from "./submit-form.ts";

type ChoicesProps = { approval: Approval; choices: readonly Choice[] };

export function Choices({ approval, choices }: ChoicesProps) {
  const read = useIsRead(approval.id, approval.digest);
  const busy = useQueue((state) => state.busy.has(approval.id));
  const current = useQueue((state) => state.currentId === approval.id);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, these are commands
    <div role="group" aria-label={strings.choices} className="flex flex-col gap-1.5">
      {choices.map(({ answer, about }, index) => (
        <button
          key={answer}
          type="button"
          data-choice
          data-piece={`choice ${index}`}
          data-locked={!read || undefined}
          disabled={busy}
          title={read ? undefined : strings.notes.unread}
          onClick={pressed((press) => void submitChoice(approval, answer, press))}
          className="flex min-h-8 min-w-0 items-baseline gap-2.5 rounded-md border border-line bg-raised px-2.5 py-1.5 text-left hover:bg-hover disabled:opacity-55 data-locked:border-dashed"
        >
          <span aria-hidden className={cx(!current && "invisible")}>
            <Kbd keys={String(index + 1)} />
          </span>
          <span className="flex min-w-0 flex-col">
            <ForeignText text={answer} className="font-medium" />
            {about !== undefined && <ForeignText text={about} className="text-sm text-ink-2" />}
          </span>
        </button>
      ))}
    </div>
  );
}
