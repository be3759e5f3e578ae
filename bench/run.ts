/** Runs one benchmark by name and prints its result. Started by `npm run bench`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { renderReadme } from "./readme.ts";
import {
  type BenchOptions,
  type BenchResult,
  benchResultSchema,
  type Figure,
  type Findings,
} from "./result.ts";

const names = [
  "checkpoint",
  "load",
  "servers",
  "hook",
  "outer",
  "startup",
  "memory",
  "disk",
  "shell",
  "policy",
  "ui",
  "triage",
  "hold",
  "approvals",
  "undo",
  "workspace",
  "worktrees",
  "peers",
] as const;
const resultsDir = join(import.meta.dirname, "results");
const readme = join(import.meta.dirname, "README.md");

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
  });
  const name = names.find((known) => known === positionals[0]);
  if (name === undefined || positionals.length > 1) {
    console.error(
      `Usage: npm run -s bench -- NAME [--quick] [--json], where NAME is one of ${names.join(", ")}.`,
    );
    process.exitCode = 2;
    return;
  }
  const result = await runBench(name, { quick: values.quick });
  if (!result.quick) keep(result);
  console.log(values.json ? JSON.stringify(result) : describe(result));
  if (result.figures.some((figure) => figure.ok === false)) process.exitCode = 1;
}

async function runBench(name: string, options: BenchOptions): Promise<BenchResult> {
  const path = join(import.meta.dirname, `${name}.ts`);
  if (!existsSync(path))
    throw new Error(`The bench ${name} is not written yet: bench/${name}.ts does not exist.`);
  const bench = (await import(path)) as { run(options: BenchOptions): Promise<Findings> };
  const machine = {
    cpus: availableParallelism(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
  const { figures, tables, notes } = await bench.run(options);
  return benchResultSchema.parse({ name, quick: options.quick, machine, figures, tables, notes });
}

/** Only a full run is kept; the tables are made from all kept results. */
function keep(result: BenchResult): void {
  mkdirSync(resultsDir, { recursive: true });
  writeFileSync(join(resultsDir, `${result.name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  const kept = readdirSync(resultsDir).filter((file) => file.endsWith(".json"));
  const results = kept.map((file) =>
    benchResultSchema.parse(JSON.parse(readFileSync(join(resultsDir, file), "utf8"))),
  );
  const order = (name: string) => (names as readonly string[]).indexOf(name);
  results.sort((a, b) => order(a.name) - order(b.name));
  writeFileSync(readme, renderReadme(results));
}

function describe(result: BenchResult): string {
  const line = ({ name, value, unit, baseline, ratio, bar, ok }: Figure) =>
    `${ok === false ? "✗" : ok ? "✓" : " "} ${name}: ${value} ${unit}; ${baseline.name} ${baseline.version}: ${baseline.value} ${unit}; ratio ${ratio}${bar ? ` (${bar})` : ""}`;
  const tables = (result.tables ?? []).flatMap(({ title, columns, rows }) => [
    `  ${title}`,
    ...[columns, ...rows].map((cells) => `  ${cells.join(" | ")}`),
  ]);
  return [...result.figures.map(line), ...tables, ...result.notes.map((note) => `  ${note}`)].join("\n");
}

await main();
