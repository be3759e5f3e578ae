/** What a person did not mean decides nothing: a key that is held on, a press they went on from, a half-made second thought. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { cdp, page, userEvent } from "vitest/browser";
import { stopClock } from "../../testing/hand-clock.ts";
import { type LiveQueue, openLiveQueue } from "../../testing/live-queue.ts";
import { region } from "../../testing/open-cards.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { isRead } from "../seen/read-gauge.ts";
import { isArmed, useQueue } from "./queue-store.ts";

const views = page.getByRole("navigation", { name: "Views" });
const approve = () => region.getByRole("button", { name: "Approve", exact: true });
const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const decidedIds = ({ decided }: LiveQueue) => decided.map(({ approval }) => approval.id);

function open(count = 3, change: Record<string, unknown> = {}): LiveQueue {
  return openLiveQueue(
    Array.from({ length: count }, (_, at) => ({
      approval: sampleApproval(`c${at}`, `make part-${at}`, { requestedAt: at + 1, ...change }),
    })),
  );
}

async function atCard(id: string): Promise<void> {
  await vi.waitFor(() =>
    expect([useQueue.getState().currentId, isRead(id, `digest-${id}`), isArmed()]).toEqual([id, true, true]),
  );
}

// Vitest leaves it to its providers to say what a session has.
const session = cdp() as { send(method: string, how: object): Promise<unknown> };
const keyboard = (type: string, key: string, code: string, place: number, autoRepeat = false) =>
  session.send("Input.dispatchKeyEvent", {
    type,
    key,
    code,
    windowsVirtualKeyCode: place,
    ...(type === "keyDown" && { text: key === "Enter" ? "\r" : key, autoRepeat }),
  });
/** What the keyboard itself does, which sends a key again for as long as it is down. */
const down = (key: string, code: string, place: number, again = false) =>
  keyboard("keyDown", key, code, place, again);
const up = (key: string, code: string, place: number) => keyboard("keyUp", key, code, place);

describe("a key that is held on", () => {
  it.each([
    ["y", "KeyY", 89],
    ["1", "Digit1", 49],
  ])("decides one card by %s, and not the next", async (key, code, place) => {
    const queue = open();
    window.focus();
    await atCard("c0");
    await down(key, code, place);
    await atCard("c1");
    await down(key, code, place, true);
    await frames();
    expect(decidedIds(queue)).toEqual(["c0"]);
    await up(key, code, place);
    await userEvent.keyboard(key);
    await vi.waitFor(() => expect(decidedIds(queue)).toEqual(["c0", "c1"]));
  });

  it("decides one card by Enter on its button, and presses nothing of the next", async () => {
    const queue = open();
    await atCard("c0");
    (approve().element() as HTMLElement).focus();
    await down("Enter", "Enter", 13);
    await atCard("c1");
    for (let repeats = 0; repeats < 3; repeats += 1) await down("Enter", "Enter", 13, true);
    await up("Enter", "Enter", 13);
    await frames();
    expect(decidedIds(queue)).toEqual(["c0"]);
  });

  it("reads no long card to its end: each screenful, and then the decision, is a press of its own", async () => {
    const command = Array.from({ length: 50 }, (_, at) => `make part-${at}`).join("\n");
    const queue = openLiveQueue([{ approval: sampleApproval("c0", command) }]);
    await expect.element(approve()).toBeVisible();
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    (approve().element() as HTMLElement).focus();
    await down("Enter", "Enter", 13);
    await expect.element(region.getByText("Not all of it was on the screen yet.")).toBeVisible();
    for (const box of document.querySelectorAll("[data-card-scroll]")) box.scrollTo(0, 1e6);
    await atCard("c0");
    for (let repeats = 0; repeats < 4; repeats += 1) await down("Enter", "Enter", 13, true);
    await frames();
    expect(decidedIds(queue)).toEqual([]);
    await up("Enter", "Enter", 13);
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(decidedIds(queue)).toEqual(["c0"]));
  });

  it("is no second thought on a red card", async () => {
    const queue = open(1, { risk: "high" });
    await atCard("c0");
    (approve().element() as HTMLElement).focus();
    await down("Enter", "Enter", 13);
    await expect.element(approve()).toHaveAttribute("aria-pressed", "true");
    await down("Enter", "Enter", 13, true);
    await up("Enter", "Enter", 13);
    await frames();
    expect(decidedIds(queue)).toEqual([]);
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(decidedIds(queue)).toEqual(["c0"]));
  });
});

