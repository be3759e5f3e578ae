/** Asked when a message is sent while approvals wait: none of them is ever cancelled by the way. */
import { useEffect, useRef } from "react";
import type { Input } from "../../../../shared/contract/contract.ts";
import { Button } from "../../../ui/button.tsx";
import { strings } from "../strings.ts";

export type WhileWaiting = NonNullable<Input<"threads.send">["whileWaiting"]>;

type WaitingQuestionProps = { count: number; onChoose: (choice: WhileWaiting) => void; onCancel: () => void };

export function WaitingQuestion({ count, onChoose, onCancel }: WaitingQuestionProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <fieldset aria-label={strings.whileWaiting(count)} className="flex flex-wrap items-center gap-1.5">
      <p className="mr-1 font-medium">{strings.whileWaiting(count)}</p>
      <Button ref={first} small look="strong" onClick={() => onChoose("queue")}>
        {strings.queueAfter}
      </Button>
      <Button small onClick={() => onChoose("reject")}>
        {strings.asReason}
      </Button>
      <Button small onClick={() => onChoose("cancel")}>
        {strings.cancelTurn}
      </Button>
      <Button small look="quiet" onClick={onCancel}>
        {strings.keep}
      </Button>
    </fieldset>
  );
}
