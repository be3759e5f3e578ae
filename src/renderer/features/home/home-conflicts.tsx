/** What both sides changed, one file at a time: both versions, and the choice which of them the file gets. */

import { Suspense, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import { type ConflictSide, conflictSideSchema } from "../../../shared/contract/home.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { lazyPart } from "../../base/load-code.ts";
import { useReading } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { strings } from "./strings.ts";

type Conflict = Output<"home.preview">["conflicts"][number];
export type Answers = ReadonlyMap<string, ConflictSide>;

const DiffView = lazyPart(() => import("../../ui/diff-view.tsx"));

type HomeConflictsProps = {
  threadId: ThreadId;
  conflicts: readonly Conflict[];
  answers: Answers;
  digest: string;
  onAnswer: (path: string, side: ConflictSide) => void;
};

export function HomeConflicts({ threadId, conflicts, answers, digest, onAnswer }: HomeConflictsProps) {
  if (conflicts.length === 0) return null;
  const canAll = conflicts.every(({ answerable }) => answerable);
  return (
    <section aria-label={strings.conflicts.title(conflicts.length)}>
      <h3 className="mb-1 font-medium">{strings.conflicts.title(conflicts.length)}</h3>
      <p className="mb-1 text-sm text-ink-2">{canAll ? strings.conflicts.help : strings.conflicts.notAll}</p>
      <ul className="flex flex-col gap-1">
        {conflicts.map((conflict) => (
          <li key={conflict.path} className="rounded-md border border-line bg-raised px-2 py-1">
            <ConflictRow
              threadId={threadId}
              conflict={conflict}
              answer={answers.get(conflict.path)}
              digest={digest}
              onAnswer={onAnswer}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

type ConflictRowProps = Pick<HomeConflictsProps, "threadId" | "digest" | "onAnswer"> & {
  conflict: Conflict;
  answer: ConflictSide | undefined;
};

function ConflictRow({ threadId, conflict, answer, digest, onAnswer }: ConflictRowProps) {
  const { path, answerable, sides } = conflict;
  const [open, setOpen] = useState(false);
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <legend className="[overflow-wrap:anywhere]">
        <ExactText text={path} oneLine />
      </legend>
      {answerable ? (
        conflictSideSchema.options.map((side) => (
          <label key={side} className="flex min-h-6 items-center gap-1.5">
            <input
              type="radio"
              name={`conflict-${path}`}
              className="accent-ink"
              checked={answer === side}
              onChange={() => onAnswer(path, side)}
            />
            {strings.conflicts.sides[side]}
            {!sides.includes(side) && ` ${strings.conflicts.gone}`}
          </label>
        ))
      ) : (
        <span className="text-ink-3">{strings.conflicts.elsewhere}</span>
      )}
      {answerable && (
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          {strings.conflicts.show}
        </Button>
      )}
      {open && <BothSides threadId={threadId} path={path} digest={digest} />}
    </fieldset>
  );
}

type BothSidesProps = { threadId: ThreadId; path: string; digest: string };

function BothSides({ threadId, path, digest }: BothSidesProps) {
  const { value, problem } = useReading(`conflict:${threadId}:${path}:${digest}`, () =>
    client().call("home.conflict", { threadId, path }),
  );
  if (problem) return <ProblemText className="basis-full" lead={strings.readFailed} problem={problem} />;
  if (!value) return <p className="basis-full text-ink-3">{strings.reading}</p>;
  if ("why" in value) return <p className="basis-full text-ink-3">{strings.noText[value.why]}</p>;
  return (
    <div className="min-w-0 basis-full">
      <Suspense fallback={<p className="text-ink-3">{strings.reading}</p>}>
        <DiffView
          diff={{ path, before: value.folder, after: value.thread, tooLarge: false }}
          tooLarge={strings.noText["too-large"]}
        />
      </Suspense>
      <p className="text-xs text-ink-3">{strings.conflicts.legend}</p>
    </div>
  );
}
