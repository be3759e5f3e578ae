/** What the next message of a thread can go to: each agent and model it may have, as one list that is searched. */
import fuzzysort from "fuzzysort";
import type { Agent } from "../../../../shared/contract/agents.ts";
import type { ModelRef, Provider } from "../../../../shared/contract/models.ts";
import type { ThreadSummary } from "../../../../shared/contract/threads.ts";
import type { AgentId } from "../../../../shared/ids.ts";
import { isDemo } from "../../../base/words.ts";
import { type ModelChoice, readChoice } from "../../models/model-choice.ts";
import { strings } from "../strings.ts";

export type PartnerChoice = {
  key: string;
  label: string;
  /** What kind of thing it is, and whose. */
  kind: string;
  /** The thread has it now. */
  current: boolean;
  /** `form`: more has to be said than a line can. */
  does:
    | { set: "agent"; id: AgentId }
    | { set: "model"; model: ModelRef }
    | { set: "form"; from: ModelChoice };
};

/** Of the line at the end, which leads to the form for any model. */
const formKey = "form";

type Known = { agents: readonly Agent[]; providers: readonly Provider[] };

/** Agents first, then models with those of the thread's own provider first, then the form; of what the thread can. */
export function partnerChoices({ can, ...thread }: ThreadSummary, known: Known): PartnerChoice[] {
  const others = known.providers.filter(({ id }) => id !== thread.model.provider);
  const own = known.providers.filter(({ id }) => id === thread.model.provider);
  return [
    ...(can.chooseAgent ? known.agents.map((agent) => agentChoice(agent, thread.agentId)) : []),
    ...(can.chooseModel ? [...own, ...others].flatMap((one) => modelChoices(one, thread.model)) : []),
    ...(can.chooseModel ? [formChoice(thread.model)] : []),
  ];
}

/**
 * The best matches first; what fits nothing can still be the id of a model. For an empty search the choices as they stand.
 */
export function findPartners(
  choices: readonly PartnerChoice[],
  query: string,
  { can, model }: ThreadSummary,
): readonly PartnerChoice[] {
  const words = query.trim();
  if (words === "") return choices;
  const found = fuzzysort
    .go(words, choices, { keys: ["label", "kind"], threshold: 0.4 })
    .map((result) => result.obj);
  const isKnown = found.some(({ label }) => label === words);
  const read = readChoice({ ...model, model: words });
  const mayName = can.chooseModel && !isDemo(model) && !isKnown && "model" in read;
  const named = mayName ? [typedChoice(read.model)] : [];
  const form = choices.filter((one) => one.key === formKey && !found.includes(one));
  return [...found, ...named, ...form];
}

function agentChoice({ id, name }: Agent, current: AgentId): PartnerChoice {
  return {
    key: `agent ${id}`,
    label: name,
    kind: strings.partner.agent,
    current: id === current,
    does: { set: "agent", id },
  };
}

function modelChoices(provider: Provider, current: ModelRef): PartnerChoice[] {
  const own = current.provider === provider.id ? current : undefined;
  // The thread's own stands among them, whoever suggested it.
  const ids = [...new Set([...(own ? [own.model] : []), ...provider.suggestedModels])];
  const lacksKey = provider.needsKey && !provider.hasKey;
  return ids.map((id) => {
    const isOwn = own?.model === id;
    const model = isOwn ? own : { provider: provider.id, model: id };
    return {
      key: `model ${provider.id} ${id}`,
      label: isDemo(model) ? strings.demoModel : id,
      kind: lacksKey ? strings.partner.noKey(provider.label) : provider.label,
      current: isOwn,
      does: lacksKey ? { set: "form", from: model } : { set: "model", model },
    };
  });
}

function typedChoice(model: ModelRef): PartnerChoice {
  return {
    key: "typed",
    label: strings.partner.typed(model.model),
    kind: model.provider,
    current: false,
    does: { set: "model", model },
  };
}

function formChoice(from: ModelRef): PartnerChoice {
  return {
    key: formKey,
    label: strings.partner.other,
    kind: strings.partner.model,
    current: false,
    does: { set: "form", from },
  };
}
