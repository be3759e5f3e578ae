/** Counts and names tests, and writes the last lines of a test run. */

/** One line for each failed test: where it is, what it is called, and the first line of its error. */
export function nameFailures(tests) {
  return nameTests(tests.filter(({ status }) => status === "failed"));
}

/** The same for each test that passed, but not the first time. */
export function nameSecondTries(tests) {
  return nameTests(tests.filter(({ status, why }) => status === "passed" && Boolean(why)));
}

function nameTests(tests) {
  return tests
    .map(({ file, name, why }) => [[file, name].filter((part) => part !== "").join(" > "), why])
    .map((parts) => parts.filter((part) => part !== "").join(": "));
}

/** The reasons for which tests were left out, with their number and files, a line each. */
export function nameSkips(allowedBy) {
  return [...allowedBy]
    .map(([reason, names]) => [names.length, reason, new Set(names.map((name) => name.split(" > ")[0]))])
    .map(([count, reason, files]) => `\n${count} skipped: ${reason} (${[...files].join(", ")})`)
    .join("");
}

/** `N passed, N failed`, and how many were skipped when any were. */
export function summarise(tests) {
  const count = (status) => tests.filter((test) => test.status === status).length;
  const skipped = count("skipped");
  return `${count("passed")} passed, ${count("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
