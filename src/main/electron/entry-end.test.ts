/** Every way the app can end: what is asked, what is parked, in which order, and that nothing is touched afterwards. */
import { describe, expect, it, vi } from "vitest";
import { bootToWindow } from "./testing/boot-entry.ts";
import { createEvent } from "./testing/strict.ts";

type Booted = Awaited<ReturnType<typeof bootToWindow>>;

/** Ways in which somebody can be asked. */
const requests: [string, NodeJS.Platform, (booted: Booted) => void][] = [
  ["the menu", "linux", ({ app }) => app.quit()],
  ["the menu on macOS", "darwin", ({ app }) => app.quit()],
  ["the window's button", "linux", ({ window }) => window.close()],
  ["the window's button on Windows", "win32", ({ window }) => window.close()],
  ["Ctrl+C", "linux", ({ process }) => process.emit("SIGINT")],
  ["SIGTERM", "linux", ({ process }) => process.emit("SIGTERM")],
  ["SIGHUP", "darwin", ({ process }) => process.emit("SIGHUP")],
  ["the launcher", "win32", ({ process }) => process.emit("message", { type: "quit" })],
];

/** Ways in which nobody can. */
const departures: [string, NodeJS.Platform, (booted: Booted) => void][] = [
  ["a shutdown", "linux", ({ powerMonitor }) => powerMonitor.emit("shutdown")],
  ["a log-out on macOS", "darwin", ({ powerMonitor }) => powerMonitor.emit("shutdown")],
  ["the end of the session on Windows", "win32", ({ window }) => window.emit("session-end", createEvent({}))],
  ["an update", "win32", ({ app, autoUpdater }) => app.quitForUpdate(autoUpdater)],
  ["an update on macOS", "darwin", ({ app, autoUpdater }) => app.quitForUpdate(autoUpdater)],
];

