/** What stands in the way of an agent: its file is refused or gone, or was changed by somebody else meanwhile. */
import type { FileProblem } from "../../../shared/contract/field-problem.ts";
import { go } from "../../base/navigation.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ProblemList } from "../../ui/problem-text.tsx";
import { idOfFile, type Opened } from "./agent-draft.ts";
import { strings } from "./strings.ts";

/** The agent cannot be opened: its file is refused, or it is gone. */
export function MissingAgent({ opened, problems }: { opened: Opened; problems: readonly FileProblem[] }) {
  const own = problems.filter(({ file }) => opened.kind !== "new" && idOfFile(file) === opened.id);
  const back = <Button onClick={() => go({ view: "agents" })}>{strings.back}</Button>;
  if (own.length === 0) return <EmptyState title={strings.gone} action={back} />;
  return (
    <div className="flex w-full max-w-[760px] flex-col items-start gap-3 px-4 py-4">
      <ProblemList title={strings.refusedFile} problems={own} hint={strings.refusedHint} />
      {back}
    </div>
  );
}

type OutdatedNoteProps = {
  /** Absent when there is no version of the file to take. */
  onTake: (() => void) | undefined;
  onKeep: () => void;
};

export function OutdatedNote({ onTake, onKeep }: OutdatedNoteProps) {
  return (
    <div
      role="alert"
      className="mx-5 mt-3 flex flex-wrap items-center gap-2 rounded-md bg-warn-soft px-3 py-2"
    >
      <p className="min-w-60 flex-1 text-warn">{onTake ? strings.outdated : strings.outdatedGone}</p>
      {onTake && (
        <Button small onClick={onTake}>
          {strings.takeFile}
        </Button>
      )}
      <Button small onClick={onKeep}>
        {strings.keepMine}
      </Button>
    </div>
  );
}
