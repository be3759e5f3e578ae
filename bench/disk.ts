/** Measures how many bytes of disk a step of an agent takes, by where they are. They are counted, so load does not matter. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { inFolder } from "./measuring.ts";
import { plainText, runTurn, servePlainThread, textOf } from "./plain-turn.ts";
import { type BenchOptions, type Findings, figure } from "./result.ts";
import { buildHost, serveHost } from "./served-host.ts";

const steps = { quick: 60, full: 300 };
const inOneTurn = 60;

/** What a step is about, in bytes: a third each reads 2 KB, writes 0.7 KB and prints 2 KB. */
const textBytes = (2_000 + 700 + 2_000) / 3;

/** @throws Error when the build fails. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  await buildHost();
  const count = quick ? steps.quick : steps.full;
  const source = readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
    .join("");
  const code = await measure(count, source);
  const plain = await measure(count, plainText);
  const perStep = (name: string, bytes: number, maxValue?: number) =>
    figure({
      name: `${name}, a step`,
      unit: "bytes",
      value: bytes / count,
      baseline: { name: "what it is about", version: "as text", value: textBytes },
      ...(maxValue === undefined ? {} : { maxValue }),
    });
  return {
    figures: [
      perStep("all, where it is about source code", sum(code), 10_000),
      perStep("all, where it is about one line again and again", sum(plain), 10_000),
      ...[...code]
        .filter(([, bytes]) => bytes / count >= 50)
        .map(([name, bytes]) => perStep(`of the first, ${name}`, bytes)),
    ],
    notes: [
      `${count} steps, ${inOneTurn} in a turn, on the demo model: a third each reads 2 KB, writes 0.7 KB and runs a command that prints 2 KB; writes and commands are asked for and approved. The demo model's messages carry what is written once more.`,
      "The data directory after the host has ended, less what it was before the first turn.",
    ],
  };
}

/** @returns bytes by the first name below the data directory. */
async function measure(count: number, text: string): Promise<Map<string, number>> {
  return inFolder(async (folder) => {
    const data = join(folder, "data");
    await (await serveHost(data, folder)).stop();
    const before = sizes(data);
    const { host, thread } = await servePlainThread(folder, text);
    try {
      const id = await thread();
      for (let step = 0; step < count; step += inOneTurn)
        await runTurn(host, id, textOf(step, Math.min(inOneTurn, count - step), text));
    } finally {
      await host.stop();
    }
    return new Map([...sizes(data)].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)]));
  });
}

function sizes(folder: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )) {
    const path = join(entry.parentPath, entry.name);
    const [name = ""] = relative(folder, path).split(sep);
    found.set(name, (found.get(name) ?? 0) + statSync(path).size);
  }
  return found;
}

const sum = (bytes: Map<string, number>): number => [...bytes.values()].reduce((all, one) => all + one, 0);
