/** Measures the checkpoint saver beside the stock one: bytes, time per put, time to load, growth with history. */
import { copyFileSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import Database from "better-sqlite3";
import { createCheckpointer } from "../src/main/storage/checkpointer/create-checkpointer.ts";
import { inFolder, median, medianOf } from "./measuring.ts";
import { packageVersion } from "./package-version.ts";
import { type BenchOptions, type Figure, type Findings, figure } from "./result.ts";
import { runToolTurn } from "./scripted-agent.ts";

const resultLength = 2048;
const threadName = "thread";
const stockName = "SqliteSaver of @langchain/langgraph-checkpoint-sqlite";
const version = packageVersion("@langchain/langgraph-checkpoint-sqlite");
/** The stock saver needs 5.5 GB for 1,000 steps, and as much again for its write-ahead log at worst. */
const bytesForStock1000 = 12e9;

/** Since the process began; later than that a quick run could not end within its 50 seconds. */
const quickGrowthUntilMs = 28_000;

type Run = {
  readonly steps: number;
  readonly bytes: number;
  /** Medians over the puts of the last 20 steps: what a step costs at this length. */
  readonly putMs: number;
  readonly getTupleMs: number;
  readonly wallMs: number;
};

type SaverKind = "stock" | "linear";

/** Runs the same agent with both savers. A quick run goes to 200 steps, a full one to 1,000 and 5,000. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  return inFolder(async (directory) => {
    await measure(directory, "linear", 20);
    const stock = await measure(directory, "stock", 200);
    const linear = await measure(directory, "linear", 200);
    const notes = [
      `One turn of N tool steps, results of ${resultLength} characters, durability sync, scripted model; bytes are the database file after a WAL checkpoint; put p50 is over the last 20 steps; getTuple reads the newest checkpoint.`,
    ];
    const figures = compare(stock, linear, { bytes: 1 / 50, put: 1 / 5 });
    if (!quick) figures.push(...(await measureLongRun(directory, stock, notes)));
    else if (performance.now() < quickGrowthUntilMs)
      figures.push(...(await measureQuickGrowth(directory, linear)));
    else notes.push("The machine was too busy to measure growth and opening within the time of a quick run.");
    return { figures, notes };
  });
}

/** The full run: 1,000 and 5,000 steps, and what history costs when a thread is opened. */
async function measureLongRun(directory: string, stock200: Run, notes: string[]): Promise<Figure[]> {
  const stock1000 = await measureOrExtrapolateStock(directory, stock200, notes);
  const linear1000 = await measure(directory, "linear", 1_000);
  const linear5000 = await measure(directory, "linear", 5_000);
  notes.push(
    `Ours at 5,000 steps: put p50 ${linear5000.putMs.toFixed(2)} ms, getTuple of 10,002 messages ${linear5000.getTupleMs.toFixed(0)} ms, whole turn ${(linear5000.wallMs / 1e3).toFixed(0)} s.`,
  );
  return [
    ...compare(stock1000, linear1000, { bytes: 1 / 250, put: 1 / 25, getTuple: 1 / 5, maxBytes: 20e6 }),
    growth(linear5000, linear1000, 5.5),
    await measureOpening(directory, 5_000),
  ];
}

/** The quick run has time for 400 steps, so growth is judged over twice the length. */
async function measureQuickGrowth(directory: string, linear200: Run): Promise<Figure[]> {
  const linear400 = await measure(directory, "linear", 400);
  return [growth(linear400, linear200, 2.2), await measureOpening(directory, 400)];
}

async function measureOrExtrapolateStock(directory: string, at200: Run, notes: string[]): Promise<Run> {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize >= bytesForStock1000) {
    const measured = await measure(directory, "stock", 1_000);
    rmSync(databasePath(directory, "stock", 1_000), { force: true });
    return measured;
  }
  const at100 = await measure(directory, "stock", 100);
  notes.push(
    "Stock at 1,000 steps is extrapolated, because the disk has less than 12 GB free: bytes by a quadratic through 100 and 200 steps, times by a straight line.",
  );
  return extrapolate(at100, at200, 1_000);
}

