/** Boots the real Electron entry and walks from the lock to a wire in the page's hands. */
import { existsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { messagePortTransport } from "../../shared/wire/message-port-transport.ts";
import { boot, bootToWindow } from "./testing/boot-entry.ts";
import { createEvent } from "./testing/strict.ts";
import { createFrame } from "./testing/window-double.ts";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-start-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe("the start", () => {
  it("takes the lock and the sandbox before it is ready, and opens the host before the window", async () => {
    const { recorded, callsBeforeReady, given, dataDir } = await bootToWindow();
    expect(callsBeforeReady).toEqual([`path userData ${join(dataDir, "window")}`, "sandbox", "lock"]);
    expect(recorded.calls.slice(callsBeforeReady.length)).toEqual(["host", "handle app", "window"]);
    expect(existsSync(join(dataDir, "window"))).toBe(true);
    expect(given[0]).toMatchObject({ dataDir, workspace: dataDir, mode: "electron" });
  });

  it("leaves the data alone when another instance holds the lock", async () => {
    const { recorded, given } = await boot({
      setUp: (double) => {
        double.recorded.isFirstInstance = false;
      },
    });
    expect(recorded.calls.at(-1)).toBe("quit");
    expect(given).toEqual([]);
    expect(recorded.windows).toEqual([]);
  });

  it("says why it cannot start, and exits with a failure", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const { recorded } = await boot({ failure: new Error("Another Countersign uses this data directory.") });
    await vi.waitUntil(() => recorded.calls.includes("exit 1"));
    expect(recorded.errorBoxes[0]).toContain("Another Countersign uses this data directory.");
    expect(recorded.windows).toEqual([]);
    stderr.mockRestore();
  });

  it("ends with a sentence when the data folder cannot be used", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const file = join(await makeFolder(), "taken");
    writeFileSync(file, "");
    const { recorded, given } = await boot({ args: ["--data-dir", file] });
    expect(recorded.calls).toEqual(["exit 1"]);
    expect(recorded.errorBoxes[0]).toMatch(
      /^Countersign cannot start: The data folder .*taken cannot be used/,
    );
    expect(given).toEqual([]);
    stderr.mockRestore();
  });

  it("does not wait for the keychain, and asks it nothing", async () => {
    const { recorded } = await bootToWindow({
      setUp: (double) => {
        double.recorded.keychain.mood = "hangs";
      },
    });
    expect(recorded.windows).toHaveLength(1);
    expect(recorded.keychain.asked).toBe(0);
  });

  it("brings the one window to the front when the app is started again, with the workspace that was named", async () => {
    const { app, window, heard, recorded, dataDir } = await bootToWindow();
    expect(recorded.instanceData).toEqual({ workspace: dataDir });
    window.minimise();
    const again = (data: unknown) => app.emit("second-instance", createEvent({}), ["--anything"], "/", data);
    again({ workspace: "/home/me/shop" });
    expect(window.isMinimized()).toBe(false);
    expect(window.isFocused()).toBe(true);
    for (const odd of [undefined, null, "x", {}, { workspace: 7 }]) again(odd);
    expect(heard.workspaces).toEqual(["/home/me/shop"]);
  });

  it("keeps the workspace that a second start named before there was a window", async () => {
    const { heard } = await bootToWindow({
      setUp: ({ app, ...double }) => {
        // As soon as the app is ready, before the host has opened.
        const { becomeReady } = app;
        app.becomeReady = () => {
          becomeReady.call(app);
          app.emit("second-instance", createEvent({}), [], "/", { workspace: "/home/me/shop" });
          expect(double.recorded.windows).toEqual([]);
        };
      },
    });
    expect(heard.workspaces).toEqual(["/home/me/shop"]);
  });

  it("is one app to Windows, and another one while it is not installed", async () => {
    expect((await bootToWindow({ platform: "win32" })).recorded.appId).toMatch(/\.dev$/);
    const { recorded, app } = await bootToWindow({
      platform: "win32",
      setUp: (double) => {
        double.app.isPackaged = true;
      },
    });
    expect(recorded.appId).not.toMatch(/dev/);
    expect(app.name).toBe("Countersign");
    expect((await bootToWindow()).recorded.appId).toBeUndefined();
  });

  it.each([
    ["installed, asks the login shell for the PATH on linux", "linux", true, true],
    ["installed, asks it on darwin", "darwin", true, true],
    ["installed, asks nobody on win32, where every program has the person's PATH", "win32", true, false],
    ["from a terminal, asks nobody", "linux", false, false],
  ] as const)("%s", async (_how, platform, isPackaged, asks) => {
    const { given } = await bootToWindow({
      platform,
      setUp: (double) => {
        double.app.isPackaged = isPackaged;
      },
    });
    expect(given[0]?.loginPath !== undefined).toBe(asks);
    await given[0]?.loginPath;
  });
});

/** What the preload does: ask for a port, from this frame of this page. */
function askForPort(booted: Awaited<ReturnType<typeof bootToWindow>>, senderFrame: object | null) {
  booted.ipc.emit("countersign:connect", { sender: booted.window.webContents, senderFrame });
}

describe("the door", () => {
  it("hands the page one end of a wire and the host the other (S5)", async () => {
    const booted = await bootToWindow();
    const { frame, deliveries } = createFrame("app://console");
    askForPort(booted, frame);
    expect(deliveries).toMatchObject([{ channel: "countersign:port", message: null }]);
    const page = messagePortTransport(deliveries[0]?.ports[0] as MessagePort);
    const answer = new Promise<string>((resolve) => page.onFrame(resolve));
    page.send("hello");
    expect(await answer).toBe("echo hello");
    page.close();
  });

  it("replaces the wire of a page that asks again", async () => {
    const booted = await bootToWindow();
    const { frame, deliveries } = createFrame("app://console");
    askForPort(booted, frame);
    const closed = new Promise((resolve) => booted.wires[0]?.onClose(resolve));
    askForPort(booted, frame);
    await closed;
    expect(deliveries).toHaveLength(2);
    booted.wires[1]?.close();
  });

  it.each([
    ["a frame that is gone", null],
    ["another origin", createFrame("https://example.com").frame],
    ["a file", createFrame("file://").frame],
    ["an opaque origin", createFrame("null").frame],
    ["an embedded frame", createFrame("app://console", {}).frame],
  ])("stays shut for %s (S5)", async (_name, frame) => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const booted = await bootToWindow();
    askForPort(booted, frame);
    expect(booted.wires).toEqual([]);
    expect(stderr).toHaveBeenCalledOnce();
    stderr.mockRestore();
  });

  it("offers a folder that was dropped on the console's own page, and nothing that any other page says", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const { ipc, window, heard } = await bootToWindow();
    const ours = createFrame("app://console").frame;
    const sender = window.webContents;
    ipc.emit("countersign:drop", { sender, senderFrame: ours }, "/home/me/shop");
    for (const odd of ["", null, 7, ["/a"]]) ipc.emit("countersign:drop", { sender, senderFrame: ours }, odd);
    ipc.emit("countersign:drop", { sender, senderFrame: createFrame("https://example.com").frame }, "/b");
    ipc.emit("countersign:drop", { sender: {}, senderFrame: ours }, "/c");
    expect(heard.workspaces).toEqual(["/home/me/shop"]);
    stderr.mockRestore();
  });

  it("stays shut for a page that is not in our window (S5)", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const booted = await bootToWindow();
    const { frame } = createFrame("app://console");
    booted.ipc.emit("countersign:connect", { sender: {}, senderFrame: frame });
    expect(booted.wires).toEqual([]);
    stderr.mockRestore();
  });
});
