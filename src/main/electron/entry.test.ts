/** Boots the real Electron entry against the strict double and walks from the lock to a wire in the page's hands. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { messagePortTransport } from "../../shared/wire/message-port-transport.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import type { Attention, Host, HostOptions } from "../host/host.ts";
import { createElectronDouble } from "./testing/electron-double.ts";
import { createEvent } from "./testing/strict.ts";
import { createFrame } from "./testing/window-double.ts";

const argv = process.argv;
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "countersign-entry-"));
  process.argv = ["electron", ".", "--data-dir", dataDir, "--workspace", dataDir];
  vi.resetModules();
});

afterEach(() => {
  process.argv = argv;
  vi.doUnmock("electron");
  vi.doUnmock("../host/create-host.ts");
  rmSync(dataDir, { recursive: true, force: true });
});

/** A host of the same interface that only records what the shell does with it. */
function createStandInHost() {
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

/** Imports the entry with the double in Electron's place, and makes the app ready. */
async function boot({ failure, setUp }: { failure?: Error; setUp?: (double: Double) => void } = {}) {
  const double = createElectronDouble();
  setUp?.(double);
  const standIn = createStandInHost();
  const given: HostOptions[] = [];
  vi.doMock("electron", () => double.module);
  vi.doMock("../host/create-host.ts", () => ({
    createHost: async (options: HostOptions) => {
      double.recorded.calls.push("host");
      given.push(options);
      if (failure) throw failure;
      return standIn.host;
    },
  }));
  await import("../index.ts");
  const callsBeforeReady = [...double.recorded.calls];
  double.becomeReady();
  return { ...double, ...standIn, given, callsBeforeReady };
}
type Double = ReturnType<typeof createElectronDouble>;

async function bootToWindow(setUp?: (double: Double) => void) {
  const booted = await boot({ setUp });
  const window = await vi.waitUntil(() => booted.recorded.windows[0]);
  return { ...booted, window };
}

/** What the preload does: ask for a port, from this frame of this page. */
function askForPort(booted: Awaited<ReturnType<typeof bootToWindow>>, senderFrame: object | null) {
  booted.ipc.emit("countersign:connect", { sender: booted.window.webContents, senderFrame });
}

describe("the start", () => {
  it("takes the lock and the sandbox before it is ready, and opens the host before the window", async () => {
    const { recorded, callsBeforeReady, given } = await bootToWindow();
    expect(callsBeforeReady).toEqual([`path userData ${join(dataDir, "window")}`, "sandbox", "lock"]);
    expect(recorded.calls.slice(callsBeforeReady.length)).toEqual(["host", "handle app", "window"]);
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

  it("brings the one window to the front when the app is started again", async () => {
    const { app, window } = await bootToWindow();
    window.minimise();
    app.emit("second-instance", createEvent({}), ["--anything"], "/", {});
    expect(window.isMinimized()).toBe(false);
    expect(window.isFocused()).toBe(true);
  });
});

describe("the window", () => {
  it("is made with safe preferences and shows only the built-in page (S1)", async () => {
    const { window } = await bootToWindow();
    expect(window.url).toBe("app://console/");
    expect(window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });
    for (const name of ["experimentalFeatures", "enableBlinkFeatures", "allowRunningInsecureContent"])
      expect(window.options.webPreferences).not.toHaveProperty(name, expect.toSatisfy(Boolean));
  });

  it("appears only once it has something to show", async () => {
    const { window } = await bootToWindow();
    expect(window.isShown).toBe(false);
    window.emit("ready-to-show");
    expect(window.isShown).toBe(true);
  });

  it("goes nowhere else, opens nothing, embeds nothing (S7)", async () => {
    const { window } = await bootToWindow();
    const { webContents } = window;
    const prevented = (event: string, params: object) => {
      const details = createEvent(params);
      webContents.emit(event, details);
      return details.defaultPrevented;
    };
    for (const url of ["https://example.com/", "file:///etc/passwd", "app://console/other", "about:blank"]) {
      expect(prevented("will-navigate", { url })).toBe(true);
      expect(prevented("will-frame-navigate", { url, isMainFrame: true })).toBe(true);
    }
    expect(prevented("will-navigate", { url: "app://console/" })).toBe(false);
    expect(prevented("will-frame-navigate", { url: "app://console/", isMainFrame: false })).toBe(true);
    expect(prevented("will-redirect", { url: "app://console/" })).toBe(true);
    expect(prevented("will-attach-webview", {})).toBe(true);
    const details = { url: "https://example.com/" } as Parameters<
      NonNullable<typeof webContents.openHandler>
    >[0];
    expect(webContents.openHandler?.(details)).toEqual({ action: "deny" });
  });

  it("grants no permission but copying text (S8)", async () => {
    const { recorded } = await bootToWindow();
    const { request, check, device, display } = recorded.permissions;
    const ask = (permission: Parameters<NonNullable<typeof request>>[1]) => {
      const answer = vi.fn<(granted: boolean) => void>();
      request?.({} as never, permission, answer, {} as never);
      const checked = check?.(null, permission as never, "app://console", {} as never);
      return [answer.mock.calls[0]?.[0], checked];
    };
    expect(ask("clipboard-sanitized-write")).toEqual([true, true]);
    for (const permission of [
      "media",
      "geolocation",
      "notifications",
      "clipboard-read",
      "openExternal",
    ] as const)
      expect(ask(permission)).toEqual([false, false]);
    expect(device?.({} as never)).toBe(false);
    const streams = vi.fn();
    display?.({} as never, streams);
    expect(streams).toHaveBeenCalledWith(null);
  });

  it("is drawn again after its page crashed, a bounded number of times", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const { window } = await bootToWindow();
    for (let crash = 0; crash < 20; crash++)
      window.webContents.emit("render-process-gone", createEvent({}), { reason: "crashed", exitCode: 1 });
    expect(window.webContents.reloads).toBe(5);
    stderr.mockRestore();
  });

  it("asks what to do when its page hangs", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const { window, recorded } = await bootToWindow();
    recorded.pressed = 1;
    window.emit("unresponsive");
    await vi.waitUntil(() => window.webContents.reloads === 1);
    expect(recorded.messageBoxes[0]?.message).toBe("The window does not respond");
    stderr.mockRestore();
  });

  it("has a menu of roles only, so that no accelerator takes a single key", async () => {
    const { recorded } = await bootToWindow();
    expect(recorded.menu.length).toBeGreaterThan(3);
    expect(JSON.stringify(recorded.menu)).not.toContain("accelerator");
  });
});

