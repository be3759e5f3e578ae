/** Chooses the model a thread runs on from what the providers suggest; the list is read when it is first opened. */
import { useState } from "react";
import type { ModelRef, Provider } from "../../../shared/contract/models.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { client } from "../../app/client.ts";
import { describeError } from "../../app/words.ts";
import { Select } from "../../ui/field.tsx";
import { showProblem } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

export function ModelSelect({ thread }: { thread: ThreadSummary }) {
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  const value = JSON.stringify(thread.model);

  async function load() {
    if (providers.length > 0) return;
    try {
      setProviders((await client().call("models.providers", {})).providers);
    } catch (error) {
      showProblem(strings.failed, describeError(error));
    }
  }
  async function choose(model: ModelRef) {
    try {
      await client().call("threads.setModel", { threadId: thread.id, model });
    } catch (error) {
      showProblem(strings.failed, describeError(error));
    }
  }
  const known = providers.some((one) => refsOf(one).some((ref) => JSON.stringify(ref) === value));
  return (
    <Select
      label={strings.model}
      data-model-select
      className="max-w-44"
      value={value}
      onPointerDown={() => void load()}
      onFocus={() => void load()}
      onChange={(event) => void choose(JSON.parse(event.target.value))}
    >
      {!known && <option value={value}>{nameOf(thread.model)}</option>}
      {providers.map((one) => (
        <optgroup key={one.id} label={one.label} disabled={one.needsKey && !one.hasKey}>
          {refsOf(one).map((ref) => (
            <option key={ref.model} value={JSON.stringify(ref)}>
              {nameOf(ref)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  );
}

function refsOf(provider: Provider): ModelRef[] {
  return provider.suggestedModels.map((model) => ({
    provider: provider.id,
    model,
    ...(provider.baseUrl && { baseUrl: provider.baseUrl }),
  }));
}

function nameOf(model: ModelRef): string {
  return model.provider === "demo" ? strings.demoModel : model.model;
}
