/** A model as a form holds it: it may still be half filled in. */
import {
  type ModelRef,
  namedModelSchema,
  type Provider,
  type ProviderId,
} from "../../../shared/contract/models.ts";
import { strings } from "./strings.ts";

export type ModelChoice = { provider: ProviderId; model: string; baseUrl?: string };

export type ChoiceProblems = { model?: string; baseUrl?: string };

/**
 * @param provider its provider, when known: one without an address of its own needs one here.
 * @returns the model when it is complete, or what is missing in which field.
 */
export function readChoice(
  choice: ModelChoice,
  provider?: Provider,
): { model: ModelRef } | { problems: ChoiceProblems } {
  const baseUrl = choice.baseUrl?.trim();
  const lacksAddress = provider?.id === "openai-compatible" && !provider.baseUrl && !baseUrl;
  const parsed = namedModelSchema.safeParse({
    provider: choice.provider,
    model: choice.model,
    ...(baseUrl && { baseUrl }),
  });
  if (parsed.success && !lacksAddress) return { model: parsed.data };
  const fields = new Set(parsed.error?.issues.map((issue) => issue.path[0]));
  return {
    problems: {
      ...(fields.has("model") && { model: strings.noModel }),
      ...((lacksAddress || fields.has("baseUrl")) && { baseUrl: strings.badAddress }),
    },
  };
}

/** What a provider starts with: its first suggestion. */
export function firstChoice(provider: Provider): ModelChoice {
  return { provider: provider.id, model: provider.suggestedModels[0] ?? "" };
}

/** A model in a few words; the demo never looks like a real one. */
export function nameModel(model: ModelRef, providers: readonly Provider[] = []): string {
  const label = providers.find((one) => one.id === model.provider)?.label ?? model.provider;
  return model.provider === "demo" ? label : `${model.model} · ${label}`;
}
