import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/project.mjs";
import { judgeSkips, patternsOf, readAllowedSkips, reasonToSkip } from "./allowed-skips.mjs";

const allowed = [
  { reason: "no bash here", tests: ["a.test.ts > group > runs *", "b.test.ts"].map(patternsOf) },
];
const test = (file, name, status = "skipped") => ({ file, name, status, why: "" });

it("finds the reason by file, or by a name in which a star stands for any text", () => {
  expect(reasonToSkip(allowed, test("b.test.ts", "whatever"))).toBe("no bash here");
  expect(reasonToSkip(allowed, test("a.test.ts", "group > runs (twice)\nor more"))).toBe("no bash here");
  expect(reasonToSkip(allowed, test("a.test.ts", "group > walks"))).toBeUndefined();
  expect(reasonToSkip(allowed, test("src/b.test.ts", "whatever"))).toBeUndefined();
});

it("makes a failure of a skip that no reason allows, and leaves everything else as it is", () => {
  const tests = [
    test("b.test.ts", "left out"),
    test("b.test.ts", "fails", "failed"),
    test("c.test.ts", "left out"),
    test("c.test.ts", "holds", "passed"),
  ];
  const { judged, allowedBy } = judgeSkips(tests, allowed);
  expect(judged.map(({ status }) => status)).toEqual(["skipped", "failed", "failed", "passed"]);
  expect(judged[2].why).toContain("not in the list of allowed skips");
  expect([...allowedBy]).toEqual([["no bash here", ["b.test.ts > left out"]]]);
});

it("fails when more is left out for a reason than the list says", () => {
  const tests = [test("b.test.ts", "one"), test("b.test.ts", "two")];
  const judge = (most) => judgeSkips(tests, [{ ...allowed[0], most }]).judged.map(({ status }) => status);
  expect(judge(undefined)).toEqual(["skipped", "skipped"]);
  expect(judge(2)).toEqual(["skipped", "skipped"]);
  expect(judge(1)).toEqual(["skipped", "skipped", "failed"]);
});

it("takes the skips behind a group that broke for a part of that failure", () => {
  const tests = [
    test("c.test.ts", "left out"),
    { ...test("c.test.ts", "", "failed"), why: "beforeAll failed" },
  ];
  expect(judgeSkips(tests, allowed).judged.map(({ status }) => status)).toEqual(["skipped", "failed"]);
});

it("names only files that exist, each with a reason", () => {
  const existing = ["src", "scripts", "fault", "attack", "bench", "e2e"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map(
      (name) => `${folder}/${name.replaceAll("\\", "/")}`,
    ),
  );
  for (const { reason, tests } of readAllowedSkips("linux", "darwin", "win32", "wine", "short")) {
    expect(reason).toMatch(/^[A-Z].*\.$/);
    for (const { file } of tests) if (!file.includes("*")) expect(existing).toContain(file);
  }
});
