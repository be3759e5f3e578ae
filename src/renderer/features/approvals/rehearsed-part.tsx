/** What a rehearsal of a command found, on its card: a yes commits just that. What the command printed and named is its own. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { RehearsedCommand } from "../../../shared/contract/subjects.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { rehearsalStrings as words } from "./rehearsal-strings.ts";
import { RehearsedFile } from "./rehearsed-file.tsx";
import { Piece, Text } from "./subject-parts.tsx";

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
