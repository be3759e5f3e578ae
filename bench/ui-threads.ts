/** Measures open threads: how they open, how typing echoes, and what frames and layout do while eight of them stream. */
import type { Page } from "@playwright/test";
import { median, percentile } from "./measuring.ts";
import { type Figure, figure } from "./result.ts";
import {
  countShifts,
  type Echo,
  measureFrames,
  measureOpening,
  measureTyping,
  openFromList,
} from "./ui-measures.ts";

export const longThread = 10_000;
export const shortThread = 100;
const streams = 8;
/** At the demo's pace of 15 ms a word this outlasts every measurement. */
const wordsOfAStream = 6_000;

type Plan = { frames: number; openings: number; keys: number };

/** On a page that has shown the queue; both conversations are in its list. */
export async function measureThreads(page: Page, plan: Plan): Promise<Figure[]> {
  const short: number[] = [];
  const long: number[] = [];
  await page.getByRole("button", { name: /^Threads/ }).click();
  await page.getByRole("list", { name: "Threads" }).waitFor();
  // The first of each brings the code and warms both ends.
  for (const messages of [shortThread, longThread]) await measureOpening(page, messages);
  for (let round = 0; round < plan.openings; round += 1) {
    short.push(await measureOpening(page, shortThread));
    long.push(await measureOpening(page, longThread));
  }
  const quiet = await typeInto(page, plan);
  const still = await measureFrames(page, plan.frames);
  const shiftsSoFar = await countShifts(page);
  await startStreams(page);
  // A person writes while the others' words come: both at once.
  const [busy, frames] = await Promise.all([
    measureTyping(page, plan.keys),
    measureFrames(page, plan.frames),
  ]);
  return [
    figure({
      name: "opening a thread of 10,000 messages",
      unit: "ms",
      value: median(long),
      baseline: { name: `a thread of ${shortThread} messages`, value: median(short) },
      maxRatio: 1.5,
    }),
    ...compareTyping(busy, quiet),
    figure({
      name: "frame to frame, median, 8 threads streaming and a person typing",
      unit: "ms",
      value: median(frames),
      baseline: { name: "the same page while nothing streams", value: median(still) },
      maxValue: 16.7,
    }),
    figure({
      name: "layout shift while 8 threads are started, stream, and a person types",
      unit: "CLS",
      value: await shiftsSoFar(),
      baseline: { name: "as a person measured it before the approvals had rows", version: "1", value: 0.053 },
      maxRatio: 1,
    }),
  ];
}

async function typeInto(page: Page, plan: Plan): Promise<Echo> {
  await openFromList(page, shortThread);
  return measureTyping(page, plan.keys);
}

/** Sends a long saying to as many new threads as can run at once; the last one stays open. */
async function startStreams(page: Page): Promise<void> {
  const message = page.getByRole("textbox", { name: "Message" });
  for (let stream = 0; stream < streams; stream += 1) {
    await page.getByRole("button", { name: "New thread" }).first().click();
    await page.getByRole("heading", { name: "What should be done?" }).waitFor();
    await message.fill(`say ${sayingOf(stream)}`);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
  }
}

function sayingOf(stream: number): string {
  const words = Array.from({ length: wordsOfAStream }, (_, index) =>
    index % 40 === 39 ? `\\n\\n**Part ${index}** of \`stream ${stream}\`:` : `word${index}`,
  );
  return words.join(" ");
}

function compareTyping(busy: Echo, quiet: Echo): Figure[] {
  const compared = (name: string, pick: (echo: Echo) => number[], share = 0.95) => ({
    name,
    unit: "ms",
    value: percentile(pick(busy), share),
    baseline: { name: "the same field while nothing streams", value: percentile(pick(quiet), share) },
  });
  return [
    figure({
      ...compared("key to text in the field, p95, 8 threads streaming", (echo) => echo.inField),
      maxValue: 16,
    }),
    figure(compared("key to the painted frame, p95, 8 threads streaming", (echo) => echo.painted)),
    figure({
      ...compared("key to the painted frame, median, 8 threads streaming", (echo) => echo.painted, 0.5),
      maxValue: 17,
    }),
  ];
}
