import type { MessageBoxOptions } from "electron";
import { describe, expect, it } from "vitest";
import { createUpdateCheck, type Updater } from "./update-check.ts";

/** Starts as electron-updater does: it would download and install by itself. What is not named here does not exist. */
function updaterDouble(newest: string | Error, calls: string[]): Updater {
  const state: Record<string, unknown> = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    allowDowngrade: false,
    allowPrerelease: false,
    logger: console,
    async checkForUpdates() {
      calls.push(state.autoDownload ? "check, and download unasked" : "check");
      if (newest instanceof Error) throw newest;
      return { isUpdateAvailable: newest !== "1.0.0", updateInfo: { version: newest } };
    },
    async downloadUpdate() {
      calls.push("download");
      return [];
    },
    quitAndInstall(isSilent: boolean, isForceRunAfter: boolean) {
      if (state.autoInstallOnAppQuit) calls.push("would install at the next quit");
      calls.push(`install, silent ${isSilent}, start again ${isForceRunAfter}`);
    },
  };
  const known = (name: string | symbol) => {
    // A promise that resolves with the double looks for this.
    if (name !== "then" && !(name in state)) throw new Error(`The updater has no ${String(name)}.`);
  };
  return new Proxy(state, {
    get: (_target, name) => {
      known(name);
      return state[name as string];
    },
    set: (_target, name, value) => {
      known(name);
      state[name as string] = value;
      return true;
    },
  }) as unknown as Updater;
}

/** A person who presses these buttons one after the other, and what they were asked. */
function setUp({ newest = "2.0.0" as string | Error, pressed = [] as number[], isAble = true } = {}) {
  const calls: string[] = [];
  const asked: MessageBoxOptions[] = [];
  const running: string[] = [];
  const check = createUpdateCheck({
    isAble,
    version: "1.0.0",
    load: async () => {
      calls.push("load");
      return updaterDouble(newest, calls);
    },
    ask: async (question) => {
      asked.push(question);
      return pressed.shift() ?? question.cancelId ?? 0;
    },
    runningCommands: () => running,
  });
  return { check, calls, asked, running };
}

describe("a check for updates", () => {
  it("downloads when it may, and installs when it may, each asked for apart", async () => {
    const { check, calls, asked } = setUp({ pressed: [0, 0] });
    await check();
    expect(calls).toEqual(["load", "check", "download", "install, silent false, start again true"]);
    expect(asked.map(({ message }) => message)).toEqual([
      "Countersign 2.0.0 is available",
      "Countersign 2.0.0 is ready",
    ]);
  });

  it("goes no further than the person", async () => {
    const notNow = setUp({ pressed: [1] });
    await notNow.check();
    expect(notNow.calls).toEqual(["load", "check"]);
    const later = setUp({ pressed: [0, 1] });
    await later.check();
    expect(later.calls).toEqual(["load", "check", "download"]);
  });

  it("does not install while a command runs, and does it without another download when none does", async () => {
    const { check, calls, asked, running } = setUp({ pressed: [0, 0, 0, 0] });
    running.push("npm run build");
    await check();
    expect(calls).toEqual(["load", "check", "download"]);
    expect(asked.at(-1)).toMatchObject({ message: "A command is running" });
    expect(asked.at(-1)?.detail).toContain("npm run build");
    running.pop();
    await check();
    expect(calls.slice(3)).toEqual(["install, silent false, start again true"]);
  });

  it("says when there is nothing newer", async () => {
    const { check, calls, asked } = setUp({ newest: "1.0.0" });
    await check();
    expect(calls).toEqual(["load", "check"]);
    expect(asked.map(({ message }) => message)).toEqual(["Countersign 1.0.0 is the newest version"]);
  });

  it("says why it failed, in one line, and can be tried again", async () => {
    const { check, calls, asked } = setUp({ newest: new Error("no network\n\u202ehere") });
    await check();
    await check();
    expect(asked.map(({ message }) => message)).toEqual([
      "The update did not work",
      "The update did not work",
    ]);
    expect(asked[0]?.detail).not.toContain("\u202e");
    expect(calls.filter((call) => call === "check")).toHaveLength(2);
  });

  it("loads nothing and asks nobody in a build that may not replace itself", async () => {
    const { check, calls, asked } = setUp({ isAble: false });
    await check();
    expect(calls).toEqual([]);
    expect(asked.map(({ message }) => message)).toEqual(["This build does not update itself"]);
  });

  it("is one at a time", async () => {
    const { check, calls } = setUp({ pressed: [0, 0] });
    await Promise.all([check(), check()]);
    expect(calls.filter((call) => call === "check")).toHaveLength(1);
  });
});
