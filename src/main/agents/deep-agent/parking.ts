/** How a gate brings its run to rest: an interrupt of LangGraph that asks nobody anything. */
import { GraphInterrupt } from "@langchain/langgraph";

/** @param callKey the call that is walked into again by the next run. */
export function parkingOf(callKey: string): GraphInterrupt {
  return new GraphInterrupt([{ id: callKey, value: { parked: callKey } }]);
}

/** Whether this is a gate's, and not what a foreign graph happens to ask with the same words. */
export function isParking({ id, value }: { id: string; value: unknown }): boolean {
  return typeof value === "object" && value !== null && "parked" in value && value.parked === id;
}
