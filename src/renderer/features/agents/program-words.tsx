/** What a program of others is started by, and what there is to say against it. */
import { doubtsAbout } from "../../../shared/fetched-package.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { type Program, wordsOf } from "./program-fields.tsx";
import { strings } from "./strings.ts";

type Words = { command: string; args: readonly string[] };

export function ProgramWords({ command, args }: Words) {
  return (
    <code className="code-text text-ink-2">
      <ForeignText text={[command, ...args].join(" ")} />
    </code>
  );
}

/** Nothing where there is nothing to say. */
export function ProgramDoubts({ program: { command, args } }: { program: Program }) {
  const doubts = doubtsAbout({ command, args: wordsOf(args) });
  if (doubts.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm text-warn">
      {doubts.map((doubt) => (
        <li key={doubt.kind}>
          {doubt.kind === "renamed"
            ? strings.outer.doubts.renamed(spellOut(doubt.name), doubt.to)
            : strings.outer.doubts[doubt.kind](spellOut(doubt.name))}
        </li>
      ))}
    </ul>
  );
}
