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

/** How commands run: as they are, with everything looked at before and after each, or confined. */
type Manner = "plain" | "looked at whole" | "confined";

export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  const steps = quick ? 10 : 60;
  const measured = new Map<string, Side | string>();
  for (const size of sizes)
    for (const manner of ["plain", "looked at whole", "confined"] as const)
      measured.set(`${size} ${manner}`, await inFolder((folder) => measure(folder, size, manner, steps)));
  const of = (size: number, manner: Manner) => measured.get(`${size} ${manner}`)!;
  const plain = (size: number) => of(size, "plain") as Side;
  const unconfined = of(sizes[0]!, "confined");
  return {
    figures: sizes.flatMap((size) => {
      const confined = of(size, "confined");
      return [
        ...figuresOf(size, "", plain(size), of(size, "looked at whole") as Side, plain(sizes[0]!)),
        ...(typeof confined === "string"
          ? []
          : figuresOf(size, "confined, ", confined, plain(size), unconfined as Side)),
      ];
    }),
    notes: [
      `${steps} commands in one turn on the demo model, each asked for and approved at once: a line is appended to one file. Folders of ${filesInFolder} files of 100 bytes.`,
      "A command's start is bash's own clock ($EPOCHREALTIME) against the moment the client called approvals.decide; processor time is that of the host without its shell host.",
      `Everything is looked at where ${secondNames} files have a second name, and then only the first 20,000 files, as before anything was kept.`,
      typeof unconfined === "string"
        ? `Confined commands are not measured: ${unconfined}.`
        : "Confined: the sandbox is put up before each start, after a look at every folder for what it has to guard; what that costs has its bar in the bench of the shell.",
    ],
  };
}

/** @param base the same commands in another manner @param small the same in the smallest folder */
function figuresOf(size: number, manner: "" | "confined, ", side: Side, base: Side, small: Side): Figure[] {
  const count = `${manner}${size.toLocaleString("en")} files`;
  const compared = (name: string, pick: keyof Side, maxValue?: number) =>
    figure({
      name: `${name}, ${count}`,
      unit: "ms",
      value: side[pick],
      baseline: {
        name: manner === "" ? "a look at everything, before and after" : "the same, not confined",
        value: base[pick],
      },
      ...(maxValue !== undefined && { maxValue }),
    });
  return [
    compared("decision to start p50", "start"),
    compared("decision to start p95", "lateStart", manner === "" ? 30 : undefined),
    ...(manner === "" ? [compared("processor time of a step", "processor")] : []),
    figure({
      name: `decision to the next card p50, ${count}`,
      unit: "ms",
      value: side.step,
      baseline: { name: `the same with ${sizes[0]} files`, value: small.step },
      maxRatio: 1.2,
    }),
  ];
}

/** @returns why it is not measured, where commands cannot be confined. */
async function measure(folder: string, size: number, manner: Manner, steps: number): Promise<Side | string> {
  const workspace = join(folder, "workspace");
  fill(workspace, size);
  if (manner === "looked at whole") addSecondNames(workspace, join(folder, "names"));
  const host = await serveHost(join(folder, "data"), workspace);
  try {
    if (manner !== "confined") await host.client.call("settings.update", { sandbox: "off" });
    const { digest } = await host.client.call("workspaces.review", { path: workspace });
    await host.client.call("workspaces.setTrust", { path: workspace, trusted: true, digest });
    const side = await runCommands(host, workspace, steps);
    const { sandbox } = await host.client.call("host.info", {});
    if (manner !== "confined" || sandbox.state === "usable") return side;
    return sandbox.state === "unusable" ? sandbox.why : "nobody looked whether they can be";
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
