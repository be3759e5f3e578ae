/** Walks the product's main path through the Electron entry with the real host: a task, its approval, its effect. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { type Client, createClient } from "../../shared/wire/client.ts";
import { messagePortTransport } from "../../shared/wire/message-port-transport.ts";
import { newCommandId } from "../base/command-id.ts";
import { lockDataDir } from "../storage/data-dir-lock.ts";
import { createElectronDouble } from "./testing/electron-double.ts";
import { createProcessDouble } from "./testing/process-double.ts";
import { createFrame } from "./testing/window-double.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-walk-"));
  mkdirSync(join(folder, "workspace"));
});

afterEach(() => {
  vi.doUnmock("electron");
  vi.doUnmock("node:process");
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Follows the console stream until an approval waits. */
async function firstApproval(client: Client): Promise<Approval> {
  for await (const item of client.watch("console.watch", {})) {
    const approvals = item.kind === "approvals" || item.kind === "changes" ? item.approvals : [];
    const waiting = approvals.find((approval) => approval.status === "pending");
    if (waiting !== undefined) return waiting;
  }
  throw new Error("The console stream ended.");
}

/** Starts the app with Electron's double and the real host. */
async function startApp() {
  const double = createElectronDouble();
  vi.resetModules();
  vi.doMock("electron", () => double.module);
  const args = ["--data-dir", join(folder, "data"), "--workspace", join(folder, "workspace")];
  vi.doMock("node:process", () => ({ default: createProcessDouble(process.platform, args) }));
  await import("../index.ts");
  double.becomeReady();
  const window = await vi.waitUntil(() => double.recorded.windows[0]);
  const { frame, deliveries } = createFrame("app://console");
  double.ipc.emit("countersign:connect", { sender: window.webContents, senderFrame: frame });
  const client = createClient(messagePortTransport(deliveries[0]?.ports[0] as MessagePort));
  return { ...double, window, client };
}

async function quit(
  double: Pick<ReturnType<typeof createElectronDouble>, "app" | "recorded">,
): Promise<void> {
  double.app.quit();
  await vi.waitUntil(() => double.recorded.calls.includes("quit"));
}

it("runs a command only after it was approved over the page's port, in a utility process, and closes on quit", async () => {
  vi.stubEnv("OPENAI_API_KEY", "secret");
  const { window, client, ...double } = await startApp();
  const workspace = join(folder, "workspace");
  // Confined it would not see the number of the process that started it.
  await client.call("settings.update", { sandbox: "off" });
  const thread = await client.call("threads.create", { commandId: newCommandId(), workspace });
  const threadId = thread.id;
  await client.call("threads.send", {
    commandId: newCommandId(),
    threadId,
    text: "run echo $PPID > out.txt",
  });
  const approval = await firstApproval(client);
  expect(approval.subject).toMatchObject({ kind: "command", command: "echo $PPID > out.txt" });
  expect(existsSync(join(workspace, "out.txt"))).toBe(false);
  await vi.waitUntil(() => window.title === "(1) Countersign");

  const { id, digest } = approval;
  const decision = { type: "approve" } as const;
  const items = [{ id, digest }];
  const { outcomes } = await client.call("approvals.decide", { commandId: newCommandId(), items, decision });
  expect(outcomes[0]?.ok).toBe(true);
  await vi.waitUntil(() => existsSync(join(workspace, "out.txt")));
  const [utility] = double.recorded.utilities;
  const written = () => readFileSync(join(workspace, "out.txt"), "utf8");
  await vi.waitUntil(() => written() === `${utility?.child.pid}\n`);
  expect(double.recorded.utilities).toHaveLength(1);
  expect(utility?.options).toMatchObject({
    serviceName: "Countersign shell host",
    env: { PATH: process.env.PATH },
  });
  expect(utility?.options.env).not.toHaveProperty("OPENAI_API_KEY");
  await vi.waitUntil(() => window.title === "Countersign");
  // As long as the command counts as running, quitting would ask about it.
  await vi.waitUntil(async () => {
    const { items } = await client.call("threads.page", { threadId, limit: 50 });
    return items.some(({ kind }) => kind === "turnEnd");
  });

  expect(() => lockDataDir(join(folder, "data"))).toThrow();
  await quit(double);
  expect(utility?.child.signalCode).toBe("SIGKILL");
  lockDataDir(join(folder, "data")).release();
});

it("reads and copies whole databases in utility processes, which end with their work", async () => {
  vi.stubEnv("OPENAI_API_KEY", "secret");
  const { client, ...double } = await startApp();
  const checked = [];
  for await (const item of client.watch("host.checkData", {})) checked.push(item);
  // The agents' memory is made while nobody asks anything yet: before the look or after it.
  const memory = { state: expect.toBeOneOf(["absent", "sound"]) };
  expect(checked.at(-1)).toMatchObject({ kind: "checked", checks: [{ state: "sound" }, memory] });
  const { path } = await client.call("host.backup", {});
  expect(existsSync(path)).toBe(true);
  // What runs commands begins by itself meanwhile, and stays.
  const probes = double.recorded.utilities.filter(
    ({ options }) => options.serviceName === "Countersign database probe",
  );
  expect(probes).toHaveLength(2);
  for (const { options, child } of probes) {
    expect(options.env).not.toHaveProperty("OPENAI_API_KEY");
    expect(child.exitCode ?? child.signalCode).not.toBeNull();
  }
  await quit(double);
});
