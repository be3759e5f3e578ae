/** What the booted entry asks and tells the person's system: links, dialogs, the keychain, sleep, the tray and notifications. */
import { describe, expect, it, vi } from "vitest";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import type { Attention, Newest } from "../console/attention-feed.ts";
import type { SecretBox } from "../settings/secret-box.ts";
import { bootToWindow } from "./testing/boot-entry.ts";
import type { KeychainRecord } from "./testing/keychain-double.ts";
import { createEvent } from "./testing/strict.ts";

describe("what leaves the app", () => {
  it("opens https only, and only after the person saw the full host (S9)", async () => {
    const { given, recorded } = await bootToWindow();
    const open = given[0]?.openLink;
    expect(await open?.("https://docs.example.com/a?b=c")).toBe(false);
    expect(recorded.messageBoxes[0]).toMatchObject({ hasParent: true });
    expect(recorded.messageBoxes[0]?.message).toContain("docs.example.com");
    expect(recorded.openedLinks).toEqual([]);
    recorded.pressed = 1;
    expect(await open?.("https://docs.example.com/a?b=c")).toBe(true);
    for (const bad of ["http://a.example", "file:///etc/passwd", "javascript:1", "https://a@b.example", "x"])
      expect(await open?.(bad)).toBe(false);
    expect(recorded.openedLinks).toEqual(["https://docs.example.com/a?b=c"]);
  });

  it("offers the system's folder dialog, on the window and where the person works", async () => {
    const { given, recorded, window } = await bootToWindow();
    expect(await given[0]?.pickFolder?.("/home/me")).toBeNull();
    recorded.pickedFolders = ["/home/me/shop"];
    expect(await given[0]?.pickFolder?.("/home/me")).toBe("/home/me/shop");
    expect(recorded.folderDialogs[0]).toMatchObject({ defaultPath: "/home/me", hasParent: true });
    window.destroy();
    await given[0]?.pickFolder?.("/home/me");
    expect(recorded.folderDialogs.at(-1)?.hasParent).toBe(false);
    recorded.pressed = 1;
    expect(await given[0]?.openLink?.("https://a.example")).toBe(true);
  });
});

describe("the keychain", () => {
  async function boxOn(platform: NodeJS.Platform, mood: KeychainRecord["mood"] = "works") {
    const { given, recorded } = await bootToWindow({ platform });
    recorded.keychain.mood = mood;
    return { box: given[0]?.secretBox as SecretBox, keychain: recorded.keychain };
  }

  it.each(["linux", "darwin", "win32"] as const)("seals and opens on %s", async (platform) => {
    const { box, keychain } = await boxOn(platform);
    const bytes = await box.seal("sk-secret");
    expect(Buffer.from(bytes).toString()).not.toContain("sk-secret");
    expect(box.isEncrypted(bytes)).toBe(true);
    expect(await box.open(bytes)).toEqual({ plain: "sk-secret", isOutdated: false });
    keychain.shouldReEncrypt = true;
    expect(await box.open(bytes)).toMatchObject({ isOutdated: true });
  });

  it("is told on Linux from a password that everybody knows (S11)", async () => {
    const disguised = await (await boxOn("linux", "disguises")).box.seal("sk-secret");
    expect((await boxOn("linux")).box.isEncrypted(disguised)).toBe(false);
    // There the same mark begins what a real keychain encrypted.
    expect((await boxOn("darwin")).box.isEncrypted(disguised)).toBe(true);
    expect((await boxOn("linux")).box.isEncrypted(Buffer.from("v1"))).toBe(true);
  });

  it.each(["refuses", "is absent"] as const)("that %s rejects", async (mood) => {
    const { box } = await boxOn("linux", mood);
    await expect(box.seal("sk-secret")).rejects.toThrow();
  });
});

const waitingFor = (id: string, text: string, more: Partial<Newest> = {}): Newest => ({
  entry: { approvalId: id as ApprovalId },
  title: "Shop",
  text,
  ...more,
});
const withdrawn = (...ids: string[]) => ids as Attention["withdrawn"];

