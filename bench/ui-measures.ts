/** What is measured in an open console: its first paint, its scroll, how a thread opens, and how typing echoes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "@playwright/test";
import { rendererDir, type ServedConsole } from "./ui-console.ts";
import { lastWords, titleOf } from "./ui-data.ts";

/** Gzip bytes of every script that the page names: what is loaded before anything is drawn. */
export function measureInitialScripts(): number {
  const page = readFileSync(join(rendererDir, "index.html"), "utf8");
  const names = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? "");
  return names.reduce((sum, name) => sum + gzipSync(readFileSync(join(rendererDir, name))).length, 0);
}

/** Milliseconds from the navigation until the queue stands there, answered by the host and painted, in a new profile. */
export async function measureFirstPaint(browser: Browser, served: ServedConsole): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 840 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => {
        // The region is drawn only once the host's whole snapshot is there.
        if (document.querySelector('main section[aria-label="Approvals"] h1') === null) {
          requestAnimationFrame(look);
          return;
        }
        // A message sent in a frame is received after that frame was painted.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => performance.mark("usable");
        port2.postMessage(undefined);
      };
      requestAnimationFrame(look);
    });
    await page.goto(await served.newAddress());
    const mark = await page.waitForFunction(() => performance.getEntriesByName("usable")[0]?.startTime);
    return (await mark.jsonValue()) as number;
  } finally {
    await context.close();
  }
}

/** `step` goes down 120 pixels a frame, `leap` anywhere in the whole list a frame, as a dragged scroll bar does. */
export type ScrollKind = "step" | "leap";

/** Of the longest main-thread task: processor time, and time by the clock, which other programs lengthen. */
export type Scrolled = { busyMs: number; elapsedMs: number; nodes: number };

/** Scrolls the queue while Chromium's own trace times every task of the main thread. */
export async function measureScroll(
  browser: Browser,
  page: Page,
  kind: ScrollKind,
  frames: number,
): Promise<Scrolled> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  const nodes = await page.evaluate(scrollQueue, { kind, frames });
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const tasks = mainThreadTasks(trace.traceEvents);
  const longest = (time: (task: TraceEvent) => number | undefined) =>
    Math.max(...tasks.map((task) => (time(task) ?? 0) / 1_000));
  return { busyMs: longest((task) => task.tdur), elapsedMs: longest((task) => task.dur), nodes };
}

/** Runs in the page. @returns how many elements there were at most. */
async function scrollQueue({ kind, frames }: { kind: ScrollKind; frames: number }): Promise<number> {
  const box = document.querySelector("main [data-queue] [role=grid]")?.parentElement;
  if (!box) throw new Error("The queue shows no list.");
  let nodes = 0;
  box.scrollTop = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (kind === "step") box.scrollTop += 120;
    else box.scrollTop = (((frame + 1) * 389) % 997) * (box.scrollHeight / 997);
    nodes = Math.max(nodes, document.getElementsByTagName("*").length);
  }
  return nodes;
}

/** Of a complete task; times are microseconds. */
type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string };
};

/** The tasks of the main threads of renderers. */
function mainThreadTasks(events: readonly TraceEvent[]): TraceEvent[] {
  const threads = new Set(
    events
      .filter((event) => event.name === "thread_name" && event.args.name === "CrRendererMain")
      .map((event) => `${event.pid}:${event.tid}`),
  );
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => name.endsWith("RunTask") && ph === "X" && threads.has(`${pid}:${tid}`),
  );
  if (tasks.length === 0) throw new Error("Chromium's trace holds no main-thread task.");
  return tasks;
}

/** Milliseconds from the click on a thread in the list until its newest message was painted. */
export function openFromList(page: Page, messages: number): Promise<number> {
  return page.evaluate(openThread, { title: titleOf(messages), words: lastWords(messages) });
}

/** The same; the thread is left again afterwards. */
export async function measureOpening(page: Page, messages: number): Promise<number> {
  const ms = await openFromList(page, messages);
  await page.getByRole("button", { name: /^Threads/ }).click();
  await page.getByRole("list", { name: "Threads" }).waitFor();
  return ms;
}

/** Runs in the page. */
async function openThread({ title, words }: { title: string; words: string }): Promise<number> {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('ul[aria-label="Threads"] button')].find((one) =>
      one.textContent?.includes(title),
    );
  const box = document.querySelector('ul[aria-label="Threads"]')?.parentElement;
  let row = find();
  // What waits stands above it.
  for (let screens = 0; box && !row && screens < 200; screens += 1) {
    box.scrollTop += box.clientHeight;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    row = find();
  }
  if (!row) throw new Error(`The list shows no thread ${title}.`);
  const isShown = () => {
    const log = document.querySelector('[role="log"]');
    const answer = [...(log?.querySelectorAll("article") ?? [])].at(-1);
    if (!log || !answer?.textContent?.includes(words)) return false;
    return answer.getBoundingClientRect().bottom <= log.getBoundingClientRect().bottom + 1;
  };
  const from = performance.now();
  row.click();
  do await new Promise((resolve) => requestAnimationFrame(resolve));
  while (!isShown());
  await new Promise((resolve) => setTimeout(resolve));
  return performance.now() - from;
}

/** Milliseconds between one frame and the next, so many times. */
export function measureFrames(page: Page, frames: number): Promise<number[]> {
  return page.evaluate(async (count) => {
    const times: number[] = [];
    let before = await new Promise(requestAnimationFrame);
    while (times.length < count) {
      const now = await new Promise(requestAnimationFrame);
      // To the tenth that the browser tells.
      times.push(Math.round((now - before) * 10) / 10);
      before = now;
    }
    return times;
  }, frames);
}

/** Counts from now on what moves on the page without a press that would explain it, as the browser does. @returns the sum so far. */
export async function countShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { shifted: 0 });
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[];
      const sum = shifts.reduce((before, one) => before + (one.hadRecentInput ? 0 : one.value), 0);
      (window as unknown as { shifted: number }).shifted += sum;
    }).observe({ type: "layout-shift" });
  });
  return () => page.evaluate(() => (window as unknown as { shifted: number }).shifted);
}

/** Times of one key press each, in milliseconds from the moment the browser received it. */
export type Echo = { inField: number[]; painted: number[] };

/** Types into the message field with the browser's own keyboard, a key every 40 ms. */
export async function measureTyping(page: Page, keys: number): Promise<Echo> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.click();
  await field.evaluate(watchKeys);
  await page.keyboard.type("the quick brown fox jumps over a lazy dog ".repeat(10).slice(0, keys), {
    delay: 40,
  });
  const echo = await page.waitForFunction((count) => {
    const { keyEcho } = window as unknown as { keyEcho: Echo };
    return keyEcho.painted.length >= count && keyEcho;
  }, keys);
  await field.fill("");
  return (await echo.jsonValue()) as Echo;
}

/** Runs in the page. */
function watchKeys(field: Element): void {
  const echo: Echo = { inField: [], painted: [] };
  Object.assign(window, { keyEcho: echo });
  let receivedAt = 0;
  field.addEventListener("keydown", (event) => {
    receivedAt = event.timeStamp;
  });
  // React has handled the event at its root by the time the window hears of it.
  window.addEventListener("input", () => {
    const from = receivedAt;
    field.getBoundingClientRect();
    echo.inField.push(performance.now() - from);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => echo.painted.push(performance.now() - from);
      port2.postMessage(undefined);
    });
  });
}
