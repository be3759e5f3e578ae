/** Reads one answer of the host when a view opens, and again when asked to. */
import { useCallback, useEffect, useState } from "react";
import type { Output, ProcedureName } from "../../shared/contract/contract.ts";
import { client } from "./client.ts";
import { describeError } from "./words.ts";

type Questions =
  | "approvals.fatigue"
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
  const [state, setState] = useState<{ value?: Output<K>; problem?: string }>({});
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    let gone = false;
    client()
      .call(name, {} as never)
      .then((value) => !gone && setState({ value }))
      .catch(
        (error) => !gone && setState((before) => ({ value: before.value, problem: describeError(error) })),
      );
    return () => {
      gone = true;
    };
  }, [name, attempt]);

  return { ...state, reload: useCallback(() => setAttempt((count) => count + 1), []) };
}
