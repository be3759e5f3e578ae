/** Writes the person's rules in another program's form, and says what is left out. */
import { useState } from "react";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useReading } from "../../base/use-reading.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { saveAsFile } from "../../ui/hand-text.ts";
import { ProblemText } from "../../ui/problem-text.tsx";
import { ExchangePlace, type Place } from "./exchange-place.tsx";
import { exchangeStrings as strings } from "./exchange-strings.ts";

export function ExportRulesDialog({ onClose }: { onClose: () => void }) {
  const [place, setPlace] = useState<Place>({ format: "claude-code" });
  const { format, workspace } = place;
  const { value, problem, busy } = useReading(`${format}:${workspace ?? ""}`, () =>
    client().call("rules.export", { to: format, ...(workspace !== undefined && { workspace }) }),
  );
  const answer = busy ? undefined : value;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={strings.exportTitle}
      description={strings.exportText}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="strong"
            disabled={answer === undefined}
            onClick={() => answer && saveAsFile(strings.files[format], answer.text, "text/plain")}
          >
            {strings.saveFile}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 p-0.5">
        <ExchangePlace place={place} onChange={setPlace} />
        <p className="text-sm text-ink-2">{strings.where[format]}</p>
        {problem !== undefined && !busy && <ProblemText problem={problem} />}
        {answer && (
          <>
            <textarea
              aria-label={strings.text}
              readOnly
              rows={10}
              spellCheck={false}
              value={answer.text}
              className="code-text w-full resize-y rounded-md border border-line bg-sunken px-2 py-1"
            />
            {answer.left.length > 0 && (
              <section aria-label={strings.left}>
                <h3 className="font-medium">{strings.left}</h3>
                <ul className="text-sm">
                  {answer.left.map(({ rule, reason }) => (
                    <li key={`${rule} ${reason}`} className="[overflow-wrap:anywhere]">
                      <ExactText text={rule} />{" "}
                      <span className="text-ink-2">
                        <ForeignText text={reason} />
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}
