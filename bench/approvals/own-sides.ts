/** The sides of this project: the queue as it is installed, with tools named, with rules it offered, and with the switch on. */
import type { Route } from "../../src/main/gate/call.ts";
import { readsOnly } from "../../src/main/gate/record.ts";
import { rewrittenBy } from "../../src/main/provenance/find-origins.ts";
import { toSaid } from "../../src/main/provenance/persons-words.ts";
import { sourceOfResult, toReadText } from "../../src/main/provenance/read-text.ts";
import type { KnownReading, KnownTexts } from "../../src/main/provenance/readings.ts";
import type { OwnConsole } from "./own-console.ts";
import { type Answer, type Past, refused, runs, type Side, textOf } from "./side.ts";
import type { Call } from "./trace.ts";

const basis = "the product's own policy, judge and rules";

/** @param name as the table has it */
export function ownSide(name: string, console: OwnConsole): Side {
  return { name, basis, judge: async (call) => toAnswer(call, await console.route(call)) };
}

/**
 * The switch as it is, held back by where texts came from.
 * @param console with the switch on
 */
export function heldBackSide(name: string, console: OwnConsole): Side {
  return {
    name,
    basis: `${basis}, told what the person said and the agent read before`,
    judge: async (call, past) => toAnswer(call, await console.route(call, await textsOf(console, past))),
  };
}

/** What the steps gave back; of one whose result is not known it is still known that there was one. */
async function textsOf(console: OwnConsole, { asked, done }: Past): Promise<KnownTexts> {
  const known = {
    persons: [toSaid(asked)],
    read: [] as KnownReading[],
    begun: new Map<string, number>(),
    steps: done.length,
  };
  for (const [step, { tool, args, result = "", ...call }] of done.entries()) {
    const readsOnlyHere = readsOnly(await console.route({ ...call, tool, args }));
    const rewritten = rewrittenBy(tool, args);
    if (rewritten !== undefined && !known.begun.has(rewritten)) known.begun.set(rewritten, step);
    const source = sourceOfResult({ tool, args, isTrusted: true, readsOnlyHere });
    if (source === "person") known.persons.push(toSaid(result));
    else known.read.push({ ...(await toReadText(source, tool, result)), step });
  }
  return known;
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
