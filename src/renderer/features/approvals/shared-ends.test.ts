/** What differs between like commands is found by whole words and parts of paths. */
import { expect, it } from "vitest";
import { sharedEnds } from "./shared-ends.ts";

const cut = (texts: readonly string[]) => {
  const [start, end] = sharedEnds(texts);
  return texts.map((text) => [
    text.slice(0, start),
    text.slice(start, text.length - end),
    text.slice(text.length - end),
  ]);
};

it.each([
  [
    ["eslint packages/admin/src", "eslint packages/api/src"],
    ["admin", "api"],
  ],
  [
    ["touch one.txt", "touch two.txt"],
    ["one.txt", "two.txt"],
  ],
  [
    ["make a", "make a b"],
    ["a", "a b"],
  ],
  [
    ["make a", "make a"],
    ["a", "a"],
  ],
  [
    ["a/a/a", "a/a"],
    ["a/a", "a"],
  ],
  [
    ["echo 😀/x", "echo 😁/x"],
    ["😀", "😁"],
  ],
  [["alone"], ["alone"]],
] as const)("of %j it leaves %j", (texts, middles) => {
  const cuts = cut(texts);
  expect(cuts.map(([, middle]) => middle)).toEqual(middles);
  expect(cuts.map((pieces) => pieces.join(""))).toEqual(texts);
});
