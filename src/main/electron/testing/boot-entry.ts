/** Boots the real Electron entry against the strict double, with a host that only records, for one test at a time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import { entryId } from "../../../shared/contract/threads.ts";
import type { Transport } from "../../../shared/wire/transport.ts";
import type { Attention } from "../../console/attention-feed.ts";
import type { DesktopState } from "../../console/for-launcher.ts";
import type { Host, HostOptions } from "../../host/host.ts";
import { createElectronDouble, type ElectronDouble } from "./electron-double.ts";
import { createProcessDouble } from "./process-double.ts";

/** A folder that the command line names until the test is over. */
function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "countersign-entry-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** A host of the same interface that only records what the shell does with it. */
function createStandInHost(dataDir: string) {
  const wires: Transport[] = [];
  const listeners: ((attention: Attention) => void)[] = [];
  const followers: ((state: DesktopState) => void)[] = [];
  const closing = Promise.withResolvers<void>();
  /** What the test sets and looks at. */
  const heard = {
    isClosing: false,
    timesClosed: 0,
    commands: [] as string[],
    shown: [] as string[],
    decided: [] as unknown[],
    decides: true,
    isSilent: false,
    workspaces: [] as string[],
    errors: [] as unknown[],
  };
  const host: Host = {
    info: {
      version: "0.0.0-test",
      mode: "electron",
      platform: process.platform,
      dataDir,
      home: dataDir,
      workspace: dataDir,
      hasFolderDialog: true,
      commandPath: { source: "as-started", path: "/usr/bin", problem: null },
      commandShell: { kind: "bash", title: "bash 5.2" },
      sandbox: { state: "untried" },
      warnings: [],
    },
    connect: (transport) => {
      wires.push(transport);
      transport.onFrame((frame) => transport.send(`echo ${frame}`));
    },
    onAttention: (listener) => void listeners.push(listener),
    onState: (listener) => void followers.push(listener),
    runningCommands: () => heard.commands,
    showEntry: (entry) => void heard.shown.push(entryId(entry)),
    decideShown: async (shown, type) => {
      heard.decided.push({ ...shown, type });
      return heard.decides;
    },
    noteSilentSystem: () => {
      heard.isSilent = true;
    },
    offerWorkspace: async (path) => void heard.workspaces.push(path),
    logError: (error) => `log-${heard.errors.push(error)}`,
    close: () => {
      heard.isClosing = true;
      heard.timesClosed += 1;
      return closing.promise;
    },
  };
  return {
    host,
    heard,
    wires,
    tell: (attention: Attention) => {
      for (const listener of listeners) listener(attention);
    },
    become: (state: DesktopState) => {
      for (const follower of followers) follower(state);
    },
    finishClosing: closing.resolve,
  };
}

type BootOptions = {
  failure?: Error;
  setUp?: (double: ElectronDouble) => void;
  platform?: NodeJS.Platform;
  args?: string[];
};

/** Imports the entry with the doubles in Electron's and the process's place, and makes the app ready; all of it is gone after the test. */
export async function boot({ failure, setUp, platform = "linux", args }: BootOptions = {}) {
  const dataDir = makeDataDir();
  const double = createElectronDouble(platform);
  const process = createProcessDouble(platform, args ?? ["--data-dir", dataDir, "--workspace", dataDir]);
  setUp?.(double);
  const standIn = createStandInHost(dataDir);
  const given: HostOptions[] = [];
  vi.resetModules();
  vi.doMock("electron", () => double.module);
  vi.doMock("node:process", () => ({ default: process }));
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
    vi.doUnmock("node:process");
    vi.doUnmock("../../host/create-host.ts");
  });
  await import("../../index.ts");
  const callsBeforeReady = [...double.recorded.calls];
  double.becomeReady();
  return { ...double, ...standIn, process, given, callsBeforeReady, dataDir };
}

/** Boots until the window is there and the host is heard. */
export async function bootToWindow(options?: BootOptions) {
  const booted = await boot(options);
  const window = await vi.waitUntil(() => booted.recorded.windows[0]);
  await vi.waitUntil(() => booted.recorded.trays[0]);
  return { ...booted, window };
}
