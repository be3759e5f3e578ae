/** A held key acts after its time and not before; whatever ends the holding ends it for good. */
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { sampleApproval } from "../../testing/samples.ts";
import { holdMs, holdToAct } from "./hold-key.ts";
import { useQueue } from "./queue-store.ts";

const event = (type: string, code: string) => new KeyboardEvent(type, { code, bubbles: true });
const holding = () => useQueue.getState().holding;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  useQueue.setState(useQueue.getInitialState(), true);
});

/** Presses the key of Approve on a red card. @returns what came of it, in order. */
function hold(): string[] {
  const said: string[] = [];
  holdToAct(
    sampleApproval("red", "rm -rf build", { risk: "high" }),
    event("keydown", "KeyY"),
    () => said.push(`acts, holding ${holding()}`),
    () => said.push("too short"),
  );
  return said;
}

it("acts once, when it was down to the end, and its release afterwards says nothing", () => {
  const said = hold();
  expect(holding()).toBe("red");
  vi.advanceTimersByTime(holdMs - 1);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual(["acts, holding undefined"]);
  document.body.dispatchEvent(event("keyup", "KeyY"));
  vi.advanceTimersByTime(10 * holdMs);
  expect(said).toHaveLength(1);
});

it("does not act once it was released, whoever keeps the release from going on, and says that once", () => {
  const stop = (up: Event) => up.stopPropagation();
  document.body.addEventListener("keyup", stop);
  onTestFinished(() => document.body.removeEventListener("keyup", stop));
  const said = hold();
  vi.advanceTimersByTime(holdMs - 1);
  document.body.dispatchEvent(event("keyup", "KeyY"));
  expect([said, holding()]).toEqual([["too short"], undefined]);
  document.body.dispatchEvent(event("keyup", "KeyY"));
  vi.advanceTimersByTime(10 * holdMs);
  expect(said).toEqual(["too short"]);
});

it("goes on while another key is released", () => {
  const said = hold();
  document.body.dispatchEvent(event("keyup", "ShiftLeft"));
  expect([said, holding()]).toEqual([[], "red"]);
  vi.advanceTimersByTime(holdMs);
  expect(said).toHaveLength(1);
});

it("goes on while it tells again that it is down", () => {
  const said = hold();
  document.body.dispatchEvent(event("keydown", "KeyY"));
  vi.advanceTimersByTime(holdMs);
  expect(said).toHaveLength(1);
});

it.each([
  ["the window is left, since no release would be told", () => window.dispatchEvent(new Event("blur"))],
  ["another key is pressed", () => document.body.dispatchEvent(event("keydown", "Escape"))],
  [
    "the pointer is pressed",
    () => document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })),
  ],
])("ends without a word when %s", (_what, happens) => {
  const said = hold();
  happens();
  expect(holding()).toBeUndefined();
  document.body.dispatchEvent(event("keyup", "KeyY"));
  vi.advanceTimersByTime(10 * holdMs);
  expect(said).toEqual([]);
});
