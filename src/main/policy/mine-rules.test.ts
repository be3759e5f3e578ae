/** The rules that a person's own decisions would have made: few, and never one that answers what they refused. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { judgeCommand } from "./judge-command.ts";
import { mineRules } from "./mine-rules.ts";
import type { PastRequest } from "./preview-rule.ts";
import { makeContext } from "./testing/make-context.ts";

const context = makeContext({ rules: [] });
const past = (
  ...decided: [command: string, decision: PastRequest["decision"], times?: number][]
): PastRequest[] =>
  decided
    .flatMap(([command, decision, times = 1]) => Array.from({ length: times }, () => ({ command, decision })))
    .map((one, at) => ({ ...one, id: String(at) }));
const textsOf = (requests: PastRequest[]) =>
  mineRules(requests, context).map(({ text, approved }) => [text, approved]);

describe("the rules of a record", () => {
  it("are those that answer most, the best first", () => {
    const decided = past(
      ["make test", "approved", 4],
      ["npm test -- a", "approved", 3],
      ["npm test", "approved", 3],
    );
    expect(textsOf(decided)).toEqual([
      ["npm test", 6],
      ["make test", 4],
    ]);
  });

  it("hold in a folder that is not trusted, as the person's own do", () => {
    const mined = mineRules(past(["make test", "approved", 4]), { ...context, trusted: false });
    expect(mined.map(({ text }) => text)).toEqual(["make test"]);
  });

  it("come from three approvals at least", () => {
    expect(textsOf(past(["make test", "approved", 2], ["npm test", "rejected", 5]))).toEqual([]);
  });

  it.each(["rejected", "other"] as const)("answer nothing that was decided otherwise (%s)", (decision) => {
    expect(textsOf(past(["make test", "approved", 9], ["make test -- all", decision]))).toEqual([]);
  });

  it("answer nothing together that none of them answers alone", () => {
    const decided = past(
      ["make test", "approved", 4],
      ["npm test", "approved", 3],
      ["make test && npm test", "rejected"],
    );
    expect(textsOf(decided)).toEqual([["make test", 4]]);
  });

  it("answer a command of several parts once each part has a rule, and are none that would answer nothing", () => {
    const both = past(["make test", "approved", 3], ["make test && npm test", "approved", 3]);
    expect(textsOf(both)).toEqual([
      ["make test", 3],
      ["npm test", 3],
    ]);
    expect(textsOf(past(["make test && npm test", "approved", 5]))).toEqual([]);
  });

  it("leave out what the person declined, and what no rule may answer", () => {
    const decided = past(
      ["make test", "approved", 4],
      ["git push", "approved", 9],
      ["python x.py", "approved", 9],
    );
    expect(textsOf(decided)).toEqual([["make test", 4]]);
    expect(mineRules(decided, context, (text) => text === "make test")).toEqual([]);
  });

  it("are ten at most, and never let pass what was not approved, on random records", () => {
    const command = fc
      .tuple(
        fc.constantFrom(
          "make a",
          "make b",
          "npm test",
          "npm run x",
          "git add .",
          "touch f",
          "mkdir d",
          "rm x",
          "cargo test",
          "tsc",
        ),
        fc.constantFrom("", " -- y", " && make b", "; touch f", " $X"),
      )
      .map((parts) => parts.join(""));
    const decision = fc.constantFrom(
      "approved" as const,
      "approved" as const,
      "approved" as const,
      "rejected" as const,
      "other" as const,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(command, decision), { maxLength: 40 }), (decided) => {
        const requests = past(...decided);
        const mined = mineRules(requests, context);
        expect(mined.length).toBeLessThanOrEqual(10);
        const rules = mined.map(({ tokens, exact, text }) => ({
          id: text,
          tokens,
          exact,
          text,
          effect: "allow" as const,
          scope: "workspace" as const,
        }));
        const running = requests.filter((one) =>
          /^(?:safe|covered)$/.test(judgeCommand(one.command, { ...context, rules }).verdict),
        );
        expect(running.filter((one) => one.decision !== "approved")).toEqual([]);
        expect(running.length).toBe(mined.reduce((sum, { approved }) => sum + approved, 0));
      }),
      { numRuns: runsOf(60), seed: 5 },
    );
  });
});
