/** Refuses what the agent of a thread cannot; the page does not offer it, but a page may be older than its thread. */
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { abilitiesOf } from "../../agents/source.ts";
import type { ConsoleParts } from "../console-parts.ts";

const refusals = {
  fork: "The agent of this thread cannot go on from an earlier message.",
  chooseModel: "The agent of this thread chooses its model by itself.",
  chooseAgent: "What stands behind this thread is one agent; another one needs a thread of its own.",
  resume: "The agent of this thread cannot go on with a turn that ended. Send it a message.",
  messages: "The agent of this thread works elsewhere. Write to it there.",
  export: "The agent of this thread keeps what it knows elsewhere, so the thread cannot be exported.",
};

/** @throws ContractError `conflict`, or `not-found` when there is no such thread. */
export function requireAbility(
  threadId: ThreadId,
  ability: keyof typeof refusals,
  { threads, sources }: Pick<ConsoleParts, "threads" | "sources">,
): void {
  if (!abilitiesOf(sources.of(threads.get(threadId)))[ability])
    throw new ContractError("conflict", refusals[ability], { field: "threadId" });
}
