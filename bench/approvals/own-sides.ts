/** The sides of this project: the queue as it is installed, with tools named, with rules it offered, and with the switch on. */
import type { Route } from "../../src/main/gate/call.ts";
import type { OwnConsole } from "./own-console.ts";
import { type Answer, refused, runs, type Side, textOf } from "./side.ts";
import type { Call } from "./trace.ts";

const basis = "the product's own policy, judge and rules";

/** @param name as the table has it */
export function ownSide(name: string, console: OwnConsole): Side {
  return { name, basis, judge: async (call) => toAnswer(call, await console.route(call)) };
}

/** A card shows the call, and of each part that does not run by itself why not. */
export function toAnswer(call: Call, route: Route): Answer {
  if (route.kind === "free" || route.kind === "run") return runs;
  if (route.kind !== "ask") return refused;
  const { units } = route.verdict;
  const said = units.filter(({ verdict }) => verdict !== "safe").map(({ reason }) => reason);
  const characters = [textOf(call), ...said].join("\n").length;
  return { outcome: "asks", characters, units: Math.max(1, units.length) };
}
