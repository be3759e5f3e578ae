/** A key that comes just after typing decides nothing: it is likely to be one of the text. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { keyboardNames } from "../testing/keyboards.ts";
import { press } from "../testing/press-pattern.ts";
import { registerActions } from "./actions.ts";
import { forgetTyping, startKeys } from "./keys.ts";

describe("after typing", () => {
  const act = vi.fn();
  let stop: () => void;
  let field: HTMLTextAreaElement;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    act.mockClear();
    const decide = { id: "decide", section: "Test", label: "Decide", keys: ["y"], guarded: true, run: act };
    onTestFinished(registerActions([decide]));
    stop = startKeys();
    onTestFinished(stop);
    field = document.body.appendChild(document.createElement("textarea"));
    onTestFinished(() => field.remove());
  });

  const type = (into: Element = field) => into.dispatchEvent(new Event("input", { bubbles: true }));
  const down = (key: string, on: Element = document.body) =>
    on.dispatchEvent(new KeyboardEvent("keydown", { key, code: "", bubbles: true }));

  it.each([
    ["no letter", () => down("Shift")],
    ["a letter that its field keeps for itself", () => down("u", field)],
  ])("%s makes the time longer in which keys decide nothing", (_, again) => {
    type();
    for (let times = 0; times < 4; times += 1) {
      vi.advanceTimersByTime(500);
      again();
    }
    press("us", "y");
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("neither a box that is ticked nor a button counts as typing", () => {
    const box = document.body.appendChild(document.createElement("input"));
    onTestFinished(() => box.remove());
    for (const kind of ["checkbox", "radio", "button"]) {
      box.type = kind;
      type(box);
      press("us", "y");
    }
    expect(act).toHaveBeenCalledTimes(3);
    box.type = "text";
    type(box);
    press("us", "y");
    expect(act).toHaveBeenCalledTimes(3);
  });

  it("counts also where the field keeps its events to itself, and what is typed on as well", () => {
    for (const kind of ["input", "keydown"]) {
      const keep = (event: Event) => event.stopPropagation();
      document.body.addEventListener(kind, keep);
      onTestFinished(() => document.body.removeEventListener(kind, keep));
    }
    const pressOnWindow = () =>
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "y", code: "KeyY" }));
    type();
    pressOnWindow();
    vi.advanceTimersByTime(600);
    down("u");
    vi.advanceTimersByTime(1_500);
    pressOnWindow();
    expect(act).not.toHaveBeenCalled();
  });

  it("keys decide at once when what was typed has been sent, and in a console that begins anew", () => {
    type();
    forgetTyping();
    press("us", "y");
    expect(act).toHaveBeenCalledTimes(1);
    type();
    stop();
    onTestFinished(startKeys());
    press("us", "y");
    expect(act).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["it has the focus again", () => window.dispatchEvent(new Event("focus"))],
    ["it is visible again", () => document.dispatchEvent(new Event("visibilitychange"))],
  ])("what was begun in another window decides nothing in this one once %s", (_, comeBack) => {
    comeBack();
    for (let letter = 0; letter < 8; letter += 1) {
      vi.advanceTimersByTime(500);
      press("us", "y");
    }
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2_000);
    comeBack();
    // Who looks first is not held up.
    vi.advanceTimersByTime(700);
    press("us", "y");
    expect(act).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["fell to the page", () => undefined],
    [
      "went to what came next",
      () => {
        const next = document.body.appendChild(document.createElement("button"));
        onTestFinished(() => next.remove());
        next.focus();
      },
    ],
  ])(
    "the first letter after a field has left decides nothing, however late, where the focus %s",
    (_, goOn) => {
      field.focus();
      field.remove();
      goOn();
      vi.advanceTimersByTime(60_000);
      press("us", "y");
      expect(act).not.toHaveBeenCalled();
      vi.advanceTimersByTime(2_000);
      press("us", "y");
      expect(act).toHaveBeenCalledTimes(1);
    },
  );

  it.each([
    ["was sent", () => forgetTyping()],
    ["the person left", () => field.blur()],
    ["the person ended by Enter", () => down("Enter", field)],
    ["the person ended by Escape", () => down("Escape", field)],
  ])("what %s is no field that left under the hands", async (_, end) => {
    field.focus();
    end();
    await Promise.resolve();
    field.remove();
    press("us", "y");
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("nothing is noted and no key acts once it has ended", () => {
    stop();
    type();
    press("us", "y");
    registerActions([{ id: "late", section: "Test", label: "Late", keys: ["y"], run: act }])();
    press("us", "y");
    onTestFinished(startKeys());
    expect(act).not.toHaveBeenCalled();
  });
});

it("what is typed on after its field has left the page decides nothing, until there was a pause", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  onTestFinished(startKeys());
  let ran = 0;
  onTestFinished(
    registerActions([
      { id: "decide", section: "Test", label: "Decide", keys: ["y"], guarded: true, run: () => (ran += 1) },
    ]),
  );
  const field = document.body.appendChild(document.createElement("textarea"));
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.remove();
  for (let letter = 0; letter < 8; letter += 1) {
    vi.advanceTimersByTime(500);
    press(keyboardNames[0]!, "y");
  }
  expect(ran).toBe(0);
  // Pressed again after a look: it does not make the time longer.
  for (const expected of [0, 0, 1]) {
    vi.advanceTimersByTime(900);
    press(keyboardNames[0]!, "y");
    expect(ran).toBe(expected);
  }
});
