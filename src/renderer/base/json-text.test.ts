import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonText } from "./json-text.ts";

it("says all of a value, and never mostly spaces", () => {
  const hostile = fc
    .tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 20_000 }))
    .map(([depth, width]) => {
      let value: unknown = Array.from({ length: width }, () => 1);
      for (let level = 0; level < depth; level += 1) value = { a: value };
      return value;
    });
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), hostile), (value) => {
      const text = jsonText(value);
      const line = JSON.stringify(value);
      expect(JSON.stringify(JSON.parse(text))).toBe(line);
      expect(text.length).toBeLessThan(2 * line.length + 4_000_000);
    }),
    { numRuns: 50 },
  );
  let worst: unknown = Array.from({ length: 100_000 }, () => 1);
  for (let level = 0; level < 100; level += 1) worst = [worst];
  expect(jsonText(worst)).not.toContain("\n");
  expect(jsonText({ command: "x".repeat(3_000_000) })).toContain('\n  "command"');
});
