/**
 * Whatever a person presses, and whatever happens meanwhile, the card that is decided is the card on the screen. Random
 * decisions on a live queue; what was on the screen is told by a witness that looks at the pixels' owners alone.
 */
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { usePaneWidths } from "../../base/stores/pane-widths.ts";
import { type LiveQueue, openLiveQueue } from "../../testing/live-queue.ts";
import { fortyCards, markersOf, mixedCard } from "../../testing/mixed-cards.ts";
import { type Witness, watchScreen } from "../../testing/screen-witness.ts";
import { isArmed, makeCurrent, useQueue } from "./queue-store.ts";

/** How long a random click may look for its button, which may have gone meanwhile; nothing is concluded from it. */
const clickMs = 2_000;

const sizes = [
  [1440, 900],
  [1024, 720],
  [480, 800],
  // A window at 200 %.
  [720, 450],
] as const;
const views = ["all", "all", "shape", "urgent", "thread"] as const;
/** `VITE_ATTACK_SEED` repeats one run, `VITE_ATTACK_RUNS` makes more of them. */
const firstSeed = Number(import.meta.env.VITE_ATTACK_SEED ?? 1);
const runs = Number(import.meta.env.VITE_ATTACK_RUNS ?? 1);
const stepsOfRun = runs > 1 ? 45 : 30;

type Run = {
  queue: LiveQueue;
  witness: Witness;
  random: (below: number) => number;
  versions: Map<string, number>;
  wrong: string[];
  log: string[];
  /** The card the last press was meant for, as it stood on the screen then, or the list of the question. */
  meant?: string;
};

const list = "the list";

const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
/** Those of a card, and of a group. */
const visibleButtons = (name: string) =>
  [...document.querySelectorAll<HTMLButtonElement>("[data-row] button")].filter((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return button.textContent?.startsWith(name) && hit !== null && button.contains(hit);
  });
const cardOf = (element: Element | null) =>
  element?.closest<HTMLElement>("[data-approval]")?.dataset.approval;
const currentCard = () => cardOf(document.querySelector("[data-approval][aria-current]"));
const isInField = () => document.activeElement instanceof HTMLTextAreaElement;
const anyPending = ({ queue, random }: Run) => {
  const pending = queue.pending();
  return pending[random(pending.length)];
};

