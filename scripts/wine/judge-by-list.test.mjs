import { expect, it } from "vitest";
import { patternsOf } from "../testing/allowed-skips.mjs";
import { judgeByList } from "./judge-by-list.mjs";

const list = (reason, test) => [{ reason, tests: [patternsOf(test)] }];
const lists = {
  wine: list("no links", "a.test.ts > links *"),
  win32: list("no modes", "a.test.ts > keeps the mode"),
};
const test = (name, status) => ({ file: "a.test.ts", name, status, why: "" });

it("lets fail only what has a reason of Wine's, and says when such a test passes", () => {
  const tests = [
    test("links out", "failed"),
    test("links in", "passed"),
    test("keeps the mode", "skipped"),
    test("keeps the mode", "failed"),
    test("reads", "skipped"),
  ];
  const { judged, allowedBy, passing } = judgeByList(tests, lists);
  expect(judged.map(({ status }) => status)).toEqual(["skipped", "passed", "skipped", "failed", "failed"]);
  expect([...allowedBy.keys()]).toEqual(["no links", "no modes"]);
  expect(passing).toEqual(["a.test.ts > links in"]);
});
