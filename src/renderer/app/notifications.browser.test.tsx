/** What waits is named by the browser while nobody looks; its notifications are the one thing a headless browser has not. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultSettings } from "../../shared/contract/console.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { go, useRoute } from "../base/navigation.ts";
import { useApprovals } from "../base/stores/approvals-store.ts";
import { useHost } from "../base/stores/host-store.ts";
import { useSettings } from "../base/stores/settings-store.ts";
import { useThreads } from "../base/stores/threads-store.ts";
import { noFilters, useQueue } from "../features/approvals/queue-store.ts";
import { showEntry } from "../features/approvals/show-entry.ts";
import { sampleApproval, sampleThread } from "../testing/samples.ts";
import { startNotifications } from "./notifications.ts";

/** Notes what would be on the person's screen. */
class ScreenNotification {
  static permission: NotificationPermission = "granted";
  static readonly requestPermission = vi.fn(async () => "granted" as const);
  static shown: ScreenNotification[] = [];
  onclick: (() => void) | null = null;
  readonly title: string;
  readonly body: string | undefined;
  constructor(title: string, options: NotificationOptions) {
    this.title = title;
    this.body = options.body;
    ScreenNotification.shown.push(this);
  }
  close(): void {
    ScreenNotification.shown = ScreenNotification.shown.filter((one) => one !== this);
  }
}

const onScreen = () => ScreenNotification.shown.map(({ body }) => body);
const wait = (...commands: string[]) =>
  useApprovals.getState().change(commands.map((command) => sampleApproval(command, command)));
let hidden = true;
let stop: () => void;

beforeEach(() => {
  vi.stubGlobal("Notification", ScreenNotification);
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  hidden = true;
  ScreenNotification.permission = "granted";
  ScreenNotification.shown = [];
  ScreenNotification.requestPermission.mockClear();
  useHost.setState({ host: { mode: "browser" } as NonNullable<ReturnType<typeof useHost.getState>["host"]> });
  useSettings.setState({ settings: defaultSettings });
  useApprovals.getState().replace([]);
  useThreads.getState().replace([]);
  stop = startNotifications();
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("an approval that comes while nobody looks", () => {
  it("is named, and withdrawn when it was decided elsewhere", () => {
    wait("npm publish");
    expect(onScreen()).toEqual(["npm publish"]);
    useApprovals.getState().change([], ["npm publish" as ApprovalId]);
    expect(onScreen()).toEqual([]);
  });

  it("is one of a number when many come at once", () => {
    wait("one", "two", "three", "four");
    expect(onScreen()).toHaveLength(1);
    expect(onScreen()[0]).toContain("4");
  });

  it("is not told twice when the list arrives again", () => {
    wait("npm publish");
    wait("npm publish");
    expect(onScreen()).toEqual(["npm publish"]);
  });

  it("is brought before the person by a click, out of whatever view and filter", () => {
    wait("npm publish", "npm test");
    go({ view: "settings" });
    useQueue.setState({ view: "decided", filters: { ...noFilters, search: "nothing like it" } });
    ScreenNotification.shown.at(-1)?.onclick?.();
    expect(useRoute.getState()).toEqual({ view: "queue" });
    expect(useQueue.getState()).toMatchObject({ view: "all", filters: noFilters, currentId: "npm test" });
    useApprovals.getState().change([], ["npm publish" as ApprovalId]);
    showEntry({ approvalId: "npm publish" as ApprovalId });
    expect(useQueue.getState().currentId).toBe("npm test");
  });

  it("goes with the page", () => {
    wait("npm publish");
    stop();
    expect(onScreen()).toEqual([]);
  });
});

describe("a thread that comes to a halt while nobody looks", () => {
  const halt = (updatedAt: number) => {
    const problem = "The model did not answer.";
    useThreads.getState().change([sampleThread("t1", { status: "failed", problem, updatedAt })], []);
  };

  it("is named, brought before the person by a click, and withdrawn when it goes on", () => {
    halt(1);
    expect(onScreen()).toEqual(["Failed: The model did not answer."]);
    go({ view: "settings" });
    ScreenNotification.shown[0]?.onclick?.();
    expect(useRoute.getState()).toEqual({ view: "queue" });
    expect(useQueue.getState().currentId).toBe("halted:t1");
    useThreads.getState().change([sampleThread("t1", { status: "running" })], []);
    expect(onScreen()).toEqual([]);
  });

  it("is told once for each halt", () => {
    halt(1);
    const [first] = ScreenNotification.shown;
    halt(1);
    expect(ScreenNotification.shown).toEqual([first]);
    halt(2);
    expect(ScreenNotification.shown).not.toContain(first);
    expect(onScreen()).toHaveLength(1);
    useThreads.getState().change([], ["t1" as ThreadId]);
    expect(onScreen()).toEqual([]);
  });
});

describe("nothing is shown", () => {
  it("while the person looks at the page", () => {
    hidden = false;
    wait("npm publish");
    expect(onScreen()).toEqual([]);
  });

  it.each([{ doNotDisturb: true }, { notifications: false }])("with the setting %o", (setting) => {
    useSettings.setState({ settings: { ...defaultSettings, ...setting } });
    wait("npm publish");
    expect(onScreen()).toEqual([]);
  });

  it("before the browser was asked, which happens once, at the person's own next click", () => {
    ScreenNotification.permission = "default";
    wait("npm publish");
    wait("npm test");
    expect(onScreen()).toEqual([]);
    expect(ScreenNotification.requestPermission).not.toHaveBeenCalled();
    document.body.click();
    document.body.click();
    expect(ScreenNotification.requestPermission).toHaveBeenCalledTimes(1);
  });
});
