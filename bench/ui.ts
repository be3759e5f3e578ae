/** Measures the built console in Chromium: its start, its weight, a long queue, a long thread, typing beside streams, and forty requests by key. */
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { inFolder } from "./measuring.ts";
import { type BenchOptions, type Figure, type Findings, figure, noteOnLoad } from "./result.ts";
import { measureTriage } from "./triage.ts";
import { launchChromium, openConsole, requireBuild, type ServedConsole, serveConsole } from "./ui-console.ts";
import { fillUiData, type UiData } from "./ui-data.ts";
import {
  measureFirstPaint,
  measureInitialScripts,
  measureScroll,
  type Scrolled,
  type ScrollKind,
} from "./ui-measures.ts";
import { longThread, measureThreads, shortThread } from "./ui-threads.ts";

const plans = {
  quick: { starts: 3, frames: 45, openings: 3, keys: 25 },
  full: { starts: 15, frames: 600, openings: 21, keys: 300 },
};
type Plan = (typeof plans)["quick"];

const longQueue = 10_000;
const shortQueue = 100;
const budget = "the budget of this project";

export async function run({ quick }: BenchOptions): Promise<Findings> {
  requireBuild();
  const browser = await launchChromium();
  return inFolder((folder) => measureIn(folder, browser, quick)).finally(() => browser.close());
}

async function measureIn(folder: string, browser: Browser, quick: boolean): Promise<Findings> {
  const plan = quick ? plans.quick : plans.full;
  const withConsole = <T>(name: string, data: UiData, work: (served: ServedConsole) => Promise<T>) =>
    serveFilled(join(folder, name), data, work);
  const start = await withConsole("empty", { pending: 0, conversations: [] }, (served) =>
    measureStart(browser, served, plan),
  );
  const long = await withConsole("long", { pending: longQueue, conversations: [] }, (served) =>
    measureQueue(browser, served, plan),
  );
  const usual = { pending: shortQueue, conversations: [shortThread, longThread] };
  const { short, threads } = await withConsole("usual", usual, async (served) => ({
    short: await measureQueue(browser, served, plan),
    threads: await inPage(browser, served, (page) => measureThreads(page, plan)),
  }));
  const triage = await measureTriage(browser, join(folder, "triage"), quick);
  const figures = [...start, ...compareQueues(long, short), ...threads, ...triage.figures];
  return { figures, notes: [...describe(plan, browser.version()), ...triage.notes] };
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

/** Of three pages, each opened for it, the middle one: what a machine does to one pass is not the page's. */
async function measureQueue(browser: Browser, served: ServedConsole, plan: Plan): Promise<Queue> {
  const passes: Queue[] = [];
  for (let pass = 0; pass < 3; pass += 1)
    passes.push(await inPage(browser, served, (page) => scrollBothWays(browser, page, plan)));
  const middle = (kind: ScrollKind) =>
    passes.map((one) => one[kind]).toSorted((a, b) => a.busyMs - b.busyMs)[1]!;
  return { step: middle("step"), leap: middle("leap") };
}

async function scrollBothWays(browser: Browser, page: Page, plan: Plan): Promise<Queue> {
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
    baseline: { name: `the same with ${shortQueue} approvals`, value: pick(short[kind]) },
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
    `Both scrolls change the position in each of ${plan.frames} frames, by 120 pixels or to anywhere in the list, as a dragged scroll bar does, in three pages of their own, of which the middle one counts; tasks are those of Chromium's own trace. The steady scroll's processor time is judged: on processors that others use too, the clock also counts the waiting for them. A leap draws a whole screen of cards anew and costs the same however long the list is.`,
    `A thread opens from the click in the list until its newest message was painted, ${plan.openings} times each.`,
    `Keys come from the browser's keyboard, ${plan.keys} of them, into the open thread which streams itself; a painted frame waits for the screen's rhythm of 16.7 ms, so its time holds up to one frame that no code spends.`,
    `Layout shift is the sum of the browser's own entries that no press of the person's explains; frames are ${plan.frames} in a row.`,
    noteOnLoad(),
  ];
}
