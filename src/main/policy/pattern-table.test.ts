import fc from "fast-check";
import { expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { haveCommonName, isHidden, readShellPattern, readTablePattern } from "./name-pattern.ts";
import { createPatternTable } from "./pattern-table.ts";

const part = fc.constantFrom("a", "b", ".", "*");
const shellPart = fc.constantFrom("a", "b", ".", "*", "?", "[ab]");
const tableText = fc.string({ unit: part, maxLength: 6 });
// Both sides of what fits into one word of positions.
const shellText = fc.oneof(
  fc.string({ unit: shellPart, maxLength: 6 }),
  fc.string({ unit: shellPart, minLength: 28, maxLength: 70 }),
  tableText.map((text) => `${"*".repeat(3)}${text}${"*?".repeat(40)}`),
);

it("finds of a whole table what comparing with each of its patterns finds", () => {
  fc.assert(
    fc.property(
      fc.array(tableText, { maxLength: 6 }),
      shellText,
      fc.boolean(),
      fc.array(fc.constantFrom("a", "b", "a*", "*a", "**b"), { maxLength: 40 }),
      (texts, shell, hidden, more) => {
        // A pattern that is made of the table's own texts has something in common more often than a random one.
        const pattern = readShellPattern(shell + more.join(""));
        const patterns = [...texts, more.join("").slice(0, 60)].map(readTablePattern);
        const found = patterns.filter((each) => (hidden || !isHidden(each)) && haveCommonName(pattern, each));
        const openEnded = found.every((each) => each.at(-1)?.kind === "run");
        expect(createPatternTable(() => patterns)(pattern, hidden)).toBe(
          found.length === 0 ? "none" : openEnded ? "openEnded" : "some",
        );
      },
    ),
    { numRuns: runsOf(2000) },
  );
});

it("takes a pattern of more parts than a name can have for one that has something in common", () => {
  const compare = createPatternTable(() => ["x"].map(readTablePattern));
  expect(compare(readShellPattern("?".repeat(512)), false)).toBe("none");
  expect(compare(readShellPattern("?".repeat(513)), false)).toBe("some");
  expect(compare(readShellPattern("*".repeat(513)), false)).toBe("some");
  expect(compare(readShellPattern("y".repeat(2) + "*".repeat(513)), false)).toBe("none");
});