describe("a key from before the card was on the screen", () => {
  it.each([
    ["the settings", "gs", "gq", () => page.getByRole("heading", { name: "Settings", level: 1 })],
    ["the record", "gd", "gw", () => region.getByRole("button", { name: "Decided", pressed: true })],
  ])("decides nothing when it follows the keys that come back from %s", async (_, leave, comeBack, there) => {
    const queue = open(1);
    await atCard("c0");
    await userEvent.keyboard(leave);
    await expect.element(there()).toBeVisible();
    // As fast as hands are: the view opens at once.
    await userEvent.keyboard(`${comeBack}y`);
    await atCard("c0");
    await frames();
    expect(decidedIds(queue)).toEqual([]);
    await userEvent.keyboard("y");
    await vi.waitFor(() => expect(decidedIds(queue)).toEqual(["c0"]));
  });
});

describe("a click on a button that came to the pointer by itself", () => {
  const recovery = {
    kind: "recovery",
    subject: { kind: "recovery", what: "make", startedAt: 1, output: "", executionId: "x" },
  };

  it.each([
    ["Approve", {}],
    ["Reject", {}],
    ["Always for…", {}],
    ["Run again", recovery],
    ["Mark as done", recovery],
    ["Stop turn", recovery],
  ])("does nothing by %s, and the card says so", async (name, change) => {
    const queue = open(1, { allowedDecisions: ["approve", "reject", "respond"], ...change });
    await atCard("c0");
    await region.getByRole("heading", { level: 1 }).hover();
    const button = region.getByRole("button", { name, exact: true }).element();
    // A pointer that did not move makes a click and nothing before it.
    button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    await expect.element(region.getByText("It moved under the pointer just now.")).toBeVisible();
    expect([decidedIds(queue), page.getByRole("dialog").elements()]).toEqual([[], []]);
  });
});

describe("a press right after what it is for became another", () => {
  const anew = (id: string, command = "rm -rf other") => ({
    approval: sampleApproval(id, command, { digest: `anew-${id}`, requestedAt: 1 }),
  });

  it("by a pointer that rests on Approve decides nothing, however fast the new one is read", async () => {
    const clock = stopClock();
    const queue = open(1);
    await expect.poll(() => isRead("c0", "digest-c0")).toBe(true);
    await approve().hover();
    clock.goOn(1_000);
    queue.put(anew("c0"));
    await expect.poll(() => isRead("c0", "anew-c0")).toBe(true);
    await approve().click();
    await expect.element(region.getByText("It moved under the pointer just now.")).toBeVisible();
    expect(decidedIds(queue)).toEqual([]);
    clock.goOn(400);
    await approve().click();
    await vi.waitFor(() => expect(decidedIds(queue)).toEqual(["c0"]));
  });

  it("decides no list of many", async () => {
    const queue = open(3, { shape: "make" });
    await expect.element(approve()).toBeVisible();
    await userEvent.keyboard("gu");
    await region.getByRole("button", { name: "Approve all 3" }).click();
    const go = page.getByRole("dialog").getByRole("button", { name: "Approve 3" });
    await expect.element(go).not.toHaveAttribute("data-locked");
    const pressed = pressOnceLocked(go.element() as HTMLElement);
    queue.put({ approval: sampleApproval("c1", "make other", { digest: "anew-c1", shape: "make" }) });
    await pressed;
    await frames();
    expect(decidedIds(queue)).toEqual([]);
    await expect.element(page.getByRole("dialog")).toHaveTextContent("make other");
    await expect.element(go).not.toHaveAttribute("data-locked");
    await go.click();
    await vi.waitFor(() => expect(decidedIds(queue)).toHaveLength(3));
  });
});

