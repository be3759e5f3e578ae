/** The first steps one after the other: a folder, a model, a task. */

import { type FormEvent, useState } from "react";
import { client } from "../../base/client.ts";
import { common } from "../../base/common-strings.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { updateSettings } from "../../base/stores/settings-store.ts";
import { describeError } from "../../base/words.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useFolderChooser } from "../threads/create-thread.ts";
import { ModelStep } from "./model-step.tsx";
import { StepHeading } from "./step-heading.tsx";
import { strings } from "./strings.ts";
import { TaskStep } from "./task-step.tsx";

const stepCount = 3;

export default function FirstSteps() {
  const [step, setStep] = useState(1);
  const [folder, setFolder] = useState(useHost.getState().host?.workspace ?? "");
  const [demo, setDemo] = useState(true);
  return (
    <section aria-labelledby="first-run-title" className="border-b border-line bg-surface px-4 py-3">
      <div className="flex flex-col gap-3">
        <header className="flex items-center gap-3 whitespace-nowrap max-[400px]:gap-1.5">
          <h2 id="first-run-title" className="font-semibold">
            {strings.title}
          </h2>
          <p className="text-sm text-ink-2">{strings.step(step, stepCount)}</p>
          <span className="flex-1" />
          {step > 1 && (
            <Button small look="quiet" onClick={() => setStep(step - 1)}>
              {common.back}
            </Button>
          )}
          <Button small look="quiet" onClick={() => void finishFirstRun()}>
            {strings.skip}
          </Button>
        </header>
        {step === 1 && (
          <div>
            <p className="text-xl font-semibold">{strings.lead}</p>
            <p className="text-ink-2">{strings.leadText}</p>
          </div>
        )}
        {step === 1 && (
          <FolderStep
            folder={folder}
            onChosen={(path) => {
              setFolder(path);
              setStep(2);
            }}
          />
        )}
        {step === 2 && (
          <ModelStep
            onChosen={(scripted) => {
              setDemo(scripted);
              setStep(stepCount);
            }}
          />
        )}
        {step === stepCount && (
          <TaskStep folder={folder} demo={demo} onStarted={() => void finishFirstRun()} />
        )}
      </div>
    </section>
  );
}

async function finishFirstRun(): Promise<void> {
  await attempt(() => updateSettings({ firstRunDone: true }), strings.notSaved);
}

/** First step: the folder the first agent works in. */
function FolderStep({ folder, onChosen }: { folder: string; onChosen: (path: string) => void }) {
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
    if (!hasDialog) return useFolderChooser.setState({ open: true, onChosen });
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
        <Button onClick={() => void pick()}>{strings.pick}</Button>
        <Button type="submit" look="strong">
          {strings.next}
        </Button>
      </form>
    </>
  );
}