const deeds: Record<string, (run: Run) => Promise<void> | void> = {
  approve: (run) => press(run, "y"),
  "approve again": (run) => press(run, "y"),
  "approve and again": async (run) => {
    for (let time = 0; time < 4; time += 1) {
      while (!isArmed()) await frames();
      await press(run, "y");
    }
  },
  hold: async (run) => {
    run.meant = currentCard();
    const before = run.queue.decided.length;
    await userEvent.keyboard("{y>}");
    const until = performance.now() + 1_000;
    while (run.queue.decided.length === before && performance.now() < until) await frames();
    await userEvent.keyboard("{/y}");
  },
  reject: async (run) => {
    await press(run, "n");
    if (isInField()) await press(run, "no{Enter}");
  },
  down: () => userEvent.keyboard("j"),
  "down and down": () => userEvent.keyboard("jjj"),
  up: () => userEvent.keyboard("k"),
  end: () => userEvent.keyboard("{Shift>}G{/Shift}"),
  top: () => userEvent.keyboard("gg"),
  "change it": async (run) => {
    await press(run, "c");
    if (!isInField()) return;
    await userEvent.keyboard(" again");
    await press(run, "{Control>}{Enter}{/Control}");
    if (isInField()) await userEvent.keyboard("{Escape}");
  },
  "approve from the palette": async (run) => {
    run.meant = currentCard();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("Approve (hold{Enter}");
    if (document.querySelector("[role=dialog]")) await userEvent.keyboard("{Escape}");
  },
  "another view": ({ random }) => useQueue.setState({ view: views[random(views.length)] ?? "all" }),
  select: () => userEvent.keyboard("x"),
  "select more": () => userEvent.keyboard("{Shift>}JJ{/Shift}"),
  "decide the selection": ({ random }) =>
    userEvent.keyboard(random(3) > 0 ? "{Shift>}Y{/Shift}" : "{Shift>}N{/Shift}"),
  snooze: (run) => press(run, "s"),
  undo: () => userEvent.keyboard("z"),
  show: (run) => press(run, "e"),
  "press a button": (run) => pressButton(run, run.random(2) === 0 ? "Approve" : "Reject"),
  "hold Enter on a button": async (run) => {
    const [button] = visibleButtons("Approve");
    if (!button) return;
    button.focus();
    run.meant = cardOf(button);
    await userEvent.keyboard("{Enter>20/}");
  },
  "press a group's button": (run) => pressGroup(run, run.random(2) === 0 ? "Approve" : "Reject"),
  "go away and come back": async (run) => {
    await userEvent.keyboard("gs");
    await frames();
    await userEvent.keyboard("gq");
    await press(run, "y");
  },
  "pull the rows' edge": ({ random }) => usePaneWidths.setState({ rows: 200 + random(600) }),
  "go to the rail": async () => userEvent.click(page.getByRole("button", { name: /^Approvals/ })),
  scroll: ({ random }) => {
    const boxes = document.querySelectorAll("[data-scroll]");
    boxes[random(boxes.length)]?.scrollBy(0, random(1_600) - 800);
  },
  resize: ({ random }) => resize(random),
  "point at a row": async (run) => {
    const rows = document.querySelectorAll<HTMLElement>("[data-queue-row]");
    const row = rows[run.random(rows.length)];
    if (row) await userEvent.click(row, { force: true, timeout: clickMs }).catch(() => undefined);
  },
  "the list or the card": () => userEvent.keyboard("l"),
  "read on": () => userEvent.keyboard(" "),
  "a card comes": ({ queue, random, versions }) => {
    const index = 40 + versions.size;
    versions.set(`c${index}`, 1);
    queue.put(mixedCard(`c${index}`, index, 1, random(2) === 0 ? { requestedAt: 500 } : {}));
  },
  "a card goes": (run) => {
    const card = anyPending(run);
    if (card) run.queue.withdraw(card.id);
  },
  "the card on the screen goes": (run) => {
    const id = currentCard();
    if (id && run.queue.pending().some((one) => one.id === id)) run.queue.withdraw(id);
  },
  "a card is drawn anew": (run) => {
    const id = run.random(2) === 0 ? currentCard() : anyPending(run)?.id;
    if (id === undefined || !run.queue.pending().some((one) => one.id === id)) return;
    const version = (run.versions.get(id) ?? 1) + 1;
    run.versions.set(id, version);
    run.queue.put(mixedCard(id, Number(id.slice(1)), version));
  },
};

async function pressButton(run: Run, name: "Approve" | "Reject"): Promise<void> {
  const buttons = visibleButtons(name);
  const button = buttons[run.random(buttons.length)];
  if (!button) return;
  run.meant = cardOf(button);
  await userEvent.click(button, { force: true, timeout: clickMs }).catch(() => undefined);
}

/** Asks about all of a group, and decides none by itself. */
async function pressGroup(run: Run, name: "Approve" | "Reject"): Promise<void> {
  useQueue.setState({ view: "shape", listOpen: false });
  await frames();
  makeCurrent([...useQueue.getState().groups.keys()][0]);
  await frames();
  await pressButton(run, name);
}

/** What was done at random may have decided nothing; whatever it left behind, a card can be decided then. */
async function decideOne(run: Run): Promise<void> {
  if (run.queue.decided.length > 0) return;
  if (document.querySelector("[role=dialog]")) await userEvent.keyboard("{Escape}");
  if (isInField()) await userEvent.keyboard("{Escape}");
  useQueue.setState({ view: "all", listOpen: false });
  const isPlain = ({ risk, subject, snoozedUntil }: Approval) =>
    risk !== "high" && subject.kind === "command" && snoozedUntil === undefined;
  makeCurrent(run.queue.pending().find(isPlain)?.id);
  await frames();
  for (let presses = 0; presses < 15 && run.queue.decided.length === 0; presses += 1) {
    while (!isArmed()) await frames();
    await press(run, "y");
    await frames();
  }
}

