/** What the palette finds stands in the order in which a person would look for it. */
import { expect, it } from "vitest";
import { findItems, type PaletteItem } from "./palette-items.ts";

const item = (label: string, words = ""): PaletteItem => ({
  id: label,
  label,
  kind: "Thread",
  words,
  run: () => {},
});

const found = (query: string, ...items: PaletteItem[]) => findItems(items, query).map(({ label }) => label);

it("puts a name that begins with the words before a shorter one that only lies in a folder of that name", () => {
  const folder = item("Check of the data", "checkout");
  const long = item("Checkout question about the currencies of the orders from last year", "shop");
  expect(found("checkout", folder, long)).toEqual([long.label, folder.label]);
  expect(found("CHECK", item("Spell check", "x"), folder, long)).toEqual([
    folder.label,
    long.label,
    "Spell check",
  ]);
});

it("still finds what has the letters in their order, or the folder, after what has the words", () => {
  const letters = item("Approve all of them later");
  const word = item("Mend the app");
  expect(found("app", item("Tidy up", "app"), letters, word).sort()).toEqual(
    ["Approve all of them later", "Mend the app", "Tidy up"].sort(),
  );
  expect(found("app", item("Tidy up", "app"), word)[0]).toBe(word.label);
  expect(found("zzqq", letters)).toEqual([]);
});

it("puts a thread before a part of the settings that fits as well", () => {
  const setting = { ...item("Check of the data", "Data"), id: "setting:check" };
  const thread = item("Check dependencies", "shop");
  expect(found("check", setting, thread)).toEqual([thread.label, setting.label]);
  expect(found("check of", thread, setting)).toEqual([setting.label]);
  // Of what has only the letters, the one that has them nearest.
  const distant = { ...item("Spending limit of a thread", "Running agents"), id: "setting:limit" };
  const action = item("Go to the agents", "Go to");
  expect(found("go agents", distant, action)[0]).toBe(action.label);
});
