/** What a person saw of a command is in its log, however slow the disk is. */
import { pbkdf2 } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startCommand } from "./running-command.ts";

it.skipIf(process.platform === "win32")("shows output only once the log has it", async () => {
  const dir = mkdtempSync(join(tmpdir(), "countersign-seen-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const logPath = join(dir, "log");
  const command = startCommand({
    executionId: "seen",
    command: "for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.01; done",
    holding: undefined,
    cwd: dir,
    env: { PATH: process.env.PATH ?? "" },
    commandShell: { kind: "bash", file: "/bin/bash", name: "bash", closesDescriptors: true },
    logPath,
    maxLogBytes: 1e6,
    limits: { headBytes: 1e4, tailBytes: 1e4 },
    timeoutMs: 1e6,
    graceMs: 100,
    stallMs: 100,
    cols: 80,
    rows: 24,
  });
  // What the system does for files waits behind this, as on a busy machine.
  for (let job = 0; job < 16; job += 1) pbkdf2("", "", 200_000, 8, "sha256", () => undefined);
  let seen = "";
  const missing: string[] = [];
  command.subscribe((event) => {
    if (event.type !== "output") return;
    seen += event.text;
    if (!readFileSync(logPath, "utf8").startsWith(seen)) missing.push(event.text);
  });
  const { output } = await command.done;
  expect(missing).toEqual([]);
  expect(output).toMatch(/^line 1\n.*line 8\n$/s);
});
