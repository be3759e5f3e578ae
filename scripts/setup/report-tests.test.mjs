import { expect, it } from "vitest";
import { readPlaywright, readVitest } from "./report-tests.mjs";

const root = process.cwd();
const result = (title, status, failureMessages = []) => ({
  ancestorTitles: ["a group"],
  title,
  status,
  failureMessages,
});

it("names each test of vitest by file and full name, with the first line of its error in plain letters", () => {
  const name = `${root}/src/a.test.ts`;
  const error = "\u001b[31mAssertionError: expected 1 to be 2\u001b[39m\n    at somewhere";
  const assertionResults = [
    result("holds", "passed"),
    result("fails", "failed", [error]),
    result("waits", "pending"),
    result("races", "passed", [error]),
  ];
  expect(
    readVitest({ testResults: [{ name, status: "failed", message: "", assertionResults }] }, root),
  ).toEqual([
    { file: "src/a.test.ts", name: "a group > holds", status: "passed", why: "" },
    {
      file: "src/a.test.ts",
      name: "a group > fails",
      status: "failed",
      why: "AssertionError: expected 1 to be 2",
    },
    { file: "src/a.test.ts", name: "a group > waits", status: "skipped", why: "" },
    {
      file: "src/a.test.ts",
      name: "a group > races",
      status: "passed",
      why: "AssertionError: expected 1 to be 2",
    },
  ]);
});

it("takes a file of vitest that did not load as a failed test without a name", () => {
  const broken = {
    name: `${root}/src/b.test.ts`,
    status: "failed",
    message: "\nCannot find module x",
    assertionResults: [],
  };
  expect(readVitest({ testResults: [broken] }, root)).toEqual([
    { file: "src/b.test.ts", name: "", status: "failed", why: "Cannot find module x" },
  ]);
});

it("finds the tests of Playwright in nested suites, with the reason of a skip and the last error of a failure", () => {
  const spec = (title, test) => ({
    title,
    file: "a.spec.ts",
    tests: [{ annotations: [], results: [], ...test }],
  });
  const suites = [
    {
      title: "a.spec.ts",
      specs: [spec("opens", { projectName: "browser", status: "expected" })],
      suites: [
        {
          title: "a group",
          specs: [
            spec("is skipped", {
              projectName: "electron",
              status: "skipped",
              annotations: [{ type: "skip", description: "No display." }],
            }),
            spec("fails", {
              projectName: "browser",
              status: "unexpected",
              results: [
                { error: { message: "\u001b[2mfirst\u001b[22m" } },
                { error: { message: "second\nmore" } },
              ],
            }),
            spec("recovers", { projectName: "browser", status: "flaky" }),
          ],
        },
      ],
    },
  ];
  expect(readPlaywright({ suites, errors: [{ message: "No tests found" }] })).toEqual([
    { file: "e2e/a.spec.ts", name: "browser > opens", status: "passed", why: "" },
    { file: "e2e/a.spec.ts", name: "electron > a group > is skipped", status: "skipped", why: "No display." },
    { file: "e2e/a.spec.ts", name: "browser > a group > fails", status: "failed", why: "second" },
    { file: "e2e/a.spec.ts", name: "browser > a group > recovers", status: "passed", why: "" },
    { file: "", name: "", status: "failed", why: "No tests found" },
  ]);
});
