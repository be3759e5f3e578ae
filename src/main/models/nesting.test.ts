import fc from "fast-check";
import { expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { cutTooDeep, deepestArguments, isDeeperThan } from "./nesting.ts";

const nested = (kinds: readonly boolean[]): unknown =>
  JSON.parse(
    `${kinds.map((list) => (list ? "[" : '{"a":')).join("")}1${kinds
      .map((list) => (list ? "]" : "}"))
      .reverse()
      .join("")}`,
  );

it("cuts an answer so that whoever calls itself for each level can read it, and its deep arguments stay too deep", () => {
  const levels = fc.array(fc.boolean(), { minLength: 1, maxLength: 400 });
  const times = fc.constantFrom(1, 1, 500);
  fc.assert(
    fc.property(levels, times, (some, repeated) => {
      const args = nested(Array.from({ length: repeated }, () => some).flat());
      const tooDeep = isDeeperThan(args, deepestArguments);
      const answer = { candidates: [{ content: { parts: [{ functionCall: { name: "x", args } }] } }] };
      const wasCut = cutTooDeep(answer);
      expect(isDeeperThan(answer.candidates[0]!.content.parts[0]!.functionCall.args, deepestArguments)).toBe(
        tooDeep,
      );
      if (!tooDeep) expect(wasCut).toBe(false);
      expect(isDeeperThan(JSON.parse(JSON.stringify(answer)), 150)).toBe(false);
    }),
    { numRuns: runsOf(60) },
  );
});
