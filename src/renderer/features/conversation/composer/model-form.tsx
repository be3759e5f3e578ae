/** The form for a model that no list has: any id, at any provider or server. */
import { type FormEvent, useState } from "react";
import type { ThreadSummary } from "../../../../shared/contract/threads.ts";
import { client } from "../../../base/client.ts";
import { go } from "../../../base/navigation.ts";
import { describeError } from "../../../base/words.ts";
import { Button } from "../../../ui/button.tsx";
import { type ChoiceProblems, type ModelChoice, readChoice } from "../../models/model-choice.ts";
import { ModelPicker } from "../../models/model-picker.tsx";
import { useProviders } from "../../models/providers-store.ts";
import { strings } from "../strings.ts";

type ModelFormProps = { thread: ThreadSummary; from: ModelChoice; onDone: () => void };

export function ModelForm({ thread, from, onDone }: ModelFormProps) {
  const [choice, setChoice] = useState<ModelChoice>(from);
  const [problems, setProblems] = useState<ChoiceProblems>({});
  const [refused, setRefused] = useState<string>();
  const provider = useProviders((state) => state.providers?.find((one) => one.id === choice.provider));

  async function use(event: FormEvent) {
    event.preventDefault();
    const read = readChoice(choice, provider);
    if ("problems" in read) return setProblems(read.problems);
    try {
      await client().call("threads.setModel", { threadId: thread.id, model: read.model });
      onDone();
    } catch (error) {
      setRefused(describeError(error));
    }
  }
  return (
    <form onSubmit={(event) => void use(event)} className="flex flex-col gap-3">
      <ModelPicker
        value={choice}
        problems={problems}
        onChange={(next) => {
          setChoice(next);
          setProblems({});
          setRefused(undefined);
        }}
      />
      {provider?.needsKey && !provider.hasKey && (
        <p className="text-sm text-ink-2">
          {strings.keyMissing(provider.label)}{" "}
          <button
            type="button"
            onClick={() => go({ view: "settings", id: "models" })}
            className="rounded-sm underline"
          >
            {strings.toKeys}
          </button>
        </p>
      )}
      {refused && (
        <p role="alert" className="text-sm text-bad">
          {refused}
        </p>
      )}
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm text-ink-3">{strings.partner.from}</span>
        <Button type="submit" look="strong">
          {strings.useModel}
        </Button>
      </div>
    </form>
  );
}
