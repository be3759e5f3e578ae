/** What a key does, of several that want it, and where it does nothing at all. */
import { describe, expect, it, onTestFinished } from "vitest";
import { press } from "../testing/press-pattern.ts";
import { type Action, registerActions } from "./actions.ts";
import { startKeys } from "./keys.ts";
import { useSettings } from "./stores/settings-store.ts";

describe("a key", () => {
  const action = (id: string, ran: string[], change: Partial<Action>): Action => ({
    id,
    section: "Test",
    label: id,
    keys: ["u"],
    run: () => void ran.push(id),
    ...change,
  });
  const held = (repeat: boolean) =>
    document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: "u", code: "KeyU", repeat, bubbles: true }),
    );

  it("that is held on decides nothing again, and moves on", () => {
    const ran: string[] = [];
    onTestFinished(startKeys());
    const off = registerActions([action("decide", ran, { guarded: true })]);
    for (const repeat of [false, true, true]) held(repeat);
    off();
    onTestFinished(registerActions([action("move", ran, {})]));
    for (const repeat of [false, true, true]) held(repeat);
    expect(ran).toEqual(["decide", "move", "move", "move"]);
  });

  it("does the first that is offered, and that alone", () => {
    const ran: string[] = [];
    let isOffered = true;
    onTestFinished(startKeys());
    onTestFinished(
      registerActions([action("first", ran, { when: () => isOffered }), action("second", ran, {})]),
    );
    press("us", "u");
    isOffered = false;
    press("us", "u");
    expect(ran).toEqual(["first", "second"]);
  });

  it("in a field, a dialog or a menu is theirs, but for what is meant to work there", () => {
    const ran: string[] = [];
    onTestFinished(startKeys());
    onTestFinished(
      registerActions([
        action("anywhere", ran, { keys: ["Escape"], inTextFields: true }),
        action("bare", ran, {}),
      ]),
    );
    const place = document.body.appendChild(document.createElement("div"));
    onTestFinished(() => place.remove());
    const keysOn = (html: string): string[] => {
      ran.length = 0;
      place.innerHTML = html;
      const [target] = place.querySelectorAll("[data-target]");
      for (const key of ["u", "Escape"])
        target?.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true }));
      return [...ran];
    };
    for (const html of [
      "<input data-target>",
      "<textarea data-target></textarea>",
      "<select data-target></select>",
      "<p contenteditable data-target></p>",
      '<div role="dialog"><button data-target></button></div>',
      '<div role="alertdialog"><button data-target></button></div>',
      '<div role="menu"><button data-target></button></div>',
    ])
      expect(keysOn(html), html).toEqual(["anywhere"]);
    for (const html of ['<input type="checkbox" data-target>', "<button data-target></button>"])
      expect(keysOn(html), html).toEqual(["bare", "anywhere"]);
  });

  it("alone does nothing where single keys are turned off, and with others does", () => {
    const ran: string[] = [];
    const { settings } = useSettings.getState();
    useSettings.setState({ settings: { ...settings, singleKeys: false } });
    onTestFinished(() => useSettings.setState({ settings }));
    onTestFinished(startKeys());
    onTestFinished(
      registerActions([
        action("bare", ran, {}),
        action("with", ran, { keys: ["$mod+u", "Escape", "Alt+u"] }),
      ]),
    );
    for (const pattern of ["u", "$mod+u", "Alt+u", "Escape"]) press("us", pattern);
    expect(ran).toEqual(["with", "with", "with"]);
  });
});
