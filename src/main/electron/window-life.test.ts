/** When the window appears, what a crash does to it, and that nothing touches it once it is gone. */
import { describe, expect, it, vi } from "vitest";
import type * as attentions from "./attention.ts";
import type { reviveWindow } from "./revive-window.ts";
import { showWhenReady } from "./show-window.ts";
import { bootToWindow } from "./testing/boot-entry.ts";
import { createElectronDouble } from "./testing/electron-double.ts";
import { createEvent, present } from "./testing/strict.ts";
import { BrowserWindowDouble, windowSurface } from "./testing/window-double.ts";
import type * as windows from "./window.ts";

type Window = Parameters<typeof showWhenReady>[0];

/** A window as the app gets it, beside the double itself. */
function makeWindow() {
  const double = new BrowserWindowDouble({ show: false }, () => undefined);
  return { double, window: present(windowSurface, double, () => double.isGone) as unknown as Window };
}

function showing(platform: NodeJS.Platform) {
  const { double, window } = makeWindow();
  const onShown = vi.fn();
  let timeIsUp = () => {};
  const startTimer = (act: () => void) => {
    timeIsUp = act;
  };
  showWhenReady(window, { platform, onShown, startTimer });
  return { double, onShown, timeIsUp: () => timeIsUp() };
}

type Shown = ReturnType<typeof showing>;

describe("a new window", () => {
  it.each<[string, NodeJS.Platform, (shown: Shown) => void]>([
    ["is painted", "darwin", ({ double }) => double.emit("ready-to-show")],
    [
      "has loaded, since Wayland paints no hidden window",
      "linux",
      ({ double }) => double.contents.emit("did-finish-load"),
    ],
    [
      "could not load its page",
      "win32",
      ({ double }) => double.contents.emit("did-fail-load", createEvent({}), -2, "x"),
    ],
    ["has taken too long", "darwin", ({ timeIsUp }) => timeIsUp()],
  ])("appears when it %s, and once", (_when, platform, happen) => {
    const shown = showing(platform);
    expect(shown.double.isShown).toBe(false);
    happen(shown);
    expect(shown.double.isShown).toBe(true);
    // The person hides it again; what comes late must not bring it back.
    shown.double.hide();
    shown.double.emit("ready-to-show");
    shown.double.contents.emit("did-finish-load");
    shown.double.contents.emit("did-fail-load", createEvent({}), -2, "x");
    shown.timeIsUp();
    expect(shown.double.timesShown).toBe(1);
    expect(shown.onShown).toHaveBeenCalledOnce();
  });

  it("waits for its first frame where that comes", () => {
    const { double } = showing("darwin");
    double.contents.emit("did-finish-load");
    expect(double.isShown).toBe(false);
  });

  it("that was closed before it appeared stays away", () => {
    const { double, onShown, timeIsUp } = showing("linux");
    double.destroy();
    timeIsUp();
    double.emit("ready-to-show");
    expect(double.timesShown).toBe(0);
    expect(onShown).not.toHaveBeenCalled();
  });

  it("tells whoever started the app that it appeared", async () => {
    const { window, process } = await bootToWindow();
    expect(process.told).toEqual([]);
    window.emit("ready-to-show");
    expect(process.told).toEqual([{ type: "window-shown" }]);
  });
});

describe("a page that crashes", () => {
  const crash = createEvent({});

  async function reviving() {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const electron = createElectronDouble();
    electron.recorded.pressed = undefined;
    vi.resetModules();
    vi.doMock("electron", () => electron.module);
    const { reviveWindow: revive }: { reviveWindow: typeof reviveWindow } = await import(
      "./revive-window.ts"
    );
    vi.doUnmock("electron");
    const { double, window } = makeWindow();
    let clock = 1_000_000;
    revive(window, () => clock);
    const fail = (afterMs: number, reason = "crashed") => {
      clock += afterMs;
      double.contents.emit("render-process-gone", crash, { reason, exitCode: 1 });
    };
    return { ...electron, double, fail, restore: () => stderr.mockRestore() };
  }

  it("is loaded again for ever while that is seldom", async () => {
    const { double, fail, recorded, restore } = await reviving();
    for (let day = 0; day < 30; day += 1) fail(86_400_000);
    expect(double.contents.reloads).toBe(30);
    expect(recorded.messageBoxes).toEqual([]);
    restore();
  });

  it("is loaded again a bounded number of times in a row, and then the person decides", async () => {
    const { double, fail, recorded, restore } = await reviving();
    for (let time = 0; time < 6; time += 1) fail(1_000);
    expect(double.contents.reloads).toBe(5);
    expect(recorded.messageBoxes[0]?.buttons).toEqual(["Reload", "Quit"]);
    restore();
  });

  it("is left alone once its window is gone", async () => {
    const { double, fail, recorded, restore } = await reviving();
    double.destroy();
    fail(1);
    expect(double.contents.reloads).toBe(0);
    expect(recorded.messageBoxes).toEqual([]);
    restore();
  });

  it("is loaded again from a hang only when the person wants it", async () => {
    const { window, recorded } = await bootToWindow();
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    recorded.pressed = 1;
    window.emit("unresponsive");
    await vi.waitUntil(() => window.contents.reloads === 1);
    expect(recorded.messageBoxes[0]).toMatchObject({
      message: "The window does not respond",
      hasParent: true,
    });
    stderr.mockRestore();
  });
});

