/** The card that is decided is the card on the screen: the eighth of forty, at three sizes, by key and by pointer. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openLiveQueue } from "../../testing/live-queue.ts";
import { fortyCards, markersOf, mixedCard } from "../../testing/mixed-cards.ts";
import { armed } from "../../testing/open-cards.ts";
import { type Witness, watchScreen } from "../../testing/screen-witness.ts";

const sizes = [
  [1440, 900],
  [1024, 720],
  [480, 800],
] as const;

afterEach(() => {
  document.documentElement.style.fontSize = "";
});

const card = (id: string) => document.querySelector<HTMLElement>(`[data-approval="${id}"]`);
const current = () => document.querySelector<HTMLElement>("[data-approval][aria-current]")?.dataset.approval;

/** Opens forty cards; every decision is checked against what the witness saw. */
async function open(hash = "#/queue") {
  const witness = watchScreen();
  const wrong: string[] = [];
  const queue = openLiveQueue(fortyCards(), {
    hash,
    onDecide: (approval, type) => wrong.push(...problemsOf(witness, approval.id, type)),
  });
  await vi.waitFor(() => expect(card("c0")).not.toBeNull());
  return { ...queue, witness, wrong };
}

function problemsOf(witness: Witness, id: string, type: string): string[] {
  const index = Number(id.slice(1));
  const unseen = markersOf(id, index).filter((one) => !witness.seen.has(one));
  return [
    ...(type === "reject" || unseen.length === 0 ? [] : [`${id} was decided, unseen: ${unseen.join(" ")}`]),
    ...(witness.now().has(`${id}-v1`) ? [] : [`${id} was decided while it was not on the screen`]),
  ];
}

/** Presses as often as it takes: each press that may not decide yet brings more onto the screen. */
async function pressUntilDecided(
  decided: readonly { approval: { id: string } }[],
  press: () => Promise<void>,
  id: string,
  times = 1,
) {
  const count = () => decided.filter(({ approval }) => approval.id === id).length;
  for (let done = 0; done < 15 && count() < times; done += 1) {
    await armed();
    await press();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }
}

describe.each(sizes)("at %i by %i", (width, height) => {
  it("decides the eighth by key and the next by pointer, while cards come and go, and undo brings it back", async () => {
    await page.viewport(width, height);
    const { decided, wrong, witness, withdraw, put } = await open();
    await userEvent.keyboard("jjjjjjj");
    expect(current()).toBe("c7");
    await armed();
    await userEvent.keyboard("n");
    await userEvent.keyboard("no{Enter}");
    await vi.waitFor(() => expect(decided.map(({ approval }) => approval.id)).toEqual(["c7"]));
    await vi.waitFor(() => expect(document.activeElement).toBe(card("c8")));
    await vi.waitFor(() => expect(witness.now().has("c8-v1")).toBe(true));

    withdraw("c2");
    put(mixedCard("c40", 40));
    const approve = page.elementLocator(card("c8") as HTMLElement).getByRole("button", { name: "Approve" });
    await pressUntilDecided(decided, () => approve.click(), "c8");
    await vi.waitFor(() => expect(current()).toBe("c9"));

    await userEvent.keyboard("z");
    await vi.waitFor(() => expect(document.activeElement).toBe(card("c8")));
    await vi.waitFor(() => expect(witness.now().has("c8-v1")).toBe(true));
    await pressUntilDecided(decided, () => userEvent.keyboard("y"), "c8", 2);
    expect(decided.map(({ approval, type }) => [approval.id, type])).toEqual([
      ["c7", "reject"],
      ["c8", "approve"],
      ["c8", "approve"],
    ]);
    expect(wrong).toEqual([]);
  });
});

it.each([
  ["in a narrow window", 480, 800, ""],
  ["at twice the type size", 720, 450, "20px"],
])("keys go down the list %s, however long a card is, and miss none", async (_, width, height, fontSize) => {
  await page.viewport(width, height);
  document.documentElement.style.fontSize = fontSize;
  const { decided, wrong } = await open();
  for (const id of ["c0", "c1", "c2", "c3"])
    await pressUntilDecided(decided, () => userEvent.keyboard("y"), id);
  expect(decided.map(({ approval }) => approval.id)).toEqual(["c0", "c1", "c2", "c3"]);
  expect(wrong).toEqual([]);
});
