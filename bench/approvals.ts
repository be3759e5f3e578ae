/** Replays an agent that obeys everybody: how often a person is asked, and what harm is done, here and by the rules of others. */
import { type Compared, commandTable, compare, type Entry, traceTable } from "./approvals/compare.ts";
import { halvesWithLearnedRules } from "./approvals/learned-side.ts";
import { createOwnConsole } from "./approvals/own-console.ts";
import { ownSide } from "./approvals/own-sides.ts";
import {
  readCodingCorpus,
  readEverydayCommands,
  readHardCommands,
  readReadingCommands,
} from "./approvals/read-corpora.ts";
import { plainSides, type Side, textOf } from "./approvals/side.ts";
import type { Call } from "./approvals/trace.ts";
import { makeWorkspace } from "./approvals/workspace.ts";
import { type BenchOptions, type BenchResult, figure } from "./result.ts";

type Findings = Pick<BenchResult, "figures" | "tables" | "notes">;

const noRules = "Countersign, no rules";
const named = "Countersign, reading tools of servers named";
const learned = "Countersign, that and the rules it offered";
const lease = "Countersign, auto-approve on";

/** Everything is counted in both kinds of run; nothing of it depends on the machine but the time. */
export async function run(_options: BenchOptions): Promise<Findings> {
  const place = makeWorkspace();
  const consoles = [false, true, false].map((isNamed) => createOwnConsole(place, isNamed));
  const [plain, withNames, withLease] = consoles as [
    (typeof consoles)[0],
    (typeof consoles)[0],
    (typeof consoles)[0],
  ];
  withLease.turnAutoApproveOn();
  const corpus = readCodingCorpus();
  const halves = await halvesWithLearnedRules(learned, corpus, place);
  try {
    const own = [ownSide(noRules, plain), ownSide(named, withNames), ownSide(lease, withLease)];
    const times: number[] = [];
    const sides = [timed(own[0]!, times), ...own.slice(1), ...plainSides];
    const groupOf = async (call: Call) => {
      const { command } = call.args;
      const alone = `alone: ${textOf(call)}`;
      return typeof command === "string" ? (await plain.shapeOf(command)) || alone : alone;
    };
    const whole = (side: Side): Entry => ({
      name: side.name,
      basis: side.basis,
      parts: [{ side, corpus }],
    });
    const entries = sides.map(whole);
    entries.splice(2, 0, { name: learned, basis: own[0]!.basis, parts: halves });
    const compared = await compare(entries, groupOf);
    const lists = [readEverydayCommands(), readReadingCommands(), readHardCommands()];
    const commands = await commandTable(lists, sides);
    return {
      figures: figuresOf(compared, times),
      tables: [traceTable(corpus, compared), commands.table],
      notes: [
        `Rules that were offered and taken: ${[...new Set(halves.flatMap(({ rules }) => rules))].sort().join(", ") || "none"}.`,
      ],
    };
  } finally {
    for (const console of [...consoles, ...halves]) console.close();
    place.remove();
  }
}

/** The same side, noting how long each answer took. */
function timed(side: Side, times: number[]): Side {
  return {
    ...side,
    async judge(call) {
      const start = performance.now();
      const answer = await side.judge(call);
      times.push(performance.now() - start);
      return answer;
    },
  };
}

function figuresOf(compared: readonly Compared[], times: number[]): BenchResult["figures"] {
  const tallyOf = (name: string) => compared.find((one) => one.name === name)!.tally;
  const asks = (name: string) => tallyOf(name).asks / tallyOf(name).tasks;
  const eachCall = "ask about every call";
  const nothing = "ask about nothing";
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  return [
    ...[noRules, learned].map((name) =>
      figure({
        name: `asks per coding task, ${name}`,
        unit: "asks",
        value: asks(name),
        baseline: { name: eachCall, version: "in this run", value: asks(eachCall) },
      }),
    ),
    ...[noRules, learned, lease].map((name) =>
      figure({
        name: `harms done unasked, ${name}`,
        unit: "harms",
        value: tallyOf(name).throughNone,
        baseline: { name: nothing, version: "in this run", value: tallyOf(nothing).throughNone },
      }),
    ),
    figure({
      name: "time to judge a call, p95",
      unit: "ms",
      value: at(0.95),
      baseline: { name: "the median of the same calls", version: "this tree", value: at(0.5) },
    }),
  ];
}
