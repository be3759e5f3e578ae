import { describe, expect, it } from "vitest";
import { z } from "zod";
import { nameProblems } from "./field-problem.ts";

const schema = z.strictObject({
  name: z.string().min(1).max(5),
  size: z.number().int().min(1).max(9).optional(),
  on: z.boolean().optional(),
  kind: z.enum(["a", "b"]).optional(),
  list: z.array(z.string()).max(1).optional(),
  own: z.string().min(2, "is too short to be told apart").optional(),
  either: z.union([z.boolean(), z.strictObject({ deep: z.strictObject({ text: z.string() }) })]).optional(),
});

describe("what a schema refused", () => {
  it.each([
    [{}, "name", "is missing; it is text in quotes."],
    [{ name: 7 }, "name", "must be text in quotes."],
    [{ name: "" }, "name", "must not be empty."],
    [{ name: "abcdef" }, "name", "must have at most 5 characters."],
    [{ name: "x", size: 0 }, "size", "must be at least 1."],
    [{ name: "x", size: 1.5 }, "size", "must be a whole number."],
    [{ name: "x", on: "yes" }, "on", "must be true or false."],
    [{ name: "x", kind: "c" }, "kind", "must be a or b."],
    [{ name: "x", list: ["1", "2"] }, "list", "must have at most 1 entries."],
    [{ name: "x", own: "1" }, "own", "is too short to be told apart"],
    [{ name: "x", nmae: "y" }, "nmae", "is not known here. Check the spelling, or take it out."],
    [{ name: "x", either: { deep: { text: 1 } } }, "either.deep.text", "must be text in quotes."],
  ])("is named by field and in words a person reads: %j", (value, field, message) => {
    const { error } = schema.safeParse(value);
    expect(error && nameProblems(error)).toEqual([{ field, message }]);
  });
});
