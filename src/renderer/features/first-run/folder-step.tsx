/** First step: the folder the first agent works in. */
import { type FormEvent, useState } from "react";
import { client } from "../../base/client.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { StepHeading } from "./step-heading.tsx";
import { strings } from "./strings.ts";

export function FolderStep({ folder, onChosen }: { folder: string; onChosen: (path: string) => void }) {
  const hasDialog = useHost((state) => state.host?.hasFolderDialog ?? false);
  const home = useHost((state) => state.host?.home ?? "");
  const [path, setPath] = useState(folder || home);
  const [problem, setProblem] = useState<string>();

  async function open(event: FormEvent) {
    event.preventDefault();
    if (path.trim() === "") return setProblem(strings.noFolder);
    try {
      onChosen((await client().call("workspaces.open", { path: path.trim() })).path);
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  async function pick() {
    try {
      const chosen = await client().call("workspaces.pick", {});
      if (chosen.path) setPath(chosen.path);
    } catch (error) {
      setProblem(describeError(error));
    }
  }
  return (
    <>
      <StepHeading title={strings.folderTitle} text={strings.folderText} />
      <form onSubmit={(event) => void open(event)} className="flex flex-wrap items-end gap-2">
        <TextField
          label={strings.folder}
          spellCheck={false}
          value={path}
          problem={problem}
          onChange={(event) => {
            setPath(event.target.value);
            setProblem(undefined);
          }}
          className="w-96 max-w-full"
        />
        {hasDialog && <Button onClick={() => void pick()}>{strings.pick}</Button>}
        <Button type="submit" look="strong">
          {strings.next}
        </Button>
      </form>
    </>
  );
}
