/** Which tests may be left out on which system, and why: the one list of them, and how it is read. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/project.mjs";

/**
 * The reasons of systems (`linux`, `darwin`, `win32`, and `wine` for what fails there), each with its tests; `most` says
 * how many they may be, so that nothing new is left out by a pattern that nobody looked at again.
 */
export function readAllowedSkips(...systems) {
  const lists = JSON.parse(readFileSync(join(root, "scripts", "testing", "allowed-skips.json"), "utf8"));
  return systems.flatMap((system) =>
    (lists[system] ?? []).map(({ reason, most, tests }) => ({ reason, most, tests: tests.map(patternsOf) })),
  );
}

/** How a test is named in the list: `file > name`, where `*` is any text and a file alone stands for all of its tests. */
export function patternsOf(text) {
  const [file, ...name] = text.split(" > ");
  return { file, pattern: [file, ...(name.length > 0 ? name : ["*"])].join(" > ") };
}

/** The reason for which the test may be left out, or undefined when it may not. */
export function reasonToSkip(allowed, { file, name }) {
  return allowed.find(({ tests }) => tests.some(({ pattern }) => asRegExp(pattern).test(`${file} > ${name}`)))
    ?.reason;
}

/**
 * Makes a failure of each skip that no reason allows, and of more than a reason allows. Behind a group that broke, tests are left out for that reason.
 * @returns `judged`, all of the tests, and `allowedBy`, the others' names by reason.
 */
export function judgeSkips(tests, allowed) {
  const allowedBy = new Map();
  const broken = new Set(
    tests.filter(({ status, name }) => status === "failed" && name === "").map(({ file }) => file),
  );
  const judged = tests.map((test) => {
    if (test.status !== "skipped" || broken.has(test.file)) return test;
    const reason = reasonToSkip(allowed, test);
    if (reason === undefined) return { ...test, status: "failed", why: unlisted };
    allowedBy.set(reason, [...(allowedBy.get(reason) ?? []), `${test.file} > ${test.name}`]);
    return test;
  });
  for (const { reason, most } of allowed) {
    const { length } = allowedBy.get(reason) ?? [];
    if (length > (most ?? Number.POSITIVE_INFINITY)) judged.push(tooMany(reason, length, most));
  }
  return { judged, allowedBy };
}

const tooMany = (reason, length, most) => ({
  file: "scripts/testing/allowed-skips.json",
  name: reason,
  status: "failed",
  why: `${length} tests were left out for this reason, and ${most} may be.`,
});

const unlisted =
  "It was skipped, and is not in the list of allowed skips (scripts/testing/allowed-skips.json).";

/** What a pattern of the list stands for. */
export function asRegExp(pattern) {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
