/** Measures the built console in Chromium: its start, its weight, a long queue, a long thread, and typing beside streams. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { type BenchOptions, type BenchResult, type Figure, figure } from "./result.ts";
import { launchChromium, openConsole, requireBuild, type ServedConsole, serveConsole } from "./ui-console.ts";
import { fillUiData, titleOf, type UiData } from "./ui-data.ts";
import {
  type Echo,
  measureFirstPaint,
  measureInitialScripts,
  measureOpening,
  measureScroll,
  measureTyping,
  type Scrolled,
  type ScrollKind,
} from "./ui-measures.ts";

const plans = {
  quick: { starts: 3, frames: 45, openings: 3, keys: 25 },
  full: { starts: 15, frames: 600, openings: 21, keys: 300 },
};
type Plan = (typeof plans)["quick"];

const longQueue = 10_000;
const shortQueue = 100;
const longThread = 10_000;
const shortThread = 100;
const streams = 8;
/** At the demo's pace of 15 ms a word this outlasts every measurement. */
const wordsOfAStream = 6_000;
const budget = "the budget of this project";

export async function run({ quick }: BenchOptions): Promise<Pick<BenchResult, "figures" | "notes">> {
  requireBuild();
  const plan = quick ? plans.quick : plans.full;
  const browser = await launchChromium();
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const withConsole = <T>(name: string, data: UiData, work: (served: ServedConsole) => Promise<T>) =>
    serveFilled(join(folder, name), data, work);
  try {
    const start = await withConsole("empty", { pending: 0, conversations: [] }, (served) =>
      measureStart(browser, served, plan),
    );
    const long = await withConsole("long", { pending: longQueue, conversations: [] }, (served) =>
      inPage(browser, served, (page) => measureQueue(browser, page, plan)),
    );
    const usual = { pending: shortQueue, conversations: [shortThread, longThread] };
    const [short, threads] = await withConsole("usual", usual, (served) =>
      inPage(browser, served, async (page) => [
        await measureQueue(browser, page, plan),
        await measureThreads(page, plan),
      ]),
    );
    const figures = [...start, ...compareQueues(long, short), ...threads];
    return { figures, notes: describe(plan, browser.version()) };
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function serveFilled<T>(
  folder: string,
  data: UiData,
  work: (served: ServedConsole) => Promise<T>,
): Promise<T> {
  const dataDir = join(folder, "data");
  const workspace = join(folder, "workspace");
  fillUiData(dataDir, workspace, data);
  const served = await serveConsole(dataDir, workspace);
  try {
    return await work(served);
  } finally {
    await served.stop();
  }
}

async function measureStart(browser: Browser, served: ServedConsole, plan: Plan): Promise<Figure[]> {
  const times: number[] = [];
  for (let start = 0; start < plan.starts; start += 1) times.push(await measureFirstPaint(browser, served));
  const bound = (name: string, unit: string, value: number, max: number) =>
    figure({ name, unit, value, baseline: { name: budget, version: "1", value: max }, maxRatio: 1 });
  return [
    bound("first usable paint in browser mode, fastest start", "ms", Math.min(...times), 1_000),
    bound("initial JavaScript, gzip", "bytes", measureInitialScripts(), 500_000),
  ];
}

type Queue = Record<ScrollKind, Scrolled>;

async function measureQueue(browser: Browser, page: Page, plan: Plan): Promise<Queue> {
  await page.getByRole("grid").waitFor();
  return {
    step: await measureScroll(browser, page, "step", plan.frames),
    leap: await measureScroll(browser, page, "leap", plan.frames),
  };
}

function compareQueues(long: Queue, short: Queue): Figure[] {
  const compared = (kind: ScrollKind, what: string, unit: string, pick: (scrolled: Scrolled) => number) => ({
    name: `${what}, ${kind === "step" ? "steady scroll" : "leaps"} through 10,000 approvals`,
    unit,
    value: pick(long[kind]),
    baseline: {
      name: `the same with ${shortQueue} approvals`,
      version: "this tree",
      value: pick(short[kind]),
    },
  });
  const longest = "longest main-thread task";
  return [
    figure({ ...compared("step", `${longest}, processor time`, "ms", (one) => one.busyMs), maxValue: 50 }),
    figure(compared("step", `${longest}, by the clock`, "ms", (one) => one.elapsedMs)),
    figure(compared("leap", `${longest}, processor time`, "ms", (one) => one.busyMs)),
    figure(compared("leap", `${longest}, by the clock`, "ms", (one) => one.elapsedMs)),
    figure({ ...compared("leap", "most DOM nodes", "nodes", (one) => one.nodes), maxRatio: 1.5 }),
  ];
}

async function measureThreads(page: Page, plan: Plan): Promise<Figure[]> {
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
  await startStreams(page);
  const busy = await measureTyping(page, plan.keys);
  return [
    figure({
      name: "opening a thread of 10,000 messages",
      unit: "ms",
      value: percentile(long, 50),
      baseline: {
        name: `a thread of ${shortThread} messages`,
        version: "this tree",
        value: percentile(short, 50),
      },
      maxRatio: 1.5,
    }),
    ...compareTyping(busy, quiet),
  ];
}

async function typeInto(page: Page, plan: Plan): Promise<Echo> {
  await page.getByRole("button", { name: new RegExp(`^${titleOf(shortThread)}`) }).click();
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
  const compared = (name: string, pick: (echo: Echo) => number[]) => ({
    name,
    unit: "ms",
    value: percentile(pick(busy), 95),
    baseline: {
      name: "the same field while nothing streams",
      version: "this tree",
      value: percentile(pick(quiet), 95),
    },
  });
  return [
    figure({
      ...compared("key to text in the field, p95, 8 threads streaming", (echo) => echo.inField),
      maxValue: 16,
    }),
    figure(compared("key to the painted frame, p95, 8 threads streaming", (echo) => echo.painted)),
  ];
}

async function inPage<T>(
  browser: Browser,
  served: ServedConsole,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await openConsole(browser, served);
  try {
    return await work(page);
  } finally {
    await page.context().close();
  }
}

function describe(plan: Plan, chromium: string): string[] {
  return [
    `Chromium ${chromium}, headless, 1280 × 840, without a graphics card, on the same processors as the host; medians unless said otherwise.`,
    `First usable paint: from the navigation in a fresh profile until the queue stands there with the host's snapshot and was painted; the fastest of ${plan.starts} starts, because the budget is for a machine that does nothing else.`,
    `Both scrolls change the position in each of ${plan.frames} frames, by 120 pixels or to anywhere in the list, as a dragged scroll bar does; tasks are those of Chromium's own trace. The steady scroll's processor time is judged: on processors that others use too, the clock also counts the waiting for them. A leap draws a whole screen of cards anew and costs the same however long the list is.`,
    `A thread opens from the click in the list until its newest message was painted, ${plan.openings} times each.`,
    `Keys come from the browser's keyboard, ${plan.keys} of them, into the open thread which streams itself; a painted frame waits for the screen's rhythm of 16.7 ms, so its time holds up to one frame that no code spends.`,
  ];
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
