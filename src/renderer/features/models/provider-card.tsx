/** One provider: what is set, and on demand the form that sets, tests and removes it. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, useState } from "react";
import type { Provider } from "../../../shared/contract/models.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { ModelTest } from "./model-test.tsx";
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