function resize(random: (below: number) => number): Promise<void> {
  const [width, height] = sizes[random(sizes.length)] ?? sizes[0];
  return page.viewport(width, height);
}

/** Answers what is asked before many are decided: half of the time with no, else by as many presses as it takes. */
async function answerQuestion(run: Run): Promise<void> {
  const { random, queue } = run;
  const go = () =>
    [...document.querySelectorAll<HTMLButtonElement>("[role=dialog] button")].find((button) =>
      /^(Approve|Reject) \d+/.test(button.textContent ?? ""),
    );
  for (let presses = random(2) * 6; presses > 0 && go()?.disabled === false; presses -= 1) {
    const before = queue.decided.length;
    run.meant = list;
    go()?.click();
    for (let frame = 0; frame < 12 && queue.decided.length === before; frame += 1) await frames();
  }
  if (document.querySelector("[role=dialog]")) await userEvent.keyboard("{Escape}");
  // A press that waits for a glance may act until the list is gone, and what it sent is on its way.
  while (document.querySelector("[role=dialog]")) await frames();
  await frames();
  run.meant = undefined;
}

async function press(run: Run, keys: string): Promise<void> {
  run.meant = currentCard();
  await userEvent.keyboard(keys);
}

/** What a card says of a file or of arguments is read late, and refusing it needs no more than that the card is there. */
function isRefusedUnread({ id, subject }: Approval, type: string): boolean {
  const card = document.querySelector(`[data-approval="${id}"]`);
  if (type !== "reject" || !card || (subject.kind !== "file" && subject.kind !== "arguments")) return false;
  const { left, top, width, height } = card.getBoundingClientRect();
  return cardOf(document.elementFromPoint(left + width / 2, top + height / 2)) === id;
}

function check(run: Run, approval: Approval, type: string): void {
  const { id, digest } = approval;
  const version = Number(digest.slice(digest.lastIndexOf("v") + 1));
  const unseen = markersOf(id, Number(id.slice(1)), version).filter((one) => !run.witness.seen.has(one));
  if (type !== "reject" && unseen.length > 0)
    run.wrong.push(`${id} was decided, unseen: ${unseen.join(" ")}`);
  // Of what was decided out of a list, the list was on the screen.
  if (run.meant === list) return;
  // Who changes a call looks at the field, which may have pushed out what the card said before.
  const isThere = run.witness.now().has(`${id}-v${version}`) || isRefusedUnread(approval, type);
  if (type !== "edit" && !isThere) run.wrong.push(`${id} was decided while off the screen: ${type}`);
  if (run.meant !== id) run.wrong.push(`${id} was decided, ${run.meant} was meant`);
}

it.each(Array.from({ length: runs }, (_, index) => firstSeed + index))(
  "decides what is on the screen, seed %i",
  async (seed) => {
    await resize(() => seed % sizes.length);
    const witness = watchScreen();
    const queue = openLiveQueue(fortyCards(), {
      onDecide: (approval, type) => check(run, approval, type),
    });
    const random = randomFrom(seed);
    const run: Run = { queue, witness, random, versions: new Map(), wrong: [], log: [] };
    await expect.element(page.getByRole("article").first()).toBeVisible();
    const names = Object.keys(deeds);
    // So few runs may not come by a group.
    await pressGroup(run, "Approve");
    expect(document.querySelector("[role=dialog]")).not.toBeNull();
    await answerQuestion(run);
    for (let step = 0; step < stepsOfRun && run.wrong.length === 0; step += 1) {
      const name = names[random(names.length)] ?? "down";
      run.log.push(`${name} (${currentCard()})`);
      await deeds[name]?.(run);
      if (document.querySelector("[role=dialog]")) await answerQuestion(run);
      // Most of the time the person waits until the card takes keys; sometimes not.
      if (random(4) > 0) while (!isArmed()) await frames();
    }
    await decideOne(run);
    expect(run.wrong, `seed ${seed}: ${run.wrong.join("; ")} after ${run.log.join(", ")}`).toEqual([]);
    expect(queue.decided.length, run.log.join(", ")).toBeGreaterThan(0);
  },
);

/** A small generator, so that a seed gives the same run again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}
