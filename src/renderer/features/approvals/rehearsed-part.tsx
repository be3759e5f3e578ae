/** What a rehearsal of a command found, on its card: a yes commits just that. What the command printed and named is its own. */

import { useState } from "react";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { RehearsedChange, RehearsedCommand } from "../../../shared/contract/subjects.ts";
import { client } from "../../base/client.ts";
import { useReading } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { rehearsalStrings as words } from "./rehearsal-strings.ts";
import { DrawnDifference, Piece, Text } from "./subject-parts.tsx";

/** Differences of no more lines in all stand open; of more a person chooses. */
const mostOpened = 60;

type Props = { approval: Approval; rehearsed: RehearsedCommand };

export function RehearsedPart({ approval, rehearsed }: Props) {
  if (!rehearsed.could)
    return (
      <Piece name="not rehearsed" className="text-sm text-warn">
        <ForeignText text={words.cannot(rehearsed.why)} />
      </Piece>
    );
  const { exitCode, changes, refused, output } = rehearsed;
  const lines = changes.reduce((sum, one) => sum + (one.lines?.added ?? 0) + (one.lines?.removed ?? 0), 0);
  const isShort = lines <= mostOpened;
  return (
    <>
      <Piece name="rehearsed" className="font-medium">
        {words.found(exitCode)}
      </Piece>
      <Piece name="count" className="text-sm text-ink-2">
        {words.changes(changes.length)}
      </Piece>
      {changes.map((change) => (
        <RehearsedFile
          key={`${change.what} ${change.path}`}
          approval={approval}
          change={change}
          opened={isShort}
        />
      ))}
      {refused.length > 0 && (
        <>
          <Piece name="reached" className="text-sm text-warn">
            {words.reached}
          </Piece>
          <Text approval={approval} text={refused.join("\n")} name="refused lines " />
        </>
      )}
      <Piece name="printed" className="text-sm text-ink-3">
        {output ? words.printed : words.printedNothing}
      </Piece>
      {output && <Text approval={approval} text={output} name="output " />}
    </>
  );
}

/** @param opened whether its difference stands open at first. */
type FileProps = { approval: Approval; change: RehearsedChange; opened: boolean };

/** What a rehearsed command would do to one file or folder: a line, and the difference of a text, read when it is shown. */
function RehearsedFile({ approval, change: { path, what, folder, lines }, opened }: FileProps) {
  const [open, setOpen] = useState(opened);
  const changed = lines && lines.added + lines.removed > 0 ? lines : undefined;
  return (
    <div className="flex flex-col gap-1 pl-3">
      <div className="flex flex-wrap items-center gap-x-2 text-sm text-ink-2">
        <Piece name={`change ${what} ${path}`}>
          {words.change(what, folder)} <ExactText text={path} oneLine />
          {lines && (
            <span className="text-ink-3">
              {" "}
              +{lines.added} −{lines.removed}
            </span>
          )}
        </Piece>
        {changed && (
          <Button small look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? words.hideDiff : words.showDiff}
          </Button>
        )}
      </div>
      {changed && open && <Difference approval={approval} path={path} />}
    </div>
  );
}

/** As long as it is on its way the card is not read to its end. */
function Difference({ approval, path }: { approval: Approval; path: string }) {
  const { id, digest } = approval;
  const { value, problem, busy } = useReading(`${id} ${digest} ${path}`, () =>
    client().call("approvals.rehearsedDiff", { id, digest, path }),
  );
  if (busy) return <p data-unread className="h-6" />;
  if (value?.diff) return <DrawnDifference approval={approval} diff={value.diff} name={`diff of ${path} `} />;
  return (
    <p className="text-sm text-warn">
      {problem === undefined ? words.noDiff : <ForeignText text={`${words.diffFailed}: ${problem}`} />}
    </p>
  );
}