describe("what waits", () => {
  it.each(["linux", "darwin", "win32"] as const)(
    "is counted everywhere on %s, and named until it is decided",
    async (platform) => {
      const { tell, window, recorded } = await bootToWindow({ platform });
      const name = platform === "win32" ? "Countersign dev" : "Countersign";
      tell({ waiting: 1, newest: [waitingFor("a1", "npm publish")], withdrawn: [] });
      expect(window.title).toBe(`(1) ${name}`);
      expect(recorded.trays[0]?.tooltip).toContain("1 thing waits");
      expect(platform === "win32" ? window.overlay : recorded.badge).toBe(
        platform === "win32" ? "1 waiting" : 1,
      );
      expect(recorded.notifications).toMatchObject([{ title: "Shop", body: "npm publish", isShown: true }]);
      tell({ waiting: 0, newest: [], withdrawn: withdrawn("a1") });
      expect(recorded.notifications[0]?.isShown).toBe(false);
      expect(window.title).toBe(name);
    },
  );

  it("has an icon for screens of each density", async () => {
    const { recorded } = await bootToWindow();
    expect(recorded.trays[0]?.scales).toEqual([1, 2]);
  });

  it("is a file with a picture for each scale on Windows", async () => {
    const { recorded } = await bootToWindow({ platform: "win32" });
    expect(recorded.trays[0]?.iconFile).toMatch(/icon\.ico$/);
  });

  it("is one notification when there is much of it, and none while the window is in front", async () => {
    const { tell, window, recorded, heard } = await bootToWindow();
    const newest = ["a", "b", "c", "d", "e"].map((id) => waitingFor(id, id));
    tell({ waiting: 5, newest, withdrawn: [] });
    expect(recorded.notifications.map(({ body }) => body)).toEqual(["5 things wait for you"]);
    recorded.notifications[0]?.emitter.emit("click", createEvent({}));
    expect(window.isFocused()).toBe(true);
    expect(heard.shown).toEqual([]);
    tell({ waiting: 6, newest: [waitingFor("f", "f")], withdrawn: [] });
    expect(recorded.notifications).toHaveLength(1);
  });

  it("is drawn by the system as one line in which nothing hides", async () => {
    const { tell, recorded } = await bootToWindow();
    const newest = [waitingFor("a1", `ls\nrm \u202e${"x".repeat(400)}`, { title: "Shop\u200b" })];
    tell({ waiting: 1, newest, withdrawn: [] });
    expect(recorded.notifications[0]?.title).toBe("Shop<U+200B>");
    expect(recorded.notifications[0]?.body).toMatch(/^ls ⏎ rm <U\+202E>x+…$/);
    expect(recorded.notifications[0]?.body?.length).toBeLessThanOrEqual(120);
  });

  it("bounces the dock once on macOS", async () => {
    const { tell, recorded, window } = await bootToWindow({ platform: "darwin" });
    tell({ waiting: 1, newest: [waitingFor("a1", "npm test")], withdrawn: [] });
    expect(recorded.bounces).toEqual(["informational"]);
    expect(window.flashes).toEqual([]);
  });

  it.each([
    ["the person comes", (booted: Awaited<ReturnType<typeof bootToWindow>>) => booted.window.focus()],
    [
      "nothing waits any more",
      (booted: Awaited<ReturnType<typeof bootToWindow>>) =>
        booted.tell({ waiting: 0, newest: [], withdrawn: withdrawn("a1") }),
    ],
  ])("flashes in the taskbar until %s", async (_when, happen) => {
    const booted = await bootToWindow();
    booted.tell({ waiting: 1, newest: [waitingFor("a1", "npm test")], withdrawn: [] });
    expect(booted.window.flashes).toEqual([true]);
    happen(booted);
    expect(booted.window.flashes).toEqual([true, false]);
  });
});

