/** Measures what a command costs in folders of different sizes: until it starts, and until the next one is asked for. */
import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newCommandId } from "../src/main/base/command-id.ts";
import { wallClock } from "../src/main/base/wall-clock.ts";
import { inFolder, percentile } from "./measuring.ts";
import { processorSeconds } from "./process-memory.ts";
import { type BenchOptions, type Figure, type Findings, figure } from "./result.ts";
import { buildHost, type ServedHost, serveHost } from "./served-host.ts";

const sizes = [10, 5_000, 50_000];
const filesInFolder = 25;
/** More files with a second name than what is kept of a folder goes to at each look: there it looks at everything. */
const secondNames = 501;

/** Medians of one side, in ms; the 95th percentile of the starts as well. */
type Side = { start: number; lateStart: number; step: number; processor: number };

/** Each size twice: as it is, and as everything in it was looked at before and after each command. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  const steps = quick ? 10 : 60;
  const sides = new Map<string, Side>();
  for (const size of sizes)
    for (const isKept of [true, false])
      sides.set(`${size} ${isKept}`, await inFolder((folder) => measure(folder, size, isKept, steps)));
  const small = sides.get(`${sizes[0]} true`)!;
  const figures = sizes.flatMap((size): Figure[] => {
    const kept = sides.get(`${size} true`)!;
    const whole = sides.get(`${size} false`)!;
    const count = size.toLocaleString("en");
    const compared = (name: string, pick: keyof Side, maxValue?: number) =>
      figure({
        name: `${name}, ${count} files`,
        unit: "ms",
        value: kept[pick],
        baseline: { name: "a look at everything, before and after", value: whole[pick] },
        ...(maxValue !== undefined && { maxValue }),
      });
    return [
      compared("decision to start p50", "start"),
      compared("decision to start p95", "lateStart", 30),
      compared("processor time of a step", "processor"),
      figure({
        name: `decision to the next card p50, ${count} files`,
        unit: "ms",
        value: kept.step,
        baseline: { name: `the same with ${sizes[0]} files`, value: small.step },
        maxRatio: 1.2,
      }),
    ];
  });
  return {
    figures,
    notes: [
      `${steps} commands in one turn on the demo model, each asked for and approved at once: a line is appended to one file. Folders of ${filesInFolder} files of 100 bytes.`,
      "A command's start is bash's own clock ($EPOCHREALTIME) against the moment the client called approvals.decide; processor time is that of the host without its shell host.",
      `Everything is looked at where ${secondNames} files have a second name, and then only the first 20,000 files, as before anything was kept.`,
    ],
  };
}

async function measure(folder: string, size: number, isKept: boolean, steps: number): Promise<Side> {
  const workspace = join(folder, "workspace");
  fill(workspace, size);
  if (!isKept) addSecondNames(workspace, join(folder, "names"));
  const host = await serveHost(join(folder, "data"), workspace);
  try {
    const { digest } = await host.client.call("workspaces.review", { path: workspace });
    await host.client.call("workspaces.setTrust", { path: workspace, trusted: true, digest });
    return await runCommands(host, workspace, steps);
  } finally {
    await host.stop();
  }
}

function fill(workspace: string, size: number): void {
  for (let i = 0; i < size; i += 1) {
    const folder = join(
      workspace,
      `area-${Math.floor(i / filesInFolder / 40)}`,
      `folder-${Math.floor(i / filesInFolder)}`,
    );
    if (i % filesInFolder === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${i}.txt`), `${i}\n`.repeat(100).slice(0, 100));
  }
}

function addSecondNames(workspace: string, names: string): void {
  mkdirSync(names);
  for (let i = 0; i < secondNames; i += 1) {
    const file = join(workspace, `linked-${i}`);
    writeFileSync(file, "");
    linkSync(file, join(names, `${i}`));
  }
}

async function runCommands({ client, pid }: ServedHost, workspace: string, steps: number): Promise<Side> {
  const { id: threadId } = await client.call("threads.create", { commandId: newCommandId(), workspace });
  const text = Array.from({ length: steps + 2 }, () => "run echo $EPOCHREALTIME >> run.log").join("\n\n");
  const left = new AbortController();
  const decided: number[] = [];
  const seen: number[] = [];
  const asked = new Set<string>();
  const before = processorSeconds(pid);
  await client.call("threads.send", { commandId: newCommandId(), threadId, text });
  const ended = (async () => {
    for await (const item of client.watch("threads.watch", { threadId, since: 0 }))
      if (item.kind === "events" && item.events.some(({ data }) => data.type === "turn.finished"))
        return left.abort();
  })();
  try {
    for await (const item of client.watch("console.watch", {}, { signal: left.signal })) {
      const approvals = item.kind === "approvals" || item.kind === "changes" ? item.approvals : [];
      for (const { id, digest, status } of approvals) {
        if (status !== "pending" || asked.has(id)) continue;
        asked.add(id);
        seen.push(wallClock());
        decided.push(wallClock());
        await client.call("approvals.decide", {
          commandId: newCommandId(),
          items: [{ id, digest }],
          decision: { type: "approve" },
        });
      }
    }
  } catch (error) {
    if (!left.signal.aborted) throw error;
  }
  await ended;
  const processor = ((processorSeconds(pid) - before) / decided.length) * 1_000;
  const starts = readFileSync(join(workspace, "run.log"), "utf8").trim().split("\n");
  if (starts.length !== decided.length)
    throw new Error(`${starts.length} of ${decided.length} commands ran.`);
  // The first command waits for the first look at the folder, and the second for what the first made ready.
  const delays = starts.map((line, i) => Number(line) * 1_000 - decided[i]!).slice(2);
  const between = seen.slice(3).map((at, i) => at - decided[i + 2]!);
  return {
    start: percentile(delays, 0.5),
    lateStart: percentile(delays, 0.95),
    step: percentile(between, 0.5),
    processor,
  };
}
