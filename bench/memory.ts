/** Measures what a working host holds in memory, as `npm run serve` starts it and as Node would start it by itself. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import type { Client } from "../src/shared/wire/client.ts";
import { peakBytes, processorSeconds, treeBytes } from "./process-memory.ts";
import { type BenchOptions, type BenchResult, figure } from "./result.ts";
import { buildHost, type ServedHost, serveHost } from "./served-host.ts";

/** Of a file that is read, one that is written and a command with output, each asked for and approved. */
const steps = { quick: 30, full: 300 };
const inOneTurn = 60;
const noteText = "abcdefghi\n".repeat(200);

/** Bytes at rest after the start, after the first turn and after the last; the most ever; seconds of processor. */
type Side = { idle: number; first: number; last: number; peak: number; seconds: number };

/** @throws Error where the system does not tell a process's memory: only Linux does. */
export async function run({ quick }: BenchOptions): Promise<Pick<BenchResult, "figures" | "notes">> {
  await buildHost();
  const count = quick ? steps.quick : steps.full;
  const ours = await measure(count, false);
  const plain = await measure(count, true);
  if (ours.idle === 0) throw new Error("The memory of a process is only told by Linux.");
  const compared = (name: string, pick: keyof Side, unit: string, divisor: number, maxRatio: number) =>
    figure({
      name,
      unit,
      value: ours[pick] / divisor,
      baseline: {
        name: "the same host as Node starts it by itself",
        version: "this tree",
        value: plain[pick] / divisor,
      },
      maxRatio,
    });
  return {
    figures: [
      compared("memory before the first turn", "idle", "MB", 1e6, 0.9),
      compared("memory after the first turn", "first", "MB", 1e6, 0.9),
      compared(`memory after ${count} steps`, "last", "MB", 1e6, 0.9),
      figure({
        name: "most memory ever, of the host alone",
        unit: "MB",
        value: ours.peak / 1e6,
        baseline: {
          name: "what it and its shell host hold at the end",
          version: "this tree",
          value: ours.last / 1e6,
        },
        maxRatio: 1.5,
      }),
      compared(`processor time of ${count} steps`, "seconds", "s", 1, 1.15),
    ],
    notes: [
      `A third of the steps each: read 2 KB, write 0.7 KB, run a command that prints 2 KB; ${inOneTurn} in a turn, on the demo model. Memory is the proportional share (PSS) of the host and its shell host together, at rest, with nothing collected for the purpose.`,
    ],
  };
}

async function measure(count: number, isPlain: boolean): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const workspace = join(folder, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "notes.txt"), noteText);
  const host = await serveHost(join(folder, "data"), workspace, isPlain);
  try {
    const { digest } = await host.client.call("workspaces.review", { path: workspace });
    await host.client.call("workspaces.setTrust", { path: workspace, trusted: true, digest });
    const idle = treeBytes(host.pid);
    const { id } = await host.client.call("threads.create", { commandId: newCommandId(), workspace });
    await runTurn(host, id, textOf(0, 3));
    const first = treeBytes(host.pid);
    for (let step = 0; step < count; step += inOneTurn)
      await runTurn(host, id, textOf(step, Math.min(inOneTurn, count - step)));
    return {
      idle,
      first,
      last: treeBytes(host.pid),
      peak: peakBytes(host.pid),
      seconds: processorSeconds(host.pid),
    };
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function textOf(from: number, count: number): string {
  const step = (number: number) =>
    [
      "read notes.txt",
      `write out-${number}.txt ${"x".repeat(700)}`,
      `run echo began ${number} | tee -a run.log; head -c 2000 notes.txt`,
    ][number % 3]!;
  return Array.from({ length: count }, (_, at) => step(from + at)).join("\n\n");
}

/** Sends the text and approves whatever waits until its turn is over. */
async function runTurn({ client }: ServedHost, threadId: ThreadId, text: string): Promise<void> {
  const { turnId } = await client.call("threads.send", { commandId: newCommandId(), threadId, text });
  const left = new AbortController();
  const approving = approveAll(client, left.signal);
  for await (const item of client.watch("threads.watch", { threadId, since: 0 }))
    for (const { data } of item.kind === "events" ? item.events : [])
      if (data.type === "turn.finished" && data.turnId === turnId) {
        left.abort();
        await approving;
        return;
      }
}

async function approveAll(client: Client, signal: AbortSignal): Promise<void> {
  const asked = new Set<string>();
  try {
    for await (const item of client.watch("console.watch", {}, { signal })) {
      const seen = item.kind === "approvals" || item.kind === "changes" ? item.approvals : [];
      const items = seen.filter((one) => one.status === "pending" && !asked.has(one.id));
      if (items.length === 0) continue;
      for (const { id } of items) asked.add(id);
      await client.call("approvals.decide", {
        commandId: newCommandId(),
        items: items.map(({ id, digest }) => ({ id, digest })),
        decision: { type: "approve" },
      });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
