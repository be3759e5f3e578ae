/** The form of a benchmark's result: what every bench returns, what is printed and what is kept. */
import { availableParallelism, loadavg } from "node:os";
import { z } from "zod";

const figureSchema = z.strictObject({
  /** What was measured, as a noun phrase. */
  name: z.string(),
  unit: z.string(),
  value: z.number(),
  baseline: z.strictObject({ name: z.string(), version: z.string(), value: z.number() }),
  /** value / baseline.value */
  ratio: z.number(),
  /** The greatest ratio that counts as a pass, or a bound in the unit itself. */
  bar: z.string().optional(),
  ok: z.boolean().optional(),
});

/** What is compared side by side: a first column of names, and their values as they are shown. */
const tableSchema = z.strictObject({
  title: z.string(),
  columns: z.array(z.string()).min(2),
  rows: z.array(z.array(z.string())),
});
export type Table = z.infer<typeof tableSchema>;

export const benchResultSchema = z.strictObject({
  name: z.string(),
  quick: z.boolean(),
  machine: z.strictObject({ cpus: z.number(), node: z.string(), platform: z.string() }),
  figures: z.array(figureSchema).min(1),
  tables: z.array(tableSchema).optional(),
  notes: z.array(z.string()),
});

/** One measured figure beside its baseline. */
export type Figure = z.infer<typeof figureSchema>;

/** What one run of a bench found. */
export type BenchResult = z.infer<typeof benchResultSchema>;

/** What the bench itself tells; the rest is told of the machine. */
export type Findings = Pick<BenchResult, "figures" | "tables" | "notes">;

/** What `run` of a bench is given. A quick run must end within 50 seconds on a busy machine with two cores. */
export type BenchOptions = {
  readonly quick: boolean;
};

/** Builds a figure; the ratio is derived, and judged if `maxRatio` or `maxValue` is given. */
export function figure(measured: {
  name: string;
  unit: string;
  value: number;
  /** Its version is this tree, unless it is another program's. */
  baseline: { name: string; version?: string; value: number };
  maxRatio?: number;
  maxValue?: number;
}): Figure {
  const { name, unit, value, baseline, maxRatio, maxValue } = measured;
  const ratio = value / baseline.value;
  const bars: string[] = [];
  if (maxRatio !== undefined) bars.push(`ratio ≤ ${maxRatio}`);
  if (maxValue !== undefined) bars.push(`≤ ${maxValue} ${unit}`);
  const plain = {
    name,
    unit,
    value: round(value),
    baseline: { version: "this tree", ...baseline, value: round(baseline.value) },
    ratio: round(ratio),
  };
  if (bars.length === 0) return plain;
  const ok = (maxRatio === undefined || ratio <= maxRatio) && (maxValue === undefined || value <= maxValue);
  return { ...plain, bar: bars.join(", "), ok };
}

/** Four significant digits: enough to compare, few enough to read. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}

/** Figures of time say little without it. */
export const noteOnLoad = (): string =>
  `Load of the machine when it was measured: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors.`;
