/** Model servers that run on this computer, with one press to use one of their models. */
import type { Output } from "../../../shared/contract/contract.ts";
import { useAnswer } from "../../base/use-answer.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { setDefaultModel } from "./default-model.tsx";
import { strings } from "./strings.ts";

type Endpoint = Output<"models.discover">["endpoints"][number];

export function LocalServers() {
  const { value, problem, reload } = useAnswer("models.discover");
  if (problem) return <ErrorState title={strings.lookFailed} problem={problem} onRetry={reload} />;
  return (
    <div className="flex flex-col items-start gap-2">
      <p role="status" className="text-ink-2">
        {!value && strings.looking}
        {value?.endpoints.length === 0 && strings.noneFound}
      </p>
      {value?.endpoints.map((endpoint) => (
        <EndpointCard key={endpoint.baseUrl} endpoint={endpoint} />
      ))}
      {value && <Button onClick={reload}>{strings.look}</Button>}
    </div>
  );
}

function EndpointCard({ endpoint }: { endpoint: Endpoint }) {
  const { label, provider, baseUrl, models } = endpoint;
  return (
    <section aria-label={label} className="w-full rounded-md border border-line bg-surface p-3">
      <h4 className="font-medium">{label}</h4>
      <code className="code-text text-ink-2">{baseUrl}</code>
      {models.length === 0 && <p className="pt-1 text-ink-2">{strings.noModels}</p>}
      <ul className="pt-1">
        {models.map((model) => (
          <li key={model} className="flex items-center justify-between gap-3 py-0.5">
            <code className="code-text min-w-0">{model}</code>
            <Button
              small
              aria-label={strings.setDefaultNamed(model)}
              onClick={() => void setDefaultModel({ provider, model, baseUrl })}
            >
              {strings.setDefault}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