function extrapolate(at100: Run, at200: Run, steps: number): Run {
  const square = (at200.bytes / 200 - at100.bytes / 100) / 100;
  const bytes = (at100.bytes / 100 - square * 100) * steps + square * steps ** 2;
  const line = (pick: (run: Run) => number) =>
    pick(at200) + ((pick(at200) - pick(at100)) / 100) * (steps - 200);
  return {
    steps,
    bytes,
    putMs: line((run) => run.putMs),
    getTupleMs: line((run) => run.getTupleMs),
    wallMs: Number.NaN,
  };
}

async function measure(directory: string, kind: SaverKind, steps: number): Promise<Run> {
  const path = databasePath(directory, kind, steps);
  const checkpointer: SqliteSaver =
    kind === "stock" ? new SqliteSaver(new Database(path)) : createCheckpointer(path);
  const puts: number[] = [];
  const put = checkpointer.put.bind(checkpointer);
  checkpointer.put = async (...args) => {
    const start = performance.now();
    const config = await put(...args);
    puts.push(performance.now() - start);
    return config;
  };
  const start = performance.now();
  await runToolTurn({ checkpointer, threadId: threadName, steps, resultLength: resultLength });
  const wallMs = performance.now() - start;
  const getTupleMs = await medianOf(9, () =>
    checkpointer.getTuple({ configurable: { thread_id: threadName } }),
  );
  checkpointer.db.pragma("wal_checkpoint(TRUNCATE)");
  checkpointer.db.close();
  return { steps, bytes: statSync(path).size, putMs: median(puts.slice(-40)), getTupleMs, wallMs };
}

type Bars = {
  readonly bytes: number;
  readonly put: number;
  readonly getTuple?: number;
  readonly maxBytes?: number;
};

function compare(stock: Run, linear: Run, bars: Bars): Figure[] {
  const at = `at ${linear.steps.toLocaleString("en")} steps`;
  const baseline = (value: number) => ({ name: stockName, version: version, value });
  return [
    figure({
      name: `database size ${at}`,
      unit: "bytes",
      value: linear.bytes,
      baseline: baseline(stock.bytes),
      maxRatio: bars.bytes,
      maxValue: bars.maxBytes,
    }),
    figure({
      name: `put p50 ${at}`,
      unit: "ms",
      value: linear.putMs,
      baseline: baseline(stock.putMs),
      maxRatio: bars.put,
    }),
    figure({
      name: `getTuple of ${(2 * linear.steps + 2).toLocaleString("en")} messages`,
      unit: "ms",
      value: linear.getTupleMs,
      baseline: baseline(stock.getTupleMs),
      maxRatio: bars.getTuple,
    }),
  ];
}

function growth(long: Run, short: Run, maxRatio: number): Figure {
  const [from, to] = [short.steps, long.steps].map((steps) => steps.toLocaleString("en"));
  return figure({
    name: `database size at ${to} steps`,
    unit: "bytes",
    value: long.bytes,
    baseline: { name: `the same saver at ${from} steps`, value: short.bytes },
    maxRatio,
  });
}

/** Opens the thread with all its history and a copy that was pruned to its newest checkpoint, in turn. */
async function measureOpening(directory: string, steps: number): Promise<Figure> {
  const full = databasePath(directory, "linear", steps);
  const pruned = join(directory, "pruned.db");
  copyFileSync(full, pruned);
  const pruning = createCheckpointer(pruned);
  pruning.pruneThread(threadName, { keepLast: 1 }, "apply");
  pruning.compact();
  pruning.close();
  const times: Record<string, number[]> = { [full]: [], [pruned]: [] };
  for (let round = 0; round < 11; round += 1) {
    for (const path of [full, pruned]) times[path]!.push(await timeOpening(path));
  }
  return figure({
    name: `opening a thread of ${steps.toLocaleString("en")} steps with all its history`,
    unit: "ms",
    value: median(times[full]!),
    baseline: { name: "the same thread with only its newest checkpoint", value: median(times[pruned]!) },
    maxRatio: 1.5,
  });
}

async function timeOpening(path: string): Promise<number> {
  const start = performance.now();
  const checkpointer = createCheckpointer(path);
  await checkpointer.getTuple({ configurable: { thread_id: threadName } });
  const elapsed = performance.now() - start;
  checkpointer.close();
  return elapsed;
}

function databasePath(directory: string, kind: SaverKind, steps: number): string {
  return join(directory, `${kind}-${steps}.db`);
}
