import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/project.mjs";

const isTest = /\.(test|spec)\.(ts|tsx|mjs)$/;
const forbidden = [
  ["a limit of its own in milliseconds", /\btimeout:\s*[\d_]{3,}/],
  ["a limit of its own behind the test", /^\s*\},\s*\d+_000\);?$/],
  ["a limit of its own behind a wait", /\b(waitFor|waitUntil)\(.*,\s*[\d_]+\);?$/],
  ["a measured loop as a result", /monitorEventLoopDelay/],
  [
    "a measured time as a result",
    /(performance\.now\(\)|Date\.now\(\)|durationMs|elapsed\w*)[^;]*\)\.toBeLess/,
  ],
];

/** The places in a test's text that would make it pass or fail by the clock, as `line: what`. */
function clockUses(text) {
  return text
    .split("\n")
    .flatMap((line, index) =>
      forbidden.flatMap(([what, pattern]) => (pattern.test(line) ? [`${index + 1}: ${what}`] : [])),
    );
}

it("knows the ways in which a test can depend on the clock", () => {
  const uses = [
    "  await expect.poll(read, { timeout: 4_000 }).toBe(1);",
    "  }, 60_000);",
    "  await vi.waitUntil(() => done, 5_000);",
    "  const delay = monitorEventLoopDelay();",
    "  expect(performance.now() - began).toBeLessThan(4000);",
  ];
  for (const use of uses) expect(clockUses(use), use).toHaveLength(1);
});

it("finds no test that passes or fails by the clock", () => {
  const found = ["src", "scripts", "fault", "e2e"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => join(folder, name))
      .filter((name) => isTest.test(name) && !name.endsWith("no-clock.test.mjs"))
      .flatMap((name) => clockUses(readFileSync(join(root, name), "utf8")).map((use) => `${name}:${use}`)),
  );
  expect(found).toEqual([]);
});
