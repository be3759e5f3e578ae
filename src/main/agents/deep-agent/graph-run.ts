/** The run that a node of a graph belongs to, and the sub-agents in it by LangGraph's namespaces. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { RunContext } from "../../gate/run-context.ts";

type SubAgent = { name: string; itemId: string };

type GraphRun = {
  run: RunContext;
  /** By the namespace segment of the `task` call they run in. */
  subAgents: Map<string, SubAgent>;
  /** Of each agent in it, by the namespace it runs in. */
  modelCalls: Map<string, number>;
};

const storage = new AsyncLocalStorage<GraphRun>();

/**
 * Runs a turn's work under its context. A graph serves many threads at once; what acts in one of them learns here which,
 * and what an ended run left behind never takes the next run for its own.
 */
export function runInContext<T>(run: RunContext, act: () => Promise<T>): Promise<T> {
  return storage.run({ run, subAgents: new Map(), modelCalls: new Map() }, act);
}

/** @throws when nothing in the call's past is a run: such a call belongs to no thread and must not happen. */
export function currentRun(): RunContext {
  return currentGraphRun().run;
}

/** Aborts with the run that this call belongs to; nothing outside of runs. */
export function runSignal(): AbortSignal | undefined {
  return storage.getStore()?.run.signal;
}

/** Everything that runs inside of the `task` call with this namespace is the sub-agent's. */
export function enterSubAgent(namespace: string, agent: SubAgent): void {
  currentGraphRun().subAgents.set(namespace.split("|").at(-1)!, agent);
}

/** The sub-agents on the way to a namespace such as `tools:a|tools:b|model_request:c`, outermost first. */
export function pathOf(namespace: string): { agentPath: string[]; parentItemId: string | undefined } {
  const { subAgents } = currentGraphRun();
  const parents = namespace
    .split("|")
    .slice(0, -1)
    .map((segment) => subAgents.get(segment))
    .filter((agent) => agent !== undefined);
  return { agentPath: parents.map((agent) => agent.name), parentItemId: parents.at(-1)?.itemId };
}

/** @returns the number of this model call among those of its agent in this run, from 1 on. @param namespace of its task */
export function countModelCall(namespace: string): number {
  const { modelCalls } = currentGraphRun();
  const agent = namespace.slice(0, namespace.lastIndexOf("|") + 1);
  const number = (modelCalls.get(agent) ?? 0) + 1;
  modelCalls.set(agent, number);
  return number;
}

function currentGraphRun(): GraphRun {
  const run = storage.getStore();
  if (!run) throw new Error("This call belongs to no run of a thread.");
  return run;
}
