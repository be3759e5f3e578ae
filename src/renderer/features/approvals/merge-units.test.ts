/** A long script says each reason once, what asks first, and nothing of it is lost. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Verdict, VerdictName } from "../../../shared/contract/decisions.ts";
import { bounded, mergeUnits } from "./merge-units.ts";

const verdicts: VerdictName[] = ["safe", "covered", "new", "ask", "deny"];
const unit = fc.record(
  {
    text: fc.string(),
    at: fc.nat(),
    verdict: fc.constantFrom(...verdicts),
    reason: fc.constantFrom("No rule covers it.", "It only reads here."),
    rule: fc.constantFrom("npm test", "make"),
    class: fc.constantFrom("leaves" as const, "final" as const),
  },
  { requiredKeys: ["text", "verdict", "reason"] },
);

describe("mergeUnits", () => {
  it("keeps every part under its own verdict, class, words and rule, and tells no two alike", () => {
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const back = mergeUnits(units).flatMap(({ texts, places, ...rest }) =>
          texts.map((text, index) => ({ text, at: places[index], ...rest })),
        );
        const inOrder = (all: readonly Verdict["units"][number][]) =>
          all.map((one) => JSON.stringify(sorted(one))).sort();
        expect(inOrder(back)).toEqual(inOrder(units));
        const heads = mergeUnits(units).map(({ texts: _, places: __, ...rest }) =>
          JSON.stringify(sorted(rest)),
        );
        expect(new Set(heads).size).toBe(heads.length);
      }),
    );
  });

  it("puts what asks above what does not, and what cannot be called back above that", () => {
    const all = [...verdicts.map((verdict) => ({ text: "a", verdict, reason: "r" }))];
    const beyond = { text: "b", verdict: "ask" as const, reason: "r", class: "leaves" as const };
    expect(mergeUnits([...all, beyond]).map((one) => `${one.verdict} ${one.class ?? ""}`.trim())).toEqual([
      "deny",
      "ask leaves",
      "ask",
      "new",
      "covered",
      "safe",
    ]);
  });
});

it("bounds a text without cutting a character in two", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "é", "检", "😀") }),
      fc.integer({ min: 1, max: 30 }),
      (text, longest) => {
        const short = bounded(text, longest);
        expect(short.length).toBeLessThanOrEqual(longest + 1);
        expect(short.isWellFormed()).toBe(true);
        expect(text.startsWith(short.replace(/…$/, ""))).toBe(true);
      },
    ),
  );
});

const sorted = (one: object) => Object.fromEntries(Object.entries(one).sort());
