/** What of a key stays in what a server says, by the forms in which servers and what stands between repeat it. */
import { describe, expect, it } from "vitest";
import { hiderOf } from "./hide-key.ts";

const key = 'lsv2_pt_8f/3a+9c"51e07b64d2';
const hider = hiderOf(key);

describe("a key", () => {
  it.each([
    ["as it is", key, "<its key>"],
    ["in JSON", JSON.stringify({ a: key }), '{"a":"<its key>"}'],
    ["in an address", `/login?key=${encodeURIComponent(key)}&x=1`, "/login?key=<its key>&x=1"],
    ["in base64", `Basic ${Buffer.from(key).toString("base64")}`, /^Basic <its key>=*$/],
    ["without its beginning", `…${key.slice(9)}.`, "…<its key>."],
    ["twice, with the end cut off", `${key} ${key.slice(0, 15)}x`, "<its key> <its key>x"],
    ["not, where little of it is there", `lsv2_pt_ ${key.slice(-8)}`, `lsv2_pt_ ${key.slice(-8)}`],
  ])("that stands there %s", (_, text, expected) => {
    expect(hider.text(text)).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected);
  });

  it("is found in each text and name of what was read, split over two as well", () => {
    const half = key.length / 2;
    const value = { [key]: [{ a: key.slice(0, half), b: key.slice(half), c: 1, d: null }] };
    expect(hider.value(value)).toEqual({ "<its key>": [{ a: "<its key>", b: "<its key>", c: 1, d: null }] });
  });

  it("that is shorter than a word is not looked for, and every piece that is long enough is", () => {
    expect(hiderOf("agent").text("agent")).toBe("agent");
    for (let from = 0; from + 12 <= key.length; from += 1)
      for (let before = 0; before < 12; before += 1) {
        const piece = key.slice(from, from + 12);
        expect(hider.text(`${"-".repeat(before)}${piece}-`)).not.toContain(piece);
      }
  });
});
