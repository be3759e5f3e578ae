/** What a confined command newly made that steers others, with all that it says: it is taken in, or stays aside. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Subject } from "../../../shared/contract/subjects.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { Gauged, Piece, Text } from "./subject-parts.tsx";
import { subjectStrings } from "./subject-strings.ts";

type Props = { approval: Approval; subject: Extract<Subject, { kind: "setAside" }> };

/** The command chose the names and what stands there: nothing of it is taken for the console's words. */
export function SetAsideSubject({ approval, subject: { command, names, files, whole } }: Props) {
  return (
    <Gauged approval={approval} digest={approval.digest}>
      <Piece name="made" className="font-medium text-warn">
        {subjectStrings.madeConfined}
      </Piece>
      <Text approval={approval} text={names.join("\n")} name="names " />
      {files.map(({ path, text, runs }) => (
        <div key={path}>
          <Piece name={`file ${path}`} className="text-sm text-ink-2">
            <ExactText text={path} oneLine />
            {runs && ` · ${subjectStrings.wouldRun}`}
            {text === "" && ` · ${subjectStrings.saysNothing}`}
          </Piece>
          {text !== "" && <Text approval={approval} text={text} name={`${path} `} />}
        </div>
      ))}
      {!whole && (
        <Piece name="more" className="text-sm text-warn">
          {subjectStrings.notAllShown}
        </Piece>
      )}
      <Piece name="known" className="text-sm text-ink-3">
        {subjectStrings.madeBy}
      </Piece>
      <Text approval={approval} text={command} runs name="command " />
    </Gauged>
  );
}
