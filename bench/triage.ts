/** Decides forty mixed requests of a real host by keyboard alone, waiting only for what a person would, and times the hands. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { inFolder } from "./measuring.ts";
import { type BenchOptions, type Findings, figure } from "./result.ts";
import { launchChromium, openConsole, requireBuild, serveConsole } from "./ui-console.ts";

/** What a person waits for on the card that stands there, and which keys it then takes. */
type Step = { id: string; key: "approve" | "hold" | "answer" | "read on" };

const sizes = {
  quick: { commands: 6, scripts: 2, files: 2, risky: 3, questions: 1 },
  full: { commands: 16, scripts: 6, files: 6, risky: 8, questions: 4 },
};
/** A practised typist presses a key in this time. */
const keyMs = 120;
const typingGuardMs = 2_000;
/** After so long a person sees that a press did nothing. */
const noticeMs = 700;
/** So long a key is held for what is of high risk. */
const holdMs = 800;
/** Who gets nowhere by so many presses has found a defect. */
const mostPresses = 20;
/** Every so many commands one is rejected, with a reason. */
const rejectEvery = 8;
const longestMs = 45_000;

/** Alone; `ui` has it among its figures. */
export async function run({ quick }: BenchOptions): Promise<Findings> {
  requireBuild();
  const browser = await launchChromium();
  try {
    return await inFolder((folder) => measureTriage(browser, folder, quick));
  } finally {
    await browser.close();
  }
}

/** @param folder an empty one for its host. */
export async function measureTriage(browser: Browser, folder: string, quick: boolean): Promise<Findings> {
  const size = sizes[quick ? "quick" : "full"];
  const asked = Object.values(size).reduce((sum, count) => sum + count, 0);
  const workspace = join(folder, "workspace");
  mkdirSync(workspace, { recursive: true });
  const served = await serveConsole(join(folder, "data"), workspace);
  try {
    const page = await openConsole(browser, served);
    await page.setViewportSize({ width: 1440, height: 900 });
    let waiting = 0;
    for (const lines of requestsOf(size)) {
      waiting += lines.length;
      await ask(page, lines, waiting);
    }
    await page.getByRole("button", { name: /^Approvals/ }).click();
    await page.getByRole("grid", { name: `${asked} approvals wait for you` }).waitFor();
    // For so long after something was typed into the message field, keys decide nothing.
    await page.waitForTimeout(typingGuardMs);
    const { ms, waitedMs, pressed, decided } = await decideAll(page, asked);
    await page.context().close();
    const limit = (longestMs * asked) / 40;
    const bound = { name: "the bound of this project", version: "1" };
    return {
      figures: [
        figure({
          name: `deciding ${asked} mixed requests by keyboard alone`,
          unit: "ms",
          value: ms,
          baseline: { ...bound, value: limit },
          maxRatio: 1,
        }),
        figure({
          name: "of which waiting for the card: arming, and its end on the screen",
          unit: "ms",
          value: waitedMs,
          baseline: { name: "the whole run", value: ms },
        }),
      ],
      notes: [
        `${decided} decided with ${pressed} presses: ${Object.entries(size)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(", ")}; one of ${rejectEvery} commands is rejected with a reason.`,
        `A key takes ${keyMs} ms; what is of high risk is held until it is decided. Before each decision the script waits until the card takes keys and Approve is not locked, and reads on with Space where the end was not on the screen.`,
        "The hands are timed in a window of 1440 × 900.",
      ],
    };
  } finally {
    await served.stop();
  }
}

/** The lines for the demo model, a thread for each kind. */
function requestsOf(size: (typeof sizes)["full"]): string[][] {
  const many = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at));
  const script = (at: number) =>
    Array.from({ length: 12 }, (_, line) => `touch script-${at}-${line}.txt`).join(" && ");
  const text = (at: number) => Array.from({ length: 30 }, (_, line) => `Line ${line} of ${at}`).join("\\n");
  return [
    many(size.commands, (at) => `run touch made-${at}.txt`),
    many(size.scripts, (at) => `run ${script(at)}`),
    many(size.files, (at) => `write notes-${at}.md ${text(at)}`),
    many(size.risky, (at) => `run git push --force origin branch-${at}`),
    many(size.questions, (at) => `ask Which region should replica ${at} be in?`),
  ];
}

