/** Saves the settings as a JSON file and reads them back, after showing what would change. */
import { useRef, useState } from "react";
import { type Settings, settingsSchema } from "../../../shared/contract/console.ts";
import { type FieldProblem, nameProblems } from "../../../shared/contract/field-problem.ts";
import { messageOf } from "../../../shared/message-of.ts";
import { common } from "../../base/common-strings.ts";
import { useSettings } from "../../base/stores/settings-store.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { saveAsFile } from "../../ui/hand-text.ts";
import { ProblemList } from "../../ui/problem-text.tsx";
import { showToast } from "../../ui/toast.tsx";
import { UnreadNote } from "../../ui/unread-note.tsx";
import { ReadList } from "../seen/read-list.tsx";
import { useReadList } from "../seen/use-once-read.ts";
import { saveSettings } from "./save-settings.ts";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

export function SettingsTransfer() {
  const [change, setChange] = useState<Partial<Settings>>();
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const { data } = strings;

  async function read(file: File) {
    await attempt(async () => {
      const result = readSettingsFile(await file.text(), useSettings.getState().settings);
      setProblems("problems" in result ? result.problems : []);
      if ("change" in result && Object.keys(result.change).length === 0) showToast(data.importNone);
      else if ("change" in result) setChange(result.change);
    });
  }
  return (
    <SettingRow {...otherEntries.transfer}>
      <div className="flex max-w-96 flex-col items-end gap-2">
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() =>
              saveAsFile(
                data.fileName,
                writeSettingsFile(useSettings.getState().settings),
                "application/json",
              )
            }
          >
            {data.exportSettings}
          </Button>
          <Button onClick={() => input.current?.click()}>{data.importSettings}</Button>
        </div>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          aria-label={data.chooseFile}
          hidden
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            event.target.value = "";
            if (file) void read(file);
          }}
        />
        <ProblemList title={data.importRefused} problems={problems} />
        {change && <ImportDialog change={change} onClose={() => setChange(undefined)} />}
      </div>
    </SettingRow>
  );
}

function ImportDialog({ change, onClose }: { change: Partial<Settings>; onClose: () => void }) {
  const digest = JSON.stringify(change);
  const { read, onceRead } = useReadList(digest);
  async function apply() {
    if (!(await saveSettings(change))) return;
    showToast(strings.data.imported);
    onClose();
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={strings.data.importTitle}
      description={strings.data.importText(Object.keys(change).length)}
      actions={
        <>
          {!read && <UnreadNote>{strings.data.importUnread}</UnreadNote>}
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="strong" locked={!read} onClick={() => void onceRead(apply)}>
            {strings.data.importGo}
          </Button>
        </>
      }
    >
      <ReadList digest={digest}>
        <ul className="flex flex-col gap-1">
          {Object.entries(change).map(([name, value]) => (
            <li key={name} data-piece={name}>
              <ExactText text={`${name}: ${JSON.stringify(value)}`} />
            </li>
          ))}
        </ul>
      </ReadList>
    </Dialog>
  );
}

/** Whether the first steps were taken belongs to this computer, not to the file. */
const fileSchema = settingsSchema.omit({ firstRunDone: true, confinedOffer: true }).partial();

type Read = { change: Partial<Settings> } | { problems: FieldProblem[] };

function writeSettingsFile({ firstRunDone: _own, confinedOffer: _offer, ...settings }: Settings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** @returns only the fields whose value differs from the current one, or what is wrong with which field. */
function readSettingsFile(text: string, current: Settings): Read {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    return { problems: [{ field: "", message: strings.data.notJson(reason) }] };
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) return { problems: nameProblems(parsed.error) };
  const changed = Object.entries(parsed.data).filter(
    ([name, next]) => JSON.stringify(next) !== JSON.stringify(current[name as keyof Settings]),
  );
  return { change: Object.fromEntries(changed) };
}
