/** Reads what a procedure without input answers: a list that stays on screen while it is read again. */
import type { Output, ProcedureName } from "../../shared/contract/contract.ts";
import { client } from "./client.ts";
import { useReading } from "./use-reading.ts";

type Questions =
  | "approvals.fatigue"
  | "deepagents.threads"
  | "rules.list"
  | "rules.offerConfined"
  | "rules.previewConfined"
  | "rules.suggest"
  | "rules.unused"
  | "workspaces.list"
  | "models.providers"
  | "models.discover"
  | "settings.searchKey"
  | "agents.list"
  | "mcp.list"
  | "outerAgents.list"
  | "remoteServers.list"
  | "outerAgents.find";

type Answer<K extends ProcedureName> = { value?: Output<K>; problem?: string; reload: () => void };

/** @returns the last good answer stays while a new one is on its way; `problem` when the last try failed. */
export function useAnswer<K extends Questions>(name: K): Answer<K> {
  const { lastGood, problem, reload } = useReading<Output<K>>(name, () => client().call(name, {} as never));
  return { value: lastGood, problem, reload };
}
