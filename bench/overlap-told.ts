/** Measures how soon two threads in one folder are told that both wrote a file, while the command of the second still runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ThreadId } from "../src/shared/ids.ts";
import { inFolder } from "./measuring.ts";
import { plainText, runTurn, servePlainThread } from "./plain-turn.ts";
import { buildHost, type ServedHost } from "./served-host.ts";

/** Whoever writes goes on for longer than the bar. */
const goesOn = "sleep 4";

/** @returns ms from the second write, by bash's own clock, to the event in the thread that wrote first, for each round. */
export async function measureOverlap(rounds: number): Promise<number[]> {
  await buildHost();
  return inFolder(async (folder) => {
    const { host, thread } = await servePlainThread(folder, plainText);
    try {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const [first, second] = [await thread(), await thread()];
        const told = toldAt(host, first);
        await Promise.all([
          runTurn(host, first, `run echo first > ${round}.txt; sleep 1; ${goesOn}`),
          runTurn(
            host,
            second,
            `run sleep 1; echo second > ${round}.txt; echo $EPOCHREALTIME > ${round}.at; ${goesOn}`,
          ),
        ]);
        const writtenAt = Number(readFileSync(join(folder, "workspace", `${round}.at`), "utf8")) * 1_000;
        times.push((await told) - writtenAt);
      }
      return times;
    } finally {
      await host.stop();
    }
  });
}

/** When the thread hears of it, as milliseconds since the epoch. */
async function toldAt({ client }: ServedHost, threadId: ThreadId): Promise<number> {
  for await (const item of client.watch("threads.watch", { threadId, since: 0 }))
    for (const { data } of item.kind === "events" ? item.events : [])
      if (data.type === "notice.added" && data.itemId.startsWith("overlap:"))
        return performance.timeOrigin + performance.now();
  throw new Error("The two threads were told nothing of each other.");
}
