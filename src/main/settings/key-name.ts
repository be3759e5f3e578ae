import type { ProviderId } from "../../shared/contract/models.ts";

/** Whose key it is: a provider of models, or a search service. */
export type KeyName = ProviderId | "tavily";
