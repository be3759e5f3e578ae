import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explainSystemError, root, whyNotThisNode } from "./project.mjs";

it.each(["18.20.8", "20.0.0", "20.11.1"])("names Node %s as too old, and what to install", (version) => {
  expect(whyNotThisNode(version)).toMatch(
    new RegExp(`^Node ${version} is too old\\. Install Node 20\\.12 or newer`),
  );
});

it.each(["20.12.0", "22.1.0", "24.0.0", "31.4.1"])("takes Node %s", (version) => {
  expect(whyNotThisNode(version)).toBeUndefined();
});

it.each([
  ["EACCES", /cannot be written to \(EACCES\).*belongs to you/],
  ["EROFS", /cannot be written to \(EROFS\)/],
  ["ENOSPC", /no space left/],
])("says in a sentence what to do about %s", (code, sentence) => {
  expect(explainSystemError({ code, path: "/opt/x/.cache" })).toMatch(sentence);
});

/** Runs a script's main function in a process of its own. */
function runMain(body) {
  const module = JSON.stringify(join(root, "scripts", "setup", "project.mjs"));
  const source = `const { main, SetupError, Stopped } = await import(${module}); await main(async () => { ${body} });`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
}

it("ends with one line for what a person can mend, and with none for what they stopped", () => {
  const failed = runMain('throw new SetupError("No.")');
  expect([failed.status, failed.stderr]).toEqual([1, "countersign: No.\n"]);
  const stopped = runMain("throw new Stopped(130)");
  expect([stopped.status, stopped.stderr]).toEqual([130, ""]);
  expect(runMain('throw new TypeError("a mistake of ours")').stderr).toContain("    at ");
});
