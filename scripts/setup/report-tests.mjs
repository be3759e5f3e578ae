/** Reads the JSON reports of vitest and Playwright into one list of tests: file, name, how each ended and why. */
import { relative, sep } from "node:path";
import { stripVTControlCharacters } from "node:util";

/**
 * The tests of a vitest report. One that passed only the second time keeps what went wrong before; a file that did not
 * even load is one failed test without a name.
 */
export function readVitest(report, root) {
  return report.testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const file = relative(root, path).split(sep).join("/");
    const tests = assertionResults.map((result) => ({
      file,
      name: [...result.ancestorTitles, result.title].filter((title) => title !== "").join(" > "),
      status: result.status === "passed" || result.status === "failed" ? result.status : "skipped",
      why: firstLine(result.failureMessages?.[0]),
    }));
    if (status !== "failed" || tests.some((test) => test.status === "failed")) return tests;
    return [...tests, { file, name: "", status: "failed", why: firstLine(message) }];
  });
}

/** The tests of a Playwright report, named by project too; an error outside of any test is one failed test. */
export function readPlaywright(report) {
  const tests = report.suites.flatMap((suite) => readSuite(suite, []));
  const errors = report.errors.map(({ message, location }) => ({
    file: location?.file ?? "",
    name: "",
    status: "failed",
    why: firstLine(message),
  }));
  return [...tests, ...errors];
}

function readSuite(suite, titles) {
  const inner = (suite.suites ?? []).flatMap((child) => readSuite(child, [...titles, child.title]));
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({
      file: `e2e/${spec.file}`,
      name: [test.projectName, ...titles, spec.title].join(" > "),
      status: { skipped: "skipped", unexpected: "failed" }[test.status] ?? "passed",
      why: playwrightReason(test),
    })),
  );
  return [...own, ...inner];
}

function playwrightReason({ status, annotations, results }) {
  if (status === "skipped") return annotations.find(({ type }) => type === "skip")?.description ?? "";
  return firstLine(results.findLast(({ error }) => error !== undefined)?.error.message);
}

function firstLine(text = "") {
  const lines = stripVTControlCharacters(text).split("\n");
  return lines.find((line) => line.trim() !== "")?.trim() ?? "";
}
