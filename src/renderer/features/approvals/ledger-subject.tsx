/** What a decision of the record was about: its beginning, and all of it on demand. */
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ledgerStrings } from "./ledger-strings.ts";

const mostLines = 6;
const mostChars = 800;

export function LedgerSubject({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const begins = beginningOf(text);
  // A button takes the room of a line or two: so little is not folded away.
  const folds = text.length - begins.length > 160 || text.slice(begins.length).split("\n").length > 3;
  return (
    <div className="flex flex-col items-start gap-1">
      <ExactText text={all || !folds ? text : `${begins} …`} />
      {folds && (
        <Button small look="quiet" aria-expanded={all} className="-ml-2" onClick={() => setAll(!all)}>
          {all ? ledgerStrings.showBeginning : ledgerStrings.showAllLines(text.split("\n").length)}
        </Button>
      )}
    </div>
  );
}

/** Whole characters, also where one takes two. */
function beginningOf(text: string): string {
  const head = text.split("\n", mostLines).join("\n");
  return head.length > mostChars ? head.slice(0, mostChars).replace(/[\uD800-\uDBFF]$/, "") : head;
}
