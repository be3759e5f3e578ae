/** Asks a model for one short answer, to see whether key, address and id are right. */
import { type FormEvent, useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import type { Provider } from "../../../shared/contract/models.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { firstChoice, readChoice } from "./model-choice.ts";
import { ModelField } from "./model-field.tsx";
import { strings } from "./strings.ts";

type Result = Output<"models.test"> & { model: string };

export function ModelTest({ provider }: { provider: Provider }) {
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
        {result?.ok && <span className="text-ok">{strings.testOk(result.model)}</span>}
        {result && !result.ok && (
          <span className="text-bad">
            {strings.testFailed} {result.message}
          </span>
        )}
      </p>
    </form>
  );
}