describe("an error that nobody caught", () => {
  it("is logged each time and said once", async () => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const { process, recorded, heard, app, window } = await bootToWindow();
    process.emit("uncaughtException", new Error("first"));
    process.emit("unhandledRejection", new Error("second"));
    expect(heard.errors.map(String)).toEqual(["Error: first", "Error: second"]);
    expect(recorded.messageBoxes).toHaveLength(1);
    expect(recorded.messageBoxes[0]?.detail).toContain("log-1");
    app.emit("child-process-gone", createEvent({}), { type: "GPU", reason: "crashed", exitCode: 139 });
    app.emit("child-process-gone", createEvent({}), { type: "Utility", reason: "clean-exit", exitCode: 0 });
    window.contents.emit("did-fail-load", createEvent({}), -6, "ERR_FILE_NOT_FOUND");
    window.contents.emit("did-fail-load", createEvent({}), -3, "ERR_ABORTED");
    expect(heard.errors.slice(2).map((error) => (error as Error).name)).toEqual([
      "GPU process crashed, code 139",
      "page ERR_FILE_NOT_FOUND -6",
    ]);
    stderr.mockRestore();
  });
});

describe("a window that is gone", () => {
  it("is touched by nothing that still comes in", async () => {
    const { window, app, tell, become, recorded, ipc } = await bootToWindow();
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    tell({ waiting: 1, newest: [waitingFor("a1")], withdrawn: [] });
    const { webContents } = window;
    window.destroy();
    const anything = [
      () => app.emit("second-instance", createEvent({}), [], "/", {}),
      () => app.emit("activate", createEvent({}), false),
      () => recorded.trays[0]?.emitter.emit("click"),
      () => recorded.notifications[0]?.emitter.emit("click", createEvent({})),
      () => tell({ waiting: 2, newest: [waitingFor("a2")], withdrawn: [] }),
      () => become({ isWorking: true, theme: "dark" }),
      () => ipc.emit("countersign:connect", { sender: webContents, senderFrame: null }),
      () => window.emit("ready-to-show"),
      () => window.emit("unresponsive"),
      () => window.contents.emit("render-process-gone", createEvent({}), { reason: "crashed" }),
      () => window.emit("leave-full-screen"),
    ];
    for (const happen of anything) expect(happen).not.toThrow();
    expect(window.timesShown).toBe(0);
    stderr.mockRestore();
  });
});

describe("each part that holds a window", () => {
  it("leaves one that is gone alone by itself, too", async () => {
    const electron = createElectronDouble();
    vi.resetModules();
    vi.doMock("electron", () => electron.module);
    const { focusWindow }: typeof windows = await import("./window.ts");
    const { createAttention }: typeof attentions = await import("./attention.ts");
    vi.doUnmock("electron");
    const { double, window } = makeWindow();
    const ignore = () => undefined;
    const parts = { window, platform: "linux" as const, trayIcon: undefined };
    const attention = createAttention({ ...parts, open: ignore, decide: ignore, onFailed: ignore });
    double.destroy();
    const news = { waiting: 1, newest: [waitingFor("a1")], withdrawn: [] };
    expect(() => focusWindow(window)).not.toThrow();
    expect(() => attention.tell(news)).not.toThrow();
    expect(electron.recorded.notifications).toEqual([]);
  });
});

function waitingFor(id: string) {
  return { entry: { approvalId: id }, title: "Shop", text: "npm test" } as never;
}