/** In the turn in which it is locked, so that no pause of a busy machine comes between. */
function pressOnceLocked(button: HTMLElement): Promise<void> {
  return new Promise((resolve) => {
    const watching = new MutationObserver(() => {
      if (!button.hasAttribute("data-locked")) return;
      watching.disconnect();
      button.click();
      resolve();
    });
    watching.observe(button, { attributes: true });
  });
}

describe("a second thought", () => {
  it("begins anew once the button has lost the focus", async () => {
    const queue = open(1, { risk: "high" });
    await atCard("c0");
    // The pointer rests where the test before left it, which may be over this very button.
    await region.getByRole("heading", { level: 1 }).hover();
    await approve().click();
    await expect.element(approve()).toHaveAttribute("aria-pressed", "true");
    (views.getByRole("button", { name: "Settings" }).element() as HTMLElement).focus();
    await expect.element(approve()).toHaveAttribute("aria-pressed", "false");
    await approve().click();
    await expect.element(approve()).toHaveAttribute("aria-pressed", "true");
    await frames();
    expect(decidedIds(queue)).toEqual([]);
  });

  it("begins anew on a card that is another one by then", async () => {
    const queue = open(1, { risk: "high" });
    await atCard("c0");
    (approve().element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(approve()).toHaveAttribute("aria-pressed", "true");
    queue.put({ approval: sampleApproval("c0", "make other", { risk: "high", digest: "drawn-anew" }) });
    await expect.element(approve()).toHaveAttribute("aria-pressed", "false");
  });

  it("begins anew on a card that was left and is current again", async () => {
    const queue = open(2, { risk: "high" });
    await atCard("c0");
    // The palette asks for the second step without the button having had the focus.
    useQueue.setState({ confirming: "c0" as never });
    await expect.element(approve()).toHaveAttribute("aria-pressed", "true");
    await userEvent.keyboard("j");
    await atCard("c1");
    await expect.element(approve()).toHaveAttribute("aria-pressed", "false");
    await userEvent.keyboard("k");
    await atCard("c0");
    (approve().element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(approve()).toHaveAttribute("aria-pressed", "true");
    await frames();
    expect(decidedIds(queue)).toEqual([]);
  });
});

describe("a press that waits for a glance", () => {
  const press = (type: string) =>
    document.body.dispatchEvent(
      type === "pointerdown"
        ? new PointerEvent(type, { bubbles: true })
        : new KeyboardEvent("keydown", { key: type, code: `Key${type.toUpperCase()}`, bubbles: true }),
    );

  /** A card that stands there whole and unread for as long as nobody sees the page. @returns what lets it be seen. */
  async function openUnseen() {
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    onTestFinished(() => visibility.mockRestore());
    const queue = open(1);
    await expect.element(region.getByRole("article", { name: "make part-0" })).toBeVisible();
    await vi.waitFor(() => expect(isArmed()).toBe(true));
    return { queue, show: () => visibility.mockRestore() };
  }

  it("acts as soon as the card was there for a moment", async () => {
    const { queue, show } = await openUnseen();
    show();
    press("y");
    await vi.waitFor(() => expect(decidedIds(queue)).toEqual(["c0"]));
  });

  it.each(["q", "pointerdown"])("is given up when %s is pressed meanwhile", async (other) => {
    const { queue, show } = await openUnseen();
    show();
    press("y");
    press(other);
    await atCard("c0");
    await frames();
    expect(decidedIds(queue)).toEqual([]);
  });
});
