/** Takes over rules of another program, after telling of every entry what it becomes. */
import { type ReactNode, useRef, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import {
  type ImportedEntry,
  longestRulesFile,
  type RuleFormat,
} from "../../../shared/contract/rule-exchange.ts";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useAct } from "../../base/use-act.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { RowList } from "../../ui/row-list.tsx";
import { showToast } from "../../ui/toast.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { ExchangePlace, type Place } from "./exchange-place.tsx";
import { exchangeStrings as strings } from "./exchange-strings.ts";
import { strings as ruleWords } from "./strings.ts";

type Preview = Output<"rules.import"> & { asked: { from: RuleFormat; text: string; workspace?: string } };
type Props = { onClose: () => void; onSaved: () => void };

export function ImportRulesDialog({ onClose, onSaved }: Props) {
  const [place, setPlace] = useState<Place>({ format: "claude-code" });
  const [preview, setPreview] = useState<Preview>();
  const { problem, setProblem, act } = useAct();
  const digest = preview?.digest ?? "";
  const { read, onceRead } = useReadList(digest);
  const added = preview === undefined ? 0 : countNew(preview.entries);

  async function look(file: File) {
    setPreview(undefined);
    if (file.size > longestRulesFile) return setProblem(strings.tooLarge(longestRulesFile / 1_024));
    const { format: from, workspace } = place;
    const asked = { from, text: await file.text(), ...(workspace !== undefined && { workspace }) };
    const answer = await client().call("rules.import", asked);
    setProblem(answer.problem);
    if (answer.problem === undefined) setPreview({ ...answer, asked });
  }
  async function save() {
    if (preview === undefined) return;
    const { added: count = 0 } = await client().call("rules.import", { ...preview.asked, digest });
    showToast(strings.saved(count));
    onSaved();
    onClose();
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={strings.importTitle}
      description={strings.importText}
      actions={
        <>
          {added > 0 && !read && <UnreadNote>{strings.unread}</UnreadNote>}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="strong"
            disabled={added === 0}
            locked={!read}
            onClick={() => void onceRead(() => act(save))}
          >
            {strings.take(added)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 p-0.5">
        <ExchangePlace
          place={place}
          onChange={(next) => {
            setPlace(next);
            setPreview(undefined);
          }}
        />
        <FileChoice where={strings.where[place.format]} onChoose={(file) => void act(() => look(file))} />
        {problem !== undefined && <ProblemText problem={problem} />}
        {preview && <Entries preview={preview} />}
      </div>
    </Dialog>
  );
}

type FileChoiceProps = { where: string; onChoose: (file: File) => void };

function FileChoice({ where, onChoose }: FileChoiceProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => input.current?.click()}>{strings.choose}</Button>
        <p className="text-sm text-ink-2">{where}</p>
      </div>
      <input
        ref={input}
        type="file"
        aria-label={strings.chooseLabel}
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) onChoose(file);
        }}
      />
    </>
  );
}

const isNew = ({ known }: ImportedEntry["rules"][number]) => !known;

/** Two entries may stand for the same rule. */
function countNew(entries: readonly ImportedEntry[]): number {
  const rules = entries.flatMap((entry) => entry.rules.filter(isNew));
  return new Set(rules.map(({ effect, text, exact }) => JSON.stringify([effect, text, exact]))).size;
}

const tones: Record<ImportedEntry["outcome"], Tone> = { taken: "ok", narrowed: "info", refused: "warn" };

function Entries({ preview: { entries, digest } }: { preview: Preview }): ReactNode {
  const count = (outcome: ImportedEntry["outcome"]) =>
    entries.filter((one) => one.outcome === outcome).length;
  return (
    <>
      <p role="status" className="font-medium">
        {strings.outcome(count("taken"), count("narrowed"), count("refused"))}
      </p>
      <ReadList digest={digest}>
        <RowList label={strings.entries}>
          {entries.map((entry, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is shown as it was answered and never changes
            <li key={at} data-piece={at} className="px-3 py-1.5">
              <div className="flex items-start gap-2">
                <Badge tone={tones[entry.outcome]} className="w-18 justify-center">
                  {strings.outcomes[entry.outcome]}
                </Badge>
                <ExactText text={entry.entry} className="min-w-0 flex-1" />
              </div>
              {entry.reason !== undefined && (
                <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">
                  <ForeignText text={entry.reason} />
                </p>
              )}
              <Rules rules={entry.rules} />
            </li>
          ))}
        </RowList>
      </ReadList>
    </>
  );
}

function Rules({ rules }: Pick<ImportedEntry, "rules">) {
  if (rules.length === 0) return null;
  return (
    <ul className="mt-0.5 text-sm">
      {rules.map(({ text, effect, exact, known }) => (
        <li key={`${effect} ${text} ${exact}`} className="flex flex-wrap gap-x-2">
          <span className="text-ink-2">{ruleWords.effects[effect]}:</span>
          <ExactText text={text} />
          {exact && <span className="text-ink-2">{ruleWords.extents.exact}</span>}
          {known && <span className="text-ink-2">{strings.known}</span>}
        </li>
      ))}
    </ul>
  );
}