/** Lets everything that is already decided happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function end({ finishClosing, recorded }: Booted) {
  finishClosing();
  await vi.waitUntil(() => recorded.calls.includes("quit"));
}

describe.each(requests)("asked to end by %s", (_name, platform, request) => {
  it("parks the threads, and goes only when the host is closed", async () => {
    const booted = await bootToWindow({ platform });
    request(booted);
    expect(booted.heard.isClosing).toBe(true);
    expect(booted.recorded.calls).not.toContain("quit");
    expect(booted.window.isShown).toBe(false);
    expect(booted.recorded.trays[0]?.isDestroyed).toBe(true);
    await end(booted);
    expect(booted.heard.timesClosed).toBe(1);
    expect(booted.window.isGone).toBe(true);
  });

  it("names the commands that run, and stays when the person waits", async () => {
    const booted = await bootToWindow({ platform });
    booted.heard.commands = ["npm run build\n", "echo \u202eevil", "x".repeat(500)];
    booted.window.emit("ready-to-show");
    request(booted);
    await settle();
    const box = booted.recorded.messageBoxes[0];
    expect(box).toMatchObject({
      message: "3 commands are running",
      buttons: ["Wait", "Quit"],
      defaultId: 0,
      cancelId: 0,
      hasParent: true,
    });
    expect(box?.detail).toContain("• npm run build\n• echo <U+202E>evil\n• xxx");
    expect(box?.detail?.length).toBeLessThan(500);
    expect(booted.heard.isClosing).toBe(false);
    expect(booted.window.isGone).toBe(false);
    expect(booted.recorded.trays[0]?.isDestroyed).toBe(false);
  });

  it("ends what runs when the person quits all the same", async () => {
    const booted = await bootToWindow({ platform });
    booted.heard.commands = ["npm run build"];
    booted.recorded.pressed = 1;
    request(booted);
    await vi.waitUntil(() => booted.heard.isClosing);
    expect(booted.recorded.messageBoxes[0]?.message).toBe("A command is running");
    await end(booted);
  });
});

describe.each(departures)("ended by %s", (_name, platform, depart) => {
  it("parks at once, asks nobody and lets the windows go", async () => {
    const booted = await bootToWindow({ platform });
    booted.heard.commands = ["npm run build"];
    depart(booted);
    expect(booted.heard.isClosing).toBe(true);
    expect(booted.recorded.messageBoxes).toEqual([]);
    expect(booted.recorded.calls).not.toContain("quit");
    await end(booted);
    expect(booted.window.isGone).toBe(true);
    expect(booted.recorded.calls).not.toContain("quit cancelled");
  });
});

it("an update closes the windows itself, and nothing holds them back", async () => {
  const booted = await bootToWindow({ platform: "darwin" });
  booted.app.quitForUpdate(booted.autoUpdater);
  expect(booted.window.isGone).toBe(true);
  await end(booted);
});

describe("asked again", () => {
  async function asking() {
    const booted = await bootToWindow();
    vi.useFakeTimers({ toFake: ["Date"] });
    booted.heard.commands = ["npm run build"];
    booted.recorded.pressed = undefined;
    booted.process.emit("SIGINT");
    return booted;
  }
  const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

  it("while the question is open, it ends without an answer and takes the question away", async () => {
    const booted = await asking();
    later(60_000);
    booted.process.emit("SIGINT");
    expect(booted.heard.isClosing).toBe(true);
    expect(booted.recorded.messageBoxes[0]?.signal?.aborted).toBe(true);
    vi.useRealTimers();
    await end(booted);
    expect(booted.heard.timesClosed).toBe(1);
  });

  it("by the same Ctrl+C, which the launcher passes on too, it does not", async () => {
    const booted = await asking();
    booted.process.emit("SIGINT");
    booted.process.emit("message", { type: "quit" });
    expect(booted.heard.isClosing).toBe(false);
    vi.useRealTimers();
  });

  it("soon after Wait it ends, and long after Wait it asks again", async () => {
    const booted = await bootToWindow();
    vi.useFakeTimers({ toFake: ["Date"] });
    booted.heard.commands = ["npm run build"];
    booted.process.emit("SIGTERM");
    await settle();
    later(600_000);
    booted.process.emit("SIGTERM");
    await settle();
    expect(booted.recorded.messageBoxes).toHaveLength(2);
    expect(booted.heard.isClosing).toBe(false);
    later(2_000);
    booted.process.emit("SIGTERM");
    expect(booted.heard.isClosing).toBe(true);
    vi.useRealTimers();
  });

  it("in other words than quit it goes on", async () => {
    const { process, heard } = await bootToWindow();
    for (const odd of [undefined, null, "quit", { type: "window-shown" }]) process.emit("message", odd);
    expect(heard.isClosing).toBe(false);
  });
});

describe("while it ends", () => {
  it("nothing brings the window back, and nothing that comes in throws", async () => {
    const booted = await bootToWindow();
    booted.tell({ waiting: 0, newest: [], withdrawn: [] });
    booted.app.quit();
    const { window, app, recorded } = booted;
    app.emit("activate", createEvent({}), false);
    app.emit("second-instance", createEvent({}), [], "/", {});
    booted.tell({ waiting: 1, newest: [], withdrawn: [] });
    booted.become({ isWorking: true, theme: "light" });
    expect(window.isShown).toBe(false);
    expect(recorded.heldOff.size).toBe(0);
    await end(booted);
    app.emit("activate", createEvent({}), false);
    booted.tell({ waiting: 2, newest: [], withdrawn: [] });
  });

  it("a host that does not close holds the app for seconds and not for ever", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { app, recorded } = await bootToWindow();
    app.quit();
    await vi.advanceTimersByTimeAsync(8_000);
    vi.useRealTimers();
    await vi.waitUntil(() => recorded.calls.includes("quit"));
  });
});

describe("whatever fails on the way", () => {
  it.each<[string, (booted: Booted) => void]>([
    [
      "the host cannot say what runs",
      ({ host }) => {
        host.runningCommands = () => {
          throw new Error("closed");
        };
      },
    ],
    [
      "the question cannot be put",
      ({ heard, recorded }) => {
        heard.commands = ["npm test"];
        recorded.dialogFails = true;
      },
    ],
    [
      "the tray cannot be taken away",
      ({ recorded }) => {
        recorded.trays[0]!.isDestroyed = true;
      },
    ],
    [
      "the host cannot close",
      ({ host }) => {
        host.close = () => {
          throw new Error("disk full");
        };
      },
    ],
  ])("the app ends when %s", async (_what, fail) => {
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    const booted = await bootToWindow();
    fail(booted);
    booted.app.quit();
    await end(booted);
    expect(stderr).toHaveBeenCalled();
    stderr.mockRestore();
  });
});

describe("the window's button on macOS", () => {
  it("hides the window and leaves everything running", async () => {
    const { window, heard, app } = await bootToWindow({ platform: "darwin" });
    window.emit("ready-to-show");
    window.close();
    expect([window.isGone, window.isShown, heard.isClosing]).toEqual([false, false, false]);
    app.emit("activate", createEvent({}), false);
    expect(window.isShown).toBe(true);
  });

  it("takes a window out of full screen first, which would leave a black screen", async () => {
    const { window } = await bootToWindow({ platform: "darwin" });
    window.emit("ready-to-show");
    window.isFull = true;
    window.close();
    expect(window.isShown).toBe(true);
    window.leaveFullScreen();
    expect(window.isShown).toBe(false);
  });
});
