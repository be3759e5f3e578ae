/** What an agent's `interruptOn` says about one call: each condition by itself, several, and their negation. */
import { describe, expect, it } from "vitest";
import type { InterruptRule } from "../../shared/contract/agents.ts";
import { readInterruptRule } from "./interrupt-rule.ts";

type Conditions = NonNullable<Exclude<InterruptRule, boolean>["when"]>["args"];

const asks = (args: Conditions, call: Record<string, unknown>): boolean =>
  readInterruptRule({ allowedDecisions: ["reject"], when: { args } }, call) !== "run";

describe("a condition on the arguments", () => {
  it.each<[Conditions, Record<string, unknown>, boolean]>([
    [{ path: { matches: "^src/" } }, { path: "src/a" }, true],
    [{ path: { matches: "^src/" } }, { path: "lib/src/a" }, false],
    [{ path: { matches: "^.$" } }, { path: "🙂" }, true],
    [{ count: { matches: "^12$" } }, { count: 12 }, true],
    [{ list: { matches: '"b"' } }, { list: ["a", "b"] }, true],
    [{ path: { matches: "^null$" } }, {}, true],
    [{ path: { equals: "a" } }, { path: "a" }, true],
    [{ path: { equals: "a" } }, { path: "ab" }, false],
    [{ n: { equals: 1 } }, { n: "1" }, false],
    [{ o: { equals: { a: [1, null] } } }, { o: { a: [1, null] } }, true],
    [{ path: { equals: "a" } }, {}, false],
    [{ path: { equals: "a", not: true } }, { path: "a" }, false],
    [{ path: { equals: "a", not: true } }, { path: "b" }, true],
    [{ path: { equals: "a", not: true } }, {}, true],
    [{ path: { equals: "a", not: false } }, { path: "a" }, true],
    [{ path: { matches: "^a", equals: "ab" } }, { path: "ab" }, true],
    [{ path: { matches: "^a", equals: "ab" } }, { path: "ac" }, false],
    [{ path: { matches: "^b", equals: "ab" } }, { path: "ab" }, false],
    [{ a: { equals: 1 }, b: { equals: 2 } }, { a: 1, b: 2 }, true],
    [{ a: { equals: 1 }, b: { equals: 2 } }, { a: 1, b: 3 }, false],
    [{ a: { equals: 1 }, b: { equals: 2 } }, { a: 2, b: 2 }, false],
    [{}, { a: 1 }, true],
    [{ a: {} }, {}, true],
  ])("%j of %j asks: %s", (conditions, call, expected) => expect(asks(conditions, call)).toBe(expected));
});

it("leaves to the policy what nothing is said of, and asks with every decision where it says only that it asks", () => {
  expect(readInterruptRule(undefined, {})).toBe("policy");
  expect(readInterruptRule(false, {})).toBe("run");
  expect(readInterruptRule(true, {})).toMatchObject({ allowed: ["approve", "edit", "reject", "respond"] });
});

it("fills the arguments into its description, and leaves what there is none of as it stands", () => {
  const rule = { allowedDecisions: ["reject" as const], description: "{path} {n} {other} {list}" };
  expect(readInterruptRule(rule, { path: "$& a", n: 2, list: [1] })).toMatchObject({
    description: "$& a 2 {other} [1]",
  });
});
