/** Says which promises of docs/security.md a test run proved on this system: a promise holds where its tests ran. */

import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

/**
 * In CI: says in the log, and in what it shows of the run, what was proved on this system and what could not be. What
 * the run had nothing to do with is not named.
 */
export function printPromises(system, tests) {
  if (!process.env.CI) return;
  const page = readFileSync(join(root, "docs/security.md"), "utf8");
  const lines = [`=== promises on ${system}`, ...reportPromises(readPromises(page), tests)];
  console.log(`\n${lines.join("\n")}`);
  if (process.env.GITHUB_STEP_SUMMARY)
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${["```", ...lines, "```"].join("\n")}\n`);
}

/** The promises of the page's tables that name tests: what is promised, and the names of the test files. */
export function readPromises(page) {
  return page.split("\n").flatMap((line) => {
    const cells = line.split("|").map((cell) => cell.trim());
    if (!line.startsWith("|") || cells.length < 5) return [];
    const tests = [...cells.at(-2).matchAll(/`([\w./*-]+\.(?:test|spec)\.(?:tsx?|mjs))`/g)].map(
      ([, name]) => name,
    );
    if (tests.length === 0) return [];
    const isNumbered = /^[SL]\d+$/.test(cells[1]);
    const title = (isNumbered ? `${cells[1]} ${cells[2]}` : cells[1]).replaceAll("**", "");
    return [{ title, tests }];
  });
}

/** A line for each promise that was tried: proved, in part, or not, with the test files that did not run whole here. */
export function reportPromises(promises, tests) {
  return promises.flatMap((promise) => {
    const states = promise.tests.map((name) => [name, stateOf(name, tests)]);
    if (states.every(([, state]) => state === "not run")) return [];
    const lacking = states.filter(([, state]) => state !== "whole");
    const isProved = states.some(([, state]) => state === "whole" || state === "in part");
    const word = lacking.length === 0 ? "proved " : isProved && !isBroken(states) ? "in part" : "NOT    ";
    const why = lacking.map(([name, state]) => `${name} ${state}`).join(", ");
    const title = promise.title.length > 100 ? `${promise.title.slice(0, 99)}…` : promise.title;
    return `${word} ${title}${why === "" ? "" : ` [${why}]`}`;
  });
}

const isBroken = (states) => states.some(([, state]) => state === "failed");

function stateOf(name, tests) {
  const parts = name.split("*").map((part) => part.replaceAll(".", "\\."));
  const pattern = new RegExp(`(^|/)${parts.join("[^/]*")}$`);
  const own = tests.filter(({ file }) => pattern.test(file));
  const has = (status) => own.some((test) => test.status === status);
  if (has("failed")) return "failed";
  if (!has("passed")) return has("skipped") ? "left out" : "not run";
  return has("skipped") ? "in part" : "whole";
}
