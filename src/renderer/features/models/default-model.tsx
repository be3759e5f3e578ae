/** Sets the model of new threads. */

import { useState } from "react";
import type { ModelRef } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toast.tsx";
import { type ChoiceProblems, type ModelChoice, nameModel, readChoice } from "./model-choice.ts";
import { ModelPicker } from "./model-picker.tsx";
import { loadProviders, useProviders } from "./providers-store.ts";
import { strings } from "./strings.ts";

export function DefaultModel({ current }: { current: ModelRef }) {
  const [choice, setChoice] = useState<ModelChoice>(current);
  const [problems, setProblems] = useState<ChoiceProblems>({});
  const provider = useProviders((state) => state.providers?.find((one) => one.id === choice.provider));
  const changed = JSON.stringify(choice) !== JSON.stringify(current);

  function save() {
    const read = readChoice(choice, provider);
    if ("problems" in read) return setProblems(read.problems);
    void setDefaultModel(read.model);
  }
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <ModelPicker
        value={choice}
        problems={problems}
        onChange={(next) => {
          setChoice(next);
          setProblems({});
        }}
      />
      <Button type="submit" disabled={!changed}>
        {strings.setDefault}
      </Button>
    </form>
  );
}

/** Sets it and reads the providers again; a failure is shown. */
export async function setDefaultModel(model: ModelRef): Promise<void> {
  await attempt(async () => {
    await client().call("models.setDefault", { model });
    await loadProviders();
    showToast(strings.defaultSaved, nameModel(model, useProviders.getState().providers));
  });
}
