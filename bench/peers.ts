/** Takes this project and the coding agents of others through the same task, where these are installed. */
import { join } from "node:path";
import { messageOf } from "../src/shared/message-of.ts";
import { findSides } from "./peers/found.ts";
import { type Measured, measureSide, type Sizes } from "./peers/measure.ts";
import type { Side } from "./peers/side.ts";
import {
  type BenchOptions,
  type BenchResult,
  type Figure,
  type Findings,
  figure,
  noteOnLoad,
} from "./result.ts";
import { buildHost } from "./served-host.ts";

const sizes: Record<"quick" | "full", Sizes> = {
  quick: { steps: 6, sessions: 4, stepsOfSession: 1, firstCards: 1 },
  full: { steps: 60, sessions: 20, stepsOfSession: 5, firstCards: 5 },
};
/** Since the process began; a peer that is begun later could not end within a quick run's 50 seconds. */
const quickUntilMs = 25_000;
/** Of one side in all; whoever takes longer is left out. */
const longestMs = { quick: 20_000, full: 300_000 };

type Row = { side: Side; measured: Measured } | { side: Side; why: string };

/** @throws what this project itself fails with; a peer that fails is named. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  const mode = quick ? "quick" : "full";
  const folder = process.env.COUNTERSIGN_AGENTS ?? join(import.meta.dirname, "..", ".cache", "agents");
  const [own, ...peers] = findSides({ folder, path: process.env.PATH ?? "" });
  const measured = await measureSide(own!, sizes[mode], new AbortController().signal);
  const rows: Row[] = [{ side: own!, measured }];
  for (const side of peers)
    rows.push(
      quick && performance.now() > quickUntilMs && !side.missing
        ? { side, why: `${side.name} is left to a full run, for which there is time` }
        : await rowOf(side, sizes[mode], longestMs[mode]),
    );
  return { figures: judge(measured), tables: [tableOf(rows)], notes: notesOn(rows, sizes[mode]) };
}

/** Never rejects: what cannot be measured says why. */
async function rowOf(side: Side, size: Sizes, limitMs: number): Promise<Row> {
  if (side.missing !== undefined) return { side, why: side.missing };
  const limit = AbortSignal.timeout(limitMs);
  try {
    return { side, measured: await measureSide(side, size, limit) };
  } catch (error) {
    const why = limit.aborted ? `it was not done after ${limitMs / 1_000} s` : messageOf(error);
    return { side, why: `${side.name} could not be measured: ${why}` };
  }
}

const columns: readonly [string, (one: Measured) => number, string][] = [
  ["Ready", (one) => one.readyMs, "ms"],
  ["First card, asked at once", (one) => one.firstCardMs, "ms"],
  ["First card, after a rest", (one) => one.restedCardMs, "ms"],
  ["Call → visible", (one) => one.visibleMs, "ms"],
  ["Allow → start", (one) => one.startMs, "ms"],
  ["p95", (one) => one.startP95Ms, "ms"],
  ["Processor a step", (one) => one.processorMs, "ms"],
  ["Disk a step", (one) => one.stepBytes / 1_000, "kB"],
  ["Memory after the first turn", (one) => one.firstMb, "MB"],
  ["At the end", (one) => one.lastMb, "MB"],
  ["Many at once: call → visible", (one) => one.manyVisibleMs, "ms"],
  ["Allow → start, p95", (one) => one.manyStartP95Ms, "ms"],
];

/** One row for each side, whether it could be measured or not. */
export function tableOf(rows: readonly Row[]): NonNullable<BenchResult["tables"]>[number] {
  return {
    title: "the same task",
    columns: ["Side", ...columns.map(([name, , unit]) => `${name}, ${unit}`)],
    rows: rows.map((row) => [
      `${row.side.name} ${row.side.version}`,
      ...columns.map(([, pick]) => ("measured" in row ? shown(pick(row.measured)) : "—")),
    ]),
  };
}

const shown = (value: number): string => String(Number(value.toPrecision(3)));

/** Why there are dashes, first. */
function notesOn(rows: readonly Row[], { steps, sessions, stepsOfSession, firstCards }: Sizes): string[] {
  return [
    ...rows.flatMap((row) => ("why" in row ? [`${row.why}.`] : [])),
    `One command a step, asked about and allowed as soon as the client sees it: it writes a line with bash's own clock and prints 2 KB; ${steps} steps in one turn, then in another start ${sessions} sessions with ${stepsOfSession} each. A model on loopback answers at once. Medians unless said otherwise.`,
    `The first card counts from the answer that a session is open. Asked at once: with the start. After a rest: three seconds after it, the median of ${firstCards} starts. Processor and memory (PSS) are those of the whole tree; disk is what the home holds after the end, less what it holds after one step.`,
    "This project is asked over its WebSocket, the others over the pipes of the Agent Client Protocol; Codex asks since its model wants to leave its sandbox.",
    noteOnLoad(),
  ];
}

function judge(measured: Measured): Figure[] {
  const bound = (name: string, value: number, unit: string, most: number) =>
    figure({
      name,
      unit,
      value,
      baseline: { name: "the bound of this project", version: "1", value: most },
      maxRatio: 1,
    });
  return [
    bound("call to visible, p50", measured.visibleMs, "ms", 15),
    bound("first card of a thread, after a rest", measured.restedCardMs, "ms", 150),
    bound("many at once: call to visible, p50", measured.manyVisibleMs, "ms", 60),
    bound("disk a step", measured.stepBytes, "bytes", 10_000),
    bound("memory after the first turn", measured.firstMb, "MB", 120),
  ];
}
