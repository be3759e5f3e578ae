import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { installBySystem } from "./system-packages.mjs";

/** A package manager that notes what it is asked, and has one package. */
function makeManager() {
  const folder = mkdtempSync(join(tmpdir(), "countersign-packages-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [script, asked] = [join(folder, "manager.mjs"), join(folder, "asked")];
  writeFileSync(
    script,
    `import { appendFileSync } from "node:fs";
const words = process.argv.slice(2);
appendFileSync(${JSON.stringify(asked)}, [process.env.MODE, ...words].join(" ") + "\\n");
process.exitCode = words.includes("missing") ? 100 : 0;
`,
  );
  const manager = { prepare: [script, "update"], install: [script, "install"], env: { MODE: "quiet" } };
  const managers = [join(folder, "no-such-manager"), process.execPath].map((file) => ({ ...manager, file }));
  return { managers, asked: () => (existsSync(asked) ? readFileSync(asked, "utf8") : "") };
}

it("asks the manager that is there for one package after the other until one is had", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  const { managers, asked } = makeManager();
  await installBySystem(["missing", "there", "never"], { isRoot: true, managers });
  expect(asked()).toBe("quiet update\nquiet install missing\nquiet install there\n");
});

it("does nothing as anybody but root, nor where no manager is known", async () => {
  const { managers, asked } = makeManager();
  await installBySystem(["there"], { isRoot: false, managers });
  await installBySystem(["there"], { isRoot: true, managers: managers.slice(0, 1) });
  expect(asked()).toBe("");
});
