/** Writes bench/README.md from the kept results, so that no figure in it is typed by hand. */
import type { BenchResult, Figure, Table } from "./result.ts";

const introduction = `# Benchmarks

Each figure stands beside a named baseline that was measured in the same run on the same machine; the ratio is
what counts, the absolute value depends on the machine. This file is written by \`npm run bench\` from
\`bench/results/*.json\`; do not edit it by hand.

\`\`\`sh
npm run -s bench -- NAME --json          # full run: keeps its result and rewrites this file
npm run -s bench -- NAME --quick --json  # ends within 50 seconds, keeps nothing
\`\`\`

NAME is one of checkpoint, load, servers, hook, startup, memory, disk, shell, policy, ui, triage, hold, approvals, undo, workspace, worktrees, peers. The exit code is 1 if a figure misses its bar.
`;

/** @returns the text of the file. */
export function renderReadme(results: readonly BenchResult[]): string {
  return [introduction, ...results.map(renderResult)].join("\n");
}

function renderResult({ name, machine, figures, tables = [], notes }: BenchResult): string {
  const { cpus, node, platform } = machine;
  const rows = figures.map(renderFigure);
  const lines = [
    `## ${name}`,
    "",
    `\`npm run -s bench -- ${name} --json\` on ${platform}, ${cpus} CPUs, Node ${node}.`,
    "",
    "| Figure | Measured | Baseline | Ratio | Bar | |",
    "| --- | ---: | --- | ---: | --- | --- |",
    ...rows,
    "",
    ...tables.flatMap(renderTable),
    ...notes.map((note) => `- ${note}`),
  ];
  return `${lines.join("\n")}\n`;
}

function renderTable({ title, columns, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `**${title}**`,
    "",
    line(columns),
    line(columns.map((_, at) => (at === 0 ? "---" : "---:"))),
    ...rows.map(line),
    "",
  ];
}

function renderFigure({ name, unit, value, baseline, ratio, bar, ok }: Figure): string {
  const verdict = ok === undefined ? "" : ok ? "pass" : "**miss**";
  const base = `${baseline.value.toLocaleString("en")} ${unit} (${baseline.name} ${baseline.version})`;
  return `| ${name} | ${value.toLocaleString("en")} ${unit} | ${base} | ${ratio} | ${bar ?? ""} | ${verdict} |`;
}
