import { expect, it } from "vitest";
import { countPlaywright, countVitest, summarise } from "./summary.mjs";

const vitestReport = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0 };

it("counts a suite that could not be loaded as a failure", () => {
  const testResults = [
    { status: "failed", assertionResults: [] },
    { status: "failed", assertionResults: [{ status: "failed" }] },
    { status: "passed", assertionResults: [{ status: "passed" }] },
  ];
  expect(countVitest({ ...vitestReport, testResults })).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

it("counts errors outside of any end-to-end test as failures", () => {
  const stats = { expected: 4, unexpected: 1, flaky: 1, skipped: 5 };
  expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 2, skipped: 5 });
});

it("sums over all runners, and names skipped tests only when there are some", () => {
  const one = { passed: 1, failed: 0, skipped: 0 };
  expect(summarise([one, one])).toBe("2 passed, 0 failed");
  expect(summarise([one, { passed: 0, failed: 2, skipped: 3 }])).toBe("1 passed, 2 failed, 3 skipped");
});
