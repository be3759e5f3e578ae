/** The colours of code, for each language that is offered. */
import { expect, it, onTestFinished, vi } from "vitest";
import { highlight, languages } from "./highlight.ts";

it.each(Object.keys(languages))("colours %s, and changes no letter of it", async (language) => {
  const code = '{ "a": 1 }\n# if <b> x = "text" -- end';
  const lines = await highlight(code, language);
  expect(lines?.map((tokens) => tokens.map(({ text }) => text).join("")).join("\n")).toBe(code);
});

it("colours what JSON says", async () => {
  const tokens = (await highlight('{"name": true}', "json"))?.flat() ?? [];
  expect(new Set(tokens.map(({ color }) => color)).size).toBeGreaterThan(1);
});

it("knows no other language", async () => {
  expect(await highlight("x", "klingon")).toBeUndefined();
});

it("colours code after a comment as code, however slow the machine is", async () => {
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 60_000));
  onTestFinished(() => clock.mockRestore());
  const lines = await highlight("/** How many. */\nexport const many = 1;", "typescript");
  const [comment, code] = (lines ?? []).map((tokens) => new Set(tokens.map(({ color }) => color)));
  expect([comment?.size, [...(code ?? [])].some((color) => comment?.has(color))]).toEqual([1, false]);
});
