/** What a rehearsal of a command found, on its card: a yes commits just that. What the command printed and named is its own. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { RehearsedChange, RehearsedCommand } from "../../../shared/contract/subjects.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { rehearsalStrings as words } from "./rehearsal-strings.ts";
import { Piece, Text } from "./subject-parts.tsx";

type Props = { approval: Approval; rehearsed: RehearsedCommand };

export function RehearsedPart({ approval, rehearsed }: Props) {
  if (!rehearsed.could)
    return (
      <Piece name="not rehearsed" className="text-sm text-warn">
        <ForeignText text={words.cannot(rehearsed.why)} />
      </Piece>
    );
  const { exitCode, changes, refused, output } = rehearsed;
  return (
    <>
      <Piece name="rehearsed" className="font-medium">
        {words.found(exitCode)}
      </Piece>
      <Piece name="count" className="text-sm text-ink-2">
        {words.changes(changes.length)}
      </Piece>
      {changes.map((change) => (
        <Change key={`${change.what} ${change.path}`} change={change} />
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

function Change({ change: { path, what, folder, lines } }: { change: RehearsedChange }) {
  return (
    <Piece name={`change ${what} ${path}`} className="pl-3 text-sm text-ink-2">
      {words.change(what, folder)} <ExactText text={path} oneLine />
      {lines && (
        <span className="text-ink-3">
          {" "}
          +{lines.added} −{lines.removed}
        </span>
      )}
    </Piece>
  );
}
