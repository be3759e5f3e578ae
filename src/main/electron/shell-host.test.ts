/** Starting and ending processes through Electron: it has no pid at first, and its own way to end one is too polite. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type * as shellHost from "./shell-host.ts";
import { createElectronDouble } from "./testing/electron-double.ts";

async function fork(program: string) {
  const folder = mkdtempSync(join(tmpdir(), "countersign-fork-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "program-entry.mjs"), program);
  const double = createElectronDouble();
  vi.resetModules();
  vi.doMock("electron", () => double.module);
  const { forkShellHost }: typeof shellHost = await import("./shell-host.ts");
  vi.doUnmock("electron");
  double.becomeReady();
  const started = forkShellHost(join(folder, "program-entry.mjs"), { PATH: process.env.PATH ?? "" });
  const [utility] = double.recorded.utilities;
  return { started, child: utility!.child, ended: new Promise<string>((resolve) => started.onExit(resolve)) };
}

const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);";

it("ends a process at once that is ended before it has spawned", async () => {
  const { started, child, ended } = await fork(deaf);
  started.kill();
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
});

it("ends one that runs, and does nothing to one that is gone", async () => {
  const { started, child, ended } = await fork(`${deaf} process.parentPort.postMessage("up");`);
  await new Promise((resolve) => started.onMessage(resolve));
  started.kill();
  await ended;
  expect(child.signalCode).toBe("SIGKILL");
  expect(() => started.kill()).not.toThrow();
  expect(() => started.send("anything")).not.toThrow();
});

it("says what a process complained of before it died", async () => {
  const { started, child, ended } = await fork(
    "console.error('TypeError: no terminal'); process.parentPort.on('message', () => process.exit(3));",
  );
  await once(child.stderr!, "data");
  started.send("end");
  expect(await ended).toBe("exit code 3: TypeError: no terminal");
});
