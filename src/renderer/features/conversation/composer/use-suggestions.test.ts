/** A list that pops up where nobody asked is worse than none. */
import { describe, expect, it } from "vitest";
import { findTrigger } from "./use-suggestions.ts";

const at = (marked: string) => findTrigger(marked.replace("|", ""), marked.indexOf("|"));

describe("findTrigger", () => {
  it("sees a mention before the caret, in the middle of a text too", () => {
    expect(at("look at @src/a| and b")).toEqual({ kind: "file", query: "src/a", from: 8, to: 14 });
    expect(at("(@|")).toMatchObject({ kind: "file", query: "" });
  });

  it("sees a command only at the start and only until its first space", () => {
    expect(at("/st|")).toEqual({ kind: "command", query: "st", from: 0, to: 3 });
    expect(at("/rename a|")).toBeUndefined();
    expect(at("run /st|")).toBeUndefined();
  });

  it("leaves mail addresses and finished mentions alone", () => {
    expect(at("ada@example|")).toBeUndefined();
    expect(at("@a.md done|")).toBeUndefined();
  });
});
