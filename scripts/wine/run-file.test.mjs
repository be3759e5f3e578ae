/** The stand-in for vitest's program, in this system's own Node: what it reports decides what `npm run test:win` says. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cacheDir, root } from "../setup/project.mjs";
import { readVitest } from "../setup/report-tests.mjs";

/** Runs a test file of this text; it lies below the project, where it finds vitest. */
function runText(text) {
  mkdirSync(cacheDir, { recursive: true });
  const folder = mkdtempSync(join(cacheDir, "run-file-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "some.test.ts");
  const report = join(folder, "report.json");
  writeFileSync(file, `import { describe, expect, it, vi } from "vitest";\n${text}`);
  const script = join(root, "scripts/wine/run-file.mjs");
  const { stderr } = spawnSync(process.execPath, [script, file, report], { cwd: root, encoding: "utf8" });
  expect(stderr).not.toContain("Error:");
  return readVitest(JSON.parse(readFileSync(report, "utf8")), root).map(({ name, status }) => [name, status]);
}

it("tells what passes from what fails and what is left out", () => {
  const text = `describe("it", () => {
    it("adds", () => expect(1 + 1).toBe(2));
    it("errs", () => expect(1).toBe(2));
    it.skip("rests", () => {});
  });`;
  expect(runText(text)).toEqual([
    ["it > adds", "passed"],
    ["it > errs", "failed"],
    ["it > rests", "skipped"],
  ]);
});

it("has the set-up that each project has: a clock that is left behind fails its file", () => {
  const ended = runText(`it("forgets", () => { vi.useFakeTimers(); });`);
  expect(ended.map(([, status]) => status)).toContain("failed");
});
