/** Measures what a working host holds in memory, as `npm run serve` starts it and as Node would start it by itself. */
import { inFolder } from "./measuring.ts";
import { plainText, runTurn, servePlainThread, textOf } from "./plain-turn.ts";
import { peakBytes, processorSeconds, treeBytes } from "./process-memory.ts";
import { type BenchOptions, type Findings, figure } from "./result.ts";
import { buildHost } from "./served-host.ts";

/** Of a file that is read, one that is written and a command with output, each asked for and approved. */
const steps = { quick: 30, full: 300 };
const inOneTurn = 60;

/** Bytes at rest after the start, after the first turn and after the last; the most ever; seconds of processor. */
type Side = { idle: number; first: number; last: number; peak: number; seconds: number };

/** @throws Error where the system does not tell a process's memory: only Linux does. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  const count = quick ? steps.quick : steps.full;
  const measured = (isPlain: boolean) => inFolder((folder) => measure(folder, count, isPlain));
  // A machine that grows slower meanwhile would count against one of the two.
  const oursFirst = await measured(false);
  const plain = meanOf(await measured(true), await measured(true));
  const ours = meanOf(oursFirst, await measured(false));
  if (ours.idle === 0) throw new Error("The memory of a process is only told by Linux.");
  const compared = (name: string, pick: keyof Side, unit: string, divisor: number, maxRatio: number) =>
    figure({
      name,
      unit,
      value: ours[pick] / divisor,
      baseline: { name: "the same host as Node starts it by itself", value: plain[pick] / divisor },
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
        baseline: { name: "what it and its shell host hold at the end", value: ours.last / 1e6 },
        maxRatio: 1.5,
      }),
      compared(`processor time of ${count} steps`, "seconds", "s", 1, 1.15),
    ],
    notes: [
      `Each side twice, the second time in the other order; means. A third of the steps each: read 2 KB, write 0.7 KB, run a command that prints 2 KB; ${inOneTurn} in a turn, on the demo model. Memory is the proportional share (PSS) of the host and its shell host together, at rest, with nothing collected for the purpose.`,
      "The first figure is that of a host just started; a second and a half after its first window it has loaded what the first turn needs.",
    ],
  };
}

function meanOf(one: Side, other: Side): Side {
  const keys = Object.keys(one) as (keyof Side)[];
  return Object.fromEntries(keys.map((key) => [key, (one[key] + other[key]) / 2])) as Side;
}

async function measure(folder: string, count: number, isPlain: boolean): Promise<Side> {
  const { host, thread } = await servePlainThread(folder, plainText, isPlain);
  try {
    const idle = treeBytes(host.pid);
    const id = await thread();
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
  }
}