describe("a notification", () => {
  async function notified(more: Partial<Newest> = {}) {
    const booted = await bootToWindow();
    booted.tell({ waiting: 1, newest: [waitingFor("a1", "npm test", more)], withdrawn: [] });
    const [shown] = booted.recorded.notifications;
    return {
      ...booted,
      shown: shown!,
      happen: (event: string, details = {}) => shown?.emitter.emit(event, createEvent(details)),
    };
  }

  it("opens its approval when it is clicked", async () => {
    const { happen, window, heard } = await notified();
    happen("click");
    expect(window.isFocused()).toBe(true);
    expect(heard.shown).toEqual(["a1"]);
  });

  it("of a thread that came to a halt opens that, has no buttons, and goes with the halt", async () => {
    const entry = { haltedId: "t1" as ThreadId };
    const { shown, happen, heard, tell } = await notified({ entry, text: "Failed: no answer" });
    expect(shown).toMatchObject({ title: "Shop", body: "Failed: no answer", actions: [], isShown: true });
    happen("click");
    expect(heard.shown).toEqual(["t1"]);
    tell({ waiting: 1, newest: [], withdrawn: ["t1" as ThreadId] });
    expect(shown.isShown).toBe(false);
  });

  it.each([
    [0, "approve"],
    [1, "reject"],
  ])("decides by its button %i exactly what it showed", async (actionIndex, type) => {
    const { shown, happen, heard, window } = await notified({ decidable: { digest: "d1" } });
    expect(shown.actions).toEqual(["Approve", "Reject"]);
    happen("action", { actionIndex });
    expect(heard.decided).toEqual([{ id: "a1", digest: "d1", type }]);
    expect(window.isShown).toBe(false);
  });

  it("has no buttons where it shows less than what is decided, and takes none", async () => {
    const { shown, happen, heard } = await notified();
    expect(shown.actions).toEqual([]);
    happen("action", { actionIndex: 0 });
    expect(heard.decided).toEqual([]);
  });

  it("shows the approval when what it showed does not count any more", async () => {
    const { happen, heard, window } = await notified({ decidable: { digest: "d1" } });
    heard.decides = false;
    happen("action", { actionIndex: 0 });
    await vi.waitUntil(() => heard.shown.length > 0);
    expect(window.isFocused()).toBe(true);
  });

  it("that went out of sight by itself is withdrawn all the same", async () => {
    const { happen, shown, tell } = await notified();
    happen("close", { reason: "timedOut" });
    tell({ waiting: 0, newest: [], withdrawn: withdrawn("a1") });
    expect(shown.isShown).toBe(false);
  });

  it("that fails is noted once", async () => {
    const { happen, heard, tell, recorded } = await notified();
    happen("failed", {});
    expect(heard.isSilent).toBe(true);
    heard.isSilent = false;
    tell({ waiting: 2, newest: [waitingFor("a2", "npm ci")], withdrawn: [] });
    recorded.notifications[1]?.emitter.emit("failed", createEvent({}), "not signed");
    expect(heard.isSilent).toBe(false);
  });
});

describe("the machine", () => {
  it("is kept from sleep while a turn runs, and only then", async () => {
    const { become, recorded } = await bootToWindow();
    const held = () => [...recorded.heldOff.values()];
    become({ isWorking: true, theme: "system" });
    become({ isWorking: true, theme: "system" });
    expect(held()).toEqual(["prevent-app-suspension"]);
    become({ isWorking: false, theme: "system" });
    expect(held()).toEqual([]);
    become({ isWorking: true, theme: "system" });
    expect(held()).toHaveLength(1);
  });

  it("draws menus and dialogs in the theme of the app", async () => {
    const { become, module } = await bootToWindow();
    for (const theme of ["dark", "light", "system"] as const) {
      become({ isWorking: false, theme });
      expect(module.nativeTheme).toHaveProperty("themeSource", theme);
    }
  });
});
