/** Shows the model a thread runs on, and on demand the form that chooses another one: suggested, or any other id. */
import { ChevronDown } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ThreadSummary } from "../../../../shared/contract/threads.ts";
import { client } from "../../../base/client.ts";
import { go } from "../../../base/navigation.ts";
import { describeError, isDemo } from "../../../base/words.ts";
import { Button } from "../../../ui/button.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { type ChoiceProblems, type ModelChoice, readChoice } from "../../models/model-choice.ts";
import { ModelPicker } from "../../models/model-picker.tsx";
import { loadProviders, useProviders } from "../../models/providers-store.ts";
import { strings } from "../strings.ts";

export function ModelSelect({ thread }: { thread: ThreadSummary }) {
  const [open, setOpen] = useState(false);
  const name = isDemo(thread.model) ? strings.demoModel : thread.model.model;
  return (
    <Popover
      label={strings.chooseModel}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          data-model-select
          aria-label={strings.modelIs(name)}
          title={name}
          // One width for every name: nothing beside it moves when the model changes.
          className="w-44 justify-between! font-normal [&_svg]:size-3.5"
          onPointerDown={readProviders}
          onFocus={readProviders}
        >
          <span className="min-w-0 truncate">{name}</span>
          <ChevronDown aria-hidden className="shrink-0 text-ink-3" />
        </Button>
      }
    >
      <ChooseModel thread={thread} onDone={() => setOpen(false)} />
    </Popover>
  );
}

/** Keys and addresses may have been set since: what is there stays until the answer comes. */
function readProviders(): void {
  void loadProviders();
}

function ChooseModel({ thread, onDone }: { thread: ThreadSummary; onDone: () => void }) {
  const [choice, setChoice] = useState<ModelChoice>(thread.model);
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
        <span className="text-sm text-ink-3">{strings.modelFrom}</span>
        <Button type="submit" look="strong">
          {strings.useModel}
        </Button>
      </div>
    </form>
  );
}
