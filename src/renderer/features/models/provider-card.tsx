/** One provider: what is set, and on demand the form that sets, tests and removes it, and the test of a model. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { Provider } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { firstChoice, readChoice } from "./model-choice.ts";
import { ModelField } from "./model-picker.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { strings } from "./strings.ts";

export function ProviderCard({ provider, isDefault }: { provider: Provider; isDefault: boolean }) {
  const [open, setOpen] = useState(false);
  const content = useId();
  const { label } = provider;
  const isDemo = provider.id === "demo";
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <h4 className="font-medium">{label}</h4>
        {isDefault && <Badge>{strings.isDefault}</Badge>}
        <span className="flex-1" />
        <KeyState provider={provider} />
        {!isDemo && (
          <IconButton
            label={(open ? strings.fold : strings.setUp)(label)}
            aria-expanded={open}
            aria-controls={open ? content : undefined}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDown /> : <ChevronRight />}
          </IconButton>
        )}
      </div>
      {isDemo && <p className="text-sm text-ink-2">{strings.demoHint}</p>}
      {open && (
        <div id={content} className="flex flex-col gap-4 pt-2 pb-1">
          <ProviderForm provider={provider} />
          <ModelTest provider={provider} />
        </div>
      )}
    </li>
  );
}

function KeyState({ provider }: { provider: Provider }) {
  const { hasKey, needsKey, keyStorage, id, baseUrl } = provider;
  if (keyStorage === "locked") return <span className="text-sm text-warn">{strings.keyLocked}</span>;
  if (hasKey) return <span className="text-sm text-ok">{strings.keySet(keyStorage)}</span>;
  if (id === "openai-compatible" && !baseUrl)
    return <span className="text-sm text-ink-2">{strings.noAddress}</span>;
  return <span className="text-sm text-ink-2">{needsKey ? strings.keyMissing : strings.noKeyNeeded}</span>;
}

type Result = Output<"models.test"> & { model: string };

/** Asks a model for one short answer, to see whether key, address and id are right. */
function ModelTest({ provider }: { provider: Provider }) {
  const [model, setModel] = useState(firstChoice(provider).model);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result>();

  async function test(event: FormEvent) {
    event.preventDefault();
    const read = readChoice({ provider: provider.id, model });
    if ("problems" in read) return setProblem(read.problems.model);
    setBusy(true);
    setResult(undefined);
    try {
      setResult({ ...(await client().call("models.test", read)), model: read.model.model });
    } catch (error) {
      setResult({ ok: false, message: describeError(error), model: read.model.model });
    } finally {
      setBusy(false);
    }
  }
  return (
    <form onSubmit={(event) => void test(event)} className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-start gap-2">
        <ModelField
          label={strings.testModel}
          value={model}
          suggestions={provider.suggestedModels}
          problem={problem}
          onChange={(next) => {
            setModel(next);
            setProblem(undefined);
          }}
        />
        <Button type="submit" disabled={busy}>
          {strings.test}
        </Button>
      </div>
      <p role="status" className="text-sm">
        {busy && <span className="text-ink-2">{strings.testing}</span>}
        {result?.ok && <span className="text-ok">{strings.testOk(spellOut(result.model))}</span>}
        {result && !result.ok && (
          <span className="text-bad">
            {strings.testFailed} <ForeignText text={result.message} lines />
          </span>
        )}
      </p>
    </form>
  );
}
