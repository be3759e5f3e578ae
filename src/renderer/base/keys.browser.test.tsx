/** Sequences of keys, what a key is called, and what belongs to an input method or to a text field. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openConsole } from "../testing/open-console.ts";
import { press } from "../testing/press-pattern.ts";
import { sampleThread } from "../testing/samples.ts";
import { registerActions, useActions } from "./actions.ts";
import { printedLetter } from "./key-layout.ts";

describe("a sequence of keys", () => {
  it("is whole right after another one, and its last press never stands alone", () => {
    openConsole({ threads: [], approvals: [] }, {});
    const patterns = useActions.getState().actions.flatMap(({ keys }) => keys ?? []);
    const sequences = [...new Set(patterns.filter((pattern) => pattern.includes(" ")))];
    expect(sequences.length).toBeGreaterThan(10);
    useActions.setState({ actions: [] });
    const ran: string[] = [];
    const off = registerActions(
      [...new Set(sequences.flatMap((sequence) => sequence.split(" ").slice(1))), ...sequences].map(
        (key) => ({
          id: key,
          label: key,
          section: "test",
          keys: [key],
          run: () => void ran.push(key),
        }),
      ),
    );
    onTestFinished(off);
    // The library says of each `g` that it waits for what may follow.
    const quiet = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onTestFinished(() => quiet.mockRestore());
    for (const first of sequences)
      for (const then of sequences) {
        ran.length = 0;
        document.body.dispatchEvent(new KeyboardEvent("keydown", { code: "F9", key: "F9", bubbles: true }));
        for (const one of `${first} ${then}`.split(" ")) press("us", one);
        expect(ran).toEqual([first, then]);
      }
  });
});

describe("what a key is called", () => {
  it("is the letter that stands on it", () => {
    const russian = new Map([["KeyY", "н"]]);
    const german = new Map([
      ["KeyY", "z"],
      ["KeyZ", "y"],
    ]);
    expect([printedLetter("y", russian), printedLetter("Y", russian)]).toEqual(["н", "Н"]);
    expect(printedLetter("y", german)).toBe("y");
    expect(printedLetter("y", undefined)).toBe("y");
  });
});

describe("a composition", () => {
  it("keeps its Enter and its Escape: nothing is chosen and nothing closes", async () => {
    openConsole({ threads: [], approvals: [] }, {});
    await expect.element(page.getByRole("heading", { name: "Approvals", level: 1 })).toBeVisible();
    press("us", "$mod+k");
    const field = page.getByRole("combobox", { name: "Go to or do" });
    await field.fill("settings");
    const say = (key: string, how: KeyboardEventInit) =>
      field
        .element()
        .dispatchEvent(new KeyboardEvent("keydown", { key, ...how, bubbles: true, cancelable: true }));
    for (const how of [{ isComposing: true }, { keyCode: 229 }]) {
      say("Enter", how);
      say("Escape", how);
    }
    await expect.element(field).toHaveValue("settings");
    expect(location.hash).toBe("#/queue");
    say("Escape", {});
    await vi.waitFor(() => expect(field.query()).toBeNull());
  });
});

describe("Escape in a text field", () => {
  const focused = () => document.activeElement;

  it.each(["Message", "Search threads"])(
    "leaves %s, so that single keys act again, and keeps its text",
    async (name) => {
      openConsole({ threads: [sampleThread("t1")], approvals: [] }, {}, "#/thread/t1");
      const field = page.getByLabelText(name, { exact: true });
      await field.fill("half a thought");
      expect(focused()).toBe(field.element());
      await userEvent.keyboard("{Escape}");
      expect(focused()).toBe(document.body);
      await expect.element(field).toHaveValue("half a thought");
      await userEvent.keyboard("gq");
      await vi.waitFor(() => expect(location.hash).toBe("#/queue"));
    },
  );
});
