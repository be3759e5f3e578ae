/** The bubblewrap of this machine for tests, and a program in its place for those of one that is not what it should be. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { findBubblewrap } from "../find-bubblewrap.ts";

const found = findBubblewrap();
export const program = "program" in found ? found.program : "";

/** Whether it starts at all. One that starts and lets something out is no reason to skip, but a failure. */
function whyNot(): string | undefined {
  if ("why" in found) return found.why;
  const least = [
    "--unshare-user",
    "--unshare-pid",
    "--unshare-net",
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
  ];
  const { status, stderr } = spawnSync(program, [...least, "true"], { encoding: "utf8" });
  return status === 0 ? undefined : `it does not start (${stderr.trim()})`;
}

/** Why tests with it are skipped here; undefined where they run. @throws where they have to run and cannot */
export const missing = whyNot();
if (missing !== undefined && process.env.COUNTERSIGN_REQUIRE_SANDBOX === "1")
  throw new Error(`Commands cannot be confined here, because ${missing}`);
if (missing !== undefined) console.log(`Skipped: commands cannot be confined here, because ${missing}`);

/** Stands in for bubblewrap, for the test that asks for it: whatever it does, nothing may be taken for confined. */
export function makeStandIn(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bwrap-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "bwrap");
  writeFileSync(path, `#!/bin/bash\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