/** @param waiting how many wait then, of all threads. */
async function ask(page: Page, lines: readonly string[], waiting: number): Promise<void> {
  await page.getByRole("button", { name: "New thread" }).first().click();
  await page.getByRole("heading", { name: "What should be done?" }).waitFor();
  const message = page.getByRole("textbox", { name: "Message" });
  // The lines of one paragraph are asked together.
  await message.fill(lines.join("\n"));
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.waitForFunction((count) => document.title.startsWith(`(${count})`), waiting);
}

async function decideAll(page: Page, count: number) {
  // It stands for the person's hand: each press takes as long as a person's does, and the time is part of the figure.
  const pause = (presses: number) => page.waitForTimeout(keyMs * presses);
  let waitedMs = 0;
  let pressed = 0;
  let commands = 0;
  const decided = new Set<string>();
  const from = performance.now();
  while (decided.size < count) {
    const waitsFrom = performance.now();
    const step = (await (await page.waitForFunction(lookAtCard, [...decided])).jsonValue()) as Step;
    waitedMs += performance.now() - waitsFrom;
    if (step.key === "approve") commands += 1;
    if (step.key === "read on") {
      await page.keyboard.press("Space");
      await pause(1);
      pressed += 1;
      continue;
    }
    if (step.key === "answer") pressed += await write(page, "r", "eu-west-1");
    else if (step.key === "hold") pressed += await hold(page, step.id);
    else if (commands % rejectEvery === 0) pressed += await write(page, "n", "not now");
    else pressed += await repeat(() => page.keyboard.press("y"), page, isGone, step.id);
    // The finger goes up while the next card comes.
    await Promise.all([page.waitForFunction(isGone, step.id), pause(1)]);
    decided.add(step.id);
  }
  return { ms: performance.now() - from, waitedMs, pressed, decided: decided.size };
}

/** Who sees after a moment that nothing came of a press does it again, as after one that came too early. @returns how often it was done. */
async function repeat(
  press: () => Promise<void>,
  page: Page,
  cameOfIt: (id: string) => boolean,
  id: string,
): Promise<number> {
  for (let times = 1; ; times += 1) {
    await press();
    const seen = page.waitForFunction(cameOfIt, id, { timeout: noticeMs });
    if (await seen.then(Boolean, () => false)) return times;
    if (times === mostPresses) throw new Error(`Pressed ${times} times, and nothing came of it: ${id}.`);
  }
}

/** Keeps the key down until the card has gone; one that came too early fills nothing, so that it is let go and pressed again. */
function hold(page: Page, id: string): Promise<number> {
  const press = async () => {
    await page.keyboard.up("y");
    await page.keyboard.down("y");
    await page.waitForTimeout(holdMs);
  };
  return repeat(press, page, isGone, id).finally(() => page.keyboard.up("y"));
}

/** Opens the field by its key, and writes once it is there. */
async function write(page: Page, key: string, text: string): Promise<number> {
  const opened = await repeat(() => page.keyboard.press(key), page, isWriting, "");
  await page.keyboard.type(text, { delay: keyMs });
  await page.keyboard.press("Enter");
  return opened + text.length + 1;
}

/** Runs in the page, once a frame: what the card that stands there wants now; nothing while it is still to be waited for. */
function lookAtCard(decided: readonly string[]): Step | undefined {
  const card = document.querySelector<HTMLElement>("main [data-approval]");
  const id = card?.dataset.approval;
  if (!card || id === undefined || decided.includes(id)) return undefined;
  const isArming = card
    .getAnimations({ subtree: true })
    .some((one) => (one as CSSAnimation).animationName === "fill" && one.playState === "running");
  if (isArming) return undefined;
  const buttons = [...card.querySelectorAll<HTMLButtonElement>("[data-decisions] button")];
  const named = (name: string) => buttons.find((one) => one.textContent?.startsWith(name));
  const approve = named("Approve");
  const deciding = approve ?? named("Answer");
  if (deciding?.dataset.locked !== undefined) {
    const pane = card.querySelector("[data-card-scroll]");
    const atEnd = !pane || pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 1;
    return atEnd ? undefined : { id, key: "read on" };
  }
  if (!approve) return { id, key: "answer" };
  return { id, key: card.textContent?.includes("high risk") ? "hold" : "approve" };
}

/** Runs in the page: whether the card has given its place to another, or to nothing. */
function isGone(id: string): boolean {
  return document.querySelector(`main [data-approval="${CSS.escape(id)}"]`) === null;
}

/** Runs in the page. */
function isWriting(): boolean {
  return document.activeElement instanceof HTMLTextAreaElement;
}