describe("the page's address", () => {
  const get = async (path: string, method = "GET") => {
    const { recorded } = await bootToWindow();
    return recorded.serve?.(new Request(path, { method }));
  };

  it("is a secure standard scheme without a way around CSP or CORS (S3)", async () => {
    const { recorded } = await bootToWindow();
    expect(recorded.schemes).toEqual([
      { scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
  });

  it("answers with the page and a strict content security policy (S4)", async () => {
    const response = await get("app://console/");
    expect(response?.status).toBe(200);
    expect(response?.headers.get("content-type")).toContain("text/html");
    const policy = response?.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it.each([
    "app://console/../package.json",
    "app://console/%2e%2e/%2e%2e/package.json",
    "app://console//etc/passwd",
    "app://elsewhere/",
  ])("answers %s with nothing", async (path) => {
    const response = await get(path);
    expect(response?.status).toBe(404);
    expect(response?.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("answers nothing but GET", async () => {
    expect((await get("app://console/", "POST"))?.status).toBe(405);
  });
});

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

  it("stays shut for a page that is not in our window (S5)", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const booted = await bootToWindow();
    const { frame } = createFrame("app://console");
    booted.ipc.emit("countersign:connect", { sender: {}, senderFrame: frame });
    expect(booted.wires).toEqual([]);
    stderr.mockRestore();
  });
});

describe("what leaves the app", () => {
  it("opens https only, and only after the person saw the full host (S9)", async () => {
    const { given, recorded } = await bootToWindow();
    const open = given[0]?.openLink;
    expect(await open?.("https://docs.example.com/a?b=c")).toBe(false);
    expect(recorded.messageBoxes[0]?.message).toContain("docs.example.com");
    expect(recorded.openedLinks).toEqual([]);
    recorded.pressed = 1;
    expect(await open?.("https://docs.example.com/a?b=c")).toBe(true);
    for (const bad of ["http://a.example", "file:///etc/passwd", "javascript:1", "https://a@b.example", "x"])
      expect(await open?.(bad)).toBe(false);
    expect(recorded.openedLinks).toEqual(["https://docs.example.com/a?b=c"]);
  });

  it("offers the system's folder dialog", async () => {
    const { given, recorded } = await bootToWindow();
    expect(await given[0]?.pickFolder?.()).toBeNull();
    recorded.pickedFolders = ["/home/me/shop"];
    expect(await given[0]?.pickFolder?.()).toBe("/home/me/shop");
  });

  it("encrypts with the keychain", async () => {
    const box = (await bootToWindow()).given[0]?.secretBox;
    const bytes = await box?.encrypt("sk-secret");
    expect(Buffer.from(bytes ?? []).toString()).not.toContain("sk-secret");
    expect(await box?.decrypt(bytes ?? new Uint8Array())).toBe("sk-secret");
    expect(box?.storage).toBe("keychain");
  });

  it.runIf(process.platform === "linux").each(["basic_text", "unknown"] as const)(
    "keeps keys in memory only when the backend is %s (S11)",
    async (backend) => {
      const { given } = await bootToWindow((double) => {
        double.recorded.storageBackend = backend;
      });
      expect(given[0]?.secretBox?.storage).toBe("memory");
    },
  );

  it("keeps keys in memory only when nothing can encrypt (S11)", async () => {
    const { given } = await bootToWindow((double) => {
      double.recorded.isEncryptionAvailable = false;
    });
    expect(given[0]?.secretBox?.storage).toBe("memory");
  });
});

describe("what waits", () => {
  const waitingFor = (id: string, text: string) =>
    ({ approvalId: id, threadId: "t1", title: "Shop", text }) as Attention["newest"][number];

  it("is counted in title, badge and tray, and named in a notification that is withdrawn", async () => {
    const { tell, window, recorded } = await bootToWindow();
    tell({ waiting: 1, newest: [waitingFor("a1", "npm publish")], withdrawn: [] });
    expect(window.title).toBe("(1) Countersign");
    expect(recorded.tooltip).toContain("1 action waits");
    if (process.platform !== "win32") expect(recorded.badge).toBe(1);
    expect(recorded.notifications).toMatchObject([{ title: "Shop", body: "npm publish", isShown: true }]);
    tell({ waiting: 0, newest: [], withdrawn: ["a1" as Attention["withdrawn"][number]] });
    expect(recorded.notifications[0]?.isShown).toBe(false);
    expect(window.title).toBe("Countersign");
  });

  it("brings the window back when its notification is clicked", async () => {
    const { tell, window, recorded } = await bootToWindow();
    tell({ waiting: 1, newest: [waitingFor("a1", "npm publish")], withdrawn: [] });
    recorded.notifications[0]?.emitter.emit("click", createEvent({}));
    expect(window.isFocused()).toBe(true);
  });

  it("is one notification when there is much of it, and none while the window is in front", async () => {
    const { tell, window, recorded } = await bootToWindow();
    const newest = ["a", "b", "c", "d", "e"].map((id) => waitingFor(id, id));
    tell({ waiting: 5, newest, withdrawn: [] });
    expect(recorded.notifications.map(({ body }) => body)).toEqual(["5 actions wait for you"]);
    window.show();
    window.focus();
    tell({ waiting: 6, newest: [waitingFor("f", "f")], withdrawn: [] });
    expect(recorded.notifications).toHaveLength(1);
  });
});

describe("the end", () => {
  it("waits until the host is closed", async () => {
    const { app, recorded, isClosing, finishClosing } = await bootToWindow();
    const event = createEvent({});
    app.emit("before-quit", event);
    expect(event.defaultPrevented).toBe(true);
    expect(isClosing()).toBe(true);
    expect(recorded.calls).not.toContain("quit");
    finishClosing();
    await vi.waitUntil(() => recorded.calls.includes("quit"));
  });

  it("keeps Chromium's own files apart from ours", async () => {
    await bootToWindow();
    expect(existsSync(join(dataDir, "window"))).toBe(true);
  });
});
