/** Answers the contract's calls about threads of the deepagents CLI. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { DeepagentsImport } from "../deepagents-import.ts";

type Names = Extract<keyof Handlers, `deepagents.${string}`>;

/** @returns a handler for each call about them. */
export function createDeepagentsHandlers({ list, take }: DeepagentsImport): Pick<Handlers, Names> {
  return { "deepagents.threads": list, "deepagents.import": take };
}
