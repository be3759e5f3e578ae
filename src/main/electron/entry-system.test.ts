/** What the booted entry asks and tells the person's system: links, dialogs, the keychain, the tray and notifications. */
import { describe, expect, it } from "vitest";
import type { Attention } from "../host/host.ts";
import { bootToWindow } from "./testing/boot-entry.ts";
import { createEvent } from "./testing/strict.ts";

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
