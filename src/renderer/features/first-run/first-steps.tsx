/** The first steps one after the other: a folder, a model, a task. */

import { useState } from "react";
import { common } from "../../base/common-strings.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { updateSettings } from "../../base/stores/settings-store.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { FolderStep } from "./folder-step.tsx";
import { ModelStep } from "./model-step.tsx";
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
        <header className="flex items-center gap-3">
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
        {step === 1 && <p className="text-lg">{strings.lead}</p>}
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
  try {
    await updateSettings({ firstRunDone: true });
  } catch (error) {
    showProblem(strings.notSaved, describeError(error));
  }
}
