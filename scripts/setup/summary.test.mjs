import { expect, it } from "vitest";
import { nameFailures, nameSecondTries, nameSkips, summarise } from "./summary.mjs";

const passed = { file: "a.test.ts", name: "group > holds", status: "passed", why: "" };
const failed = { file: "a.test.ts", name: "group > fails", status: "failed", why: "Error: no" };
const skipped = { file: "a.test.ts", name: "group > waits", status: "skipped", why: "" };

it("counts over all runners, and names skipped tests only when there are some", () => {
  expect(summarise([passed, passed])).toBe("2 passed, 0 failed");
  expect(summarise([passed, skipped, failed, failed])).toBe("1 passed, 2 failed, 1 skipped");
});

it("names what failed by file, name and error, and nothing else", () => {
  const broken = { file: "b.test.ts", name: "", status: "failed", why: "Cannot find module" };
  const step = { file: "", name: "", status: "failed", why: "It ended with exit code 2." };
  expect(nameFailures([passed, failed, skipped, broken, step])).toEqual([
    "a.test.ts > group > fails: Error: no",
    "b.test.ts: Cannot find module",
    "It ended with exit code 2.",
  ]);
});

it("names what passed, but not the first time, with what went wrong then", () => {
  const second = { ...passed, name: "group > races", why: "Error: too early" };
  expect(nameSecondTries([passed, failed, skipped, second])).toEqual([
    "a.test.ts > group > races: Error: too early",
  ]);
});

it("says why tests were left out, how many and in which files", () => {
  const allowedBy = new Map([["No bash.", ["a.test.ts > x > y", "a.test.ts > z", "b.test.ts > w"]]]);
  expect(nameSkips(allowedBy)).toBe("\n3 skipped: No bash. (a.test.ts, b.test.ts)");
  expect(nameSkips(new Map())).toBe("");
});
