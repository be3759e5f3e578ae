/** The sides of this project: the queue as it is installed, with tools named, with rules it offered, and with the switch on. */
import type { Route } from "../../src/main/gate/call.ts";
import type { OwnConsole } from "./own-console.ts";
import { findOrigins } from "./provenance/find-origins.ts";
import { type ReadText, sourceOfResult } from "./provenance/read-text.ts";
import { type Answer, asks, type Past, refused, runs, type Side, textOf } from "./side.ts";
import type { Call } from "./trace.ts";

const basis = "the product's own policy, judge and rules";

/** @param name as the table has it */
export function ownSide(name: string, console: OwnConsole): Side {
  return { name, basis, judge: async (call) => toAnswer(call, await console.route(call)) };
}

/**
 * The switch, held back by where texts came from. Not part of the product.
 * @param console with the switch on
 */
export function heldBackSide(name: string, console: OwnConsole): Side {
  return {
    name,
    basis: `${basis}, with the switch held back by where texts came from, which is not part of the product`,
    async judge(call, past) {
      const route = await console.route(call);
      if (route.kind !== "run" || route.by.kind !== "auto-approve") return toAnswer(call, route);
      const origins = await findOrigins(call.tool, call.args, [past.asked], await textsOf(console, past));
      return origins.length === 0 ? runs : asks(call);
    },
  };
}

/** What the steps gave back; of one whose result is not known it is still known that there was one. */
async function textsOf(console: OwnConsole, { done }: Past): Promise<ReadText[]> {
  const texts: ReadText[] = [];
  for (const step of done) {
    const readsOnlyHere = readsOnly(await console.route(step));
    const source = sourceOfResult({ ...step, isTrusted: true, readsOnlyHere });
    texts.push({ source, name: step.tool, text: step.result ?? "" });
  }
  return texts;
}

function readsOnly(route: Route): boolean {
  return route.kind === "free" || (route.kind === "run" && route.verdict.verdict === "safe");
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
