/** The bubblewrap of this machine for tests, and a program in its place for those of one that is not what it should be. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { findSandbox } from "../find-sandbox.ts";

const found = process.platform === "linux" ? findSandbox() : { why: "bubblewrap is there for Linux alone" };
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

/** Stands in for bubblewrap, or for what has this name, for the test that asks for it: whatever it does, nothing may be taken for confined. */
export function makeStandIn(script: string, name = "bwrap"): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-bwrap-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/bash\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Stands for macOS' `sandbox-exec`, with this machine's bubblewrap to hold what it starts. */
export function makeSeatbelt(): string {
  const folder = mkdtempSync("/var/tmp/countersign-seatbelt-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "sandbox-exec");
  const play = fileURLToPath(new URL("./play-seatbelt.ts", import.meta.url));
  // It becomes the command, as the real one does.
  writeFileSync(
    path,
    `#!/bin/bash
own=$(/usr/bin/mktemp -d /var/tmp/countersign-play-XXXXXX); trap '/bin/rm -rf "$own"' EXIT
'${process.execPath}' '${play}' '${program}' "$own/filter" "$@" > "$own/words" || exit
mapfile -d '' -t words < "$own/words"; exec 9< "$own/filter"; /bin/rm -rf "$own"; exec "\${words[@]}"
`,
  );
  chmodSync(path, 0o755);
  return path;
}
