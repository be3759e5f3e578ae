/** Boots the real Electron entry against the strict double, with a host that only records, for one test at a time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { Transport } from "../../../shared/wire/transport.ts";
import type { Attention, Host, HostOptions } from "../../host/host.ts";
import { createElectronDouble } from "./electron-double.ts";

type Double = ReturnType<typeof createElectronDouble>;

/** A folder that the command line names until the test is over. */
function makeDataDir(): string {
  const { argv } = process;
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-entry-"));
  process.argv = ["electron", ".", "--data-dir", dataDir, "--workspace", dataDir];
  onTestFinished(() => {
    process.argv = argv;
    rmSync(dataDir, { recursive: true, force: true });
  });
  return dataDir;
}

/** A host of the same interface that only records what the shell does with it. */
function createStandInHost(dataDir: string) {
  const wires: Transport[] = [];
  const listeners: ((attention: Attention) => void)[] = [];
  const closing = Promise.withResolvers<void>();
  let isClosing = false;
  const host: Host = {
    info: {
      version: "0.0.0-test",
      mode: "electron",
      platform: process.platform,
      dataDir,
      home: dataDir,
      workspace: dataDir,
      hasFolderDialog: true,
      warnings: [],
    },
    connect: (transport) => {
      wires.push(transport);
      transport.onFrame((frame) => transport.send(`echo ${frame}`));
    },
    onAttention: (listener) => {
      listeners.push(listener);
    },
    close: () => {
      isClosing = true;
      return closing.promise;
    },
  };
  return {
    host,
    wires,
    tell: (attention: Attention) => {
      for (const listener of listeners) listener(attention);
    },
    finishClosing: closing.resolve,
    isClosing: () => isClosing,
  };
}

/** Imports the entry with the double in Electron's place, and makes the app ready; all of it is gone after the test. */
export async function boot({ failure, setUp }: { failure?: Error; setUp?: (double: Double) => void } = {}) {
  const dataDir = makeDataDir();
  const double = createElectronDouble();
  setUp?.(double);
  const standIn = createStandInHost(dataDir);
  const given: HostOptions[] = [];
  vi.resetModules();
  vi.doMock("electron", () => double.module);
  vi.doMock("../../host/create-host.ts", () => ({
    createHost: async (options: HostOptions) => {
      double.recorded.calls.push("host");
      given.push(options);
      if (failure) throw failure;
      return standIn.host;
    },
  }));
  onTestFinished(() => {
    vi.doUnmock("electron");
    vi.doUnmock("../../host/create-host.ts");
  });
  await import("../../index.ts");
  const callsBeforeReady = [...double.recorded.calls];
  double.becomeReady();
  return { ...double, ...standIn, given, callsBeforeReady, dataDir };
}

/** Boots until the window is there. */
export async function bootToWindow(setUp?: (double: Double) => void) {
  const booted = await boot({ setUp });
  const window = await vi.waitUntil(() => booted.recorded.windows[0]);
  return { ...booted, window };
}
