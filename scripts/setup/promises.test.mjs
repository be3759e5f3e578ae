import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { places, testFiles } from "../wine/test-files.mjs";
import { root } from "./project.mjs";
import { readPromises, reportPromises } from "./promises.mjs";

const page = readFileSync(join(root, "docs/security.md"), "utf8");
/** Every file of the project that git does not ignore, by its path. */
const listFiles = () =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  }).split("\n");
const test = (file, status) => ({ file, name: "x", status, why: "" });

describe("the promises of the security page", () => {
  it("say of each that is met on which systems it was run, and name Wine where a test of theirs runs there", () => {
    const inWine = testFiles(root);
    const rows = page.split("\n").filter((line) => /^\| [SL]\d+ \|/.test(line));
    expect(rows.length).toBeGreaterThan(25);
    for (const row of rows) {
      const [number, , status] = row.split(" | ");
      if (!status.startsWith("met")) continue;
      expect(status, number).toMatch(/^met on Linux\b/);
      const runsInWine = readPromises(row).some(({ tests }) =>
        tests.some((name) => inWine.some((file) => file.endsWith(`/${name}`))),
      );
      expect([number, /\bWine\b/.test(status)]).toEqual([number, runsInWine]);
    }
  });

  it("are read from its tables, with their tests", () => {
    expect(
      readPromises(
        "| Promise | Code | Test |\n|---|---|---|\n| **I1** a row | `a.ts` | `fault/a.test.ts`, by hand |\n",
      ),
    ).toEqual([{ title: "I1 a row", tests: ["fault/a.test.ts"] }]);
    expect(readPromises("| S5 | Only one | met | `a.ts` | `a/b.test.ts`, `c.browser.test.tsx` |")).toEqual([
      { title: "S5 Only one", tests: ["a/b.test.ts", "c.browser.test.tsx"] },
    ]);
    expect(readPromises(page).length).toBeGreaterThan(50);
  });

  it("are proved where all of their tests ran, and said to be only where they did", () => {
    const promises = [
      { title: "whole", tests: ["a/*.test.ts"] },
      { title: "half", tests: ["a/one.test.ts", "b.test.ts"] },
      { title: "left", tests: ["b.test.ts", "gone.test.ts"] },
      { title: "never tried", tests: ["gone.test.ts"] },
      { title: "broken", tests: ["a/one.test.ts", "c.test.ts"] },
    ];
    const tests = [
      test("src/a/one.test.ts", "passed"),
      test("src/a/two.test.ts", "passed"),
      test("src/b.test.ts", "skipped"),
      test("src/xb.test.ts", "passed"),
      test("c.test.ts", "failed"),
    ];
    expect(reportPromises(promises, tests)).toEqual([
      "proved  whole",
      "in part half [b.test.ts left out]",
      "NOT     left [b.test.ts left out, gone.test.ts not run]",
      "NOT     broken [c.test.ts failed]",
    ]);
  });

  it("name tests and code that are there", () => {
    const files = listFiles();
    const named = [...page.matchAll(/`([\w./*-]+\.(?:tsx?|mjs)|[a-z-]+(?:\/[a-z-]+)*\/)`/g)].map(
      ([, name]) => name,
    );
    const missing = named.filter((name) => {
      const parts = name.split("*").map((part) => part.replaceAll(".", "\\."));
      const pattern = new RegExp(`(^|/)${parts.join("[^/]*")}${name.endsWith("/") ? "" : "$"}`);
      return !files.some((file) => pattern.test(file));
    });
    expect(named.length).toBeGreaterThan(150);
    expect(missing).toEqual([]);
  });

  it("are numbered without a gap, and each has a test or says what is not tested", () => {
    const rows = page.split("\n").filter((line) => /^\| (?:\*\*)?[ISL]\d/.test(line));
    const numbers = (letter) =>
      rows.flatMap((row) => new RegExp(`^\\| (?:\\*\\*)?${letter}(\\d+)`).exec(row)?.[1] ?? []);
    for (const [letter, count] of [
      ["I", 8],
      ["S", 22],
      ["L", 15],
    ])
      expect(numbers(letter), letter).toEqual(Array.from({ length: count }, (_, at) => String(at + 1)));
    const tables = page
      .split("\n")
      .filter((line) => line.split("|").length > 4 && !/^\|(?:---| System )/.test(line));
    const untested = tables.filter((row) => {
      const cells = row.split("|").map((cell) => cell.trim());
      return !/test|spec|Test|beside/.test(cells.at(-2)) && !/nothing fails/.test(row);
    });
    expect(untested).toEqual([]);
  });

  it("name every attack and every test that kills, so that none proves what nobody promised", () => {
    const files = listFiles().filter((file) => /^(?:attack\/|fault\/.*kill).*\.test\.ts$/.test(file));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
  });

  it("say where they were run: under Wine, what runs there and nothing else", () => {
    const section = /## Where this was run\n([\s\S]*?)\n## /.exec(page)?.[1] ?? "";
    const named = [...section.matchAll(/`([\w./-]+(?:\/|\.test\.ts))`/g)].map(([, name]) =>
      name.replace(/\/$/, ""),
    );
    expect(named.sort()).toEqual(places.map((place) => place.replace("src/main/", "")).sort());
  });
});
