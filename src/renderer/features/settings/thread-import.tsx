/** Brings a thread from a file that Countersign wrote, here or elsewhere. */
import { type FormEvent, useState } from "react";
import { ContractError } from "../../../shared/contract/errors.ts";
import { client } from "../../base/client.ts";
import { go } from "../../base/navigation.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { showToast } from "../../ui/toast.tsx";
import { SettingRow } from "./setting-row.tsx";
import { otherEntries } from "./setting-table.ts";
import { strings } from "./strings.ts";

type Problem = { field: "path" | "workspace"; text: string };

export function ThreadImport() {
  const workspace = useHost((state) => state.host?.workspace ?? "");
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const words = strings.threadImport;

  async function read(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const fieldOf = (name: string) => String(form.get(name) ?? "").trim();
    setBusy(true);
    setProblem(undefined);
    try {
      const input = { path: fieldOf("path"), workspace: fieldOf("workspace") };
      const thread = await client().call("threads.import", input);
      useThreads.getState().change([thread], []);
      showToast(words.done(thread.title));
      go({ view: "thread", id: thread.id });
    } catch (error) {
      const isFolder = error instanceof ContractError && error.field === "workspace";
      setProblem({ field: isFolder ? "workspace" : "path", text: describeError(error) });
    } finally {
      setBusy(false);
    }
  }
  const problemOf = (field: Problem["field"]) => (problem?.field === field ? problem.text : undefined);
  return (
    <SettingRow {...otherEntries.threadImport}>
      <form onSubmit={(event) => void read(event)} className="flex w-96 max-w-full flex-col gap-2">
        <TextField label={words.file} name="path" problem={problemOf("path")} required autoComplete="off" />
        <TextField
          label={words.folder}
          name="workspace"
          defaultValue={workspace}
          problem={problemOf("workspace")}
          required
          autoComplete="off"
        />
        <div className="flex items-center justify-end gap-2">
          <p role="status" className="text-sm text-ink-2">
            {busy && words.working}
          </p>
          <Button type="submit" disabled={busy}>
            {words.go}
          </Button>
        </div>
      </form>
    </SettingRow>
  );
}
