/** Hears of real folders through a real queue of the kernel's. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFileEvents, type EventLimits } from "./file-events.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";

const many: EventLimits = { folders: 100, events: 1_000, ownEventMs: 60_000 };

function open(limits?: EventLimits) {
  const { root, base, put } = makeWorkspace();
  const events = createFileEvents(join(base, "look"), limits);
  if (!events) throw new Error("nothing is heard here");
  const heard: string[] = [];
  const watch = (folder: string) => {
    const watching = events.watch(`${folder}/`, (name) => void heard.push(name));
    onTestFinished(() => watching.close());
    return watching;
  };
  return { root, base, put, events, heard, watch };
}

describe.runIf(process.platform === "linux")("events of folders", () => {
  it("were all heard once they are settled, the folder's own without a name", async () => {
    const { root, events, heard, watch } = open(many);
    watch(root);
    for (let i = 0; i < 100; i += 1) writeFileSync(join(root, `${i}`), "x");
    chmodSync(root, 0o755);
    await Promise.all([events.settled(), events.settled()]);
    expect(new Set(heard)).toEqual(new Set([...Array.from({ length: 100 }, (_, i) => `${i}`), ""]));
    expect(events.losses()).toBe(0);
  });

  it("count as lost when the kernel's queue ran over, although nobody tells", async () => {
    const { root, events, heard, watch } = open();
    watch(root);
    const files = [join(root, "a"), join(root, "b")];
    for (const file of files) writeFileSync(file, "");
    await events.settled();
    expect(events.losses()).toBe(0);
    const room = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
    for (let i = 0; i <= room; i += 1) chmodSync(files[i % 2]!, i % 4 < 2 ? 0o600 : 0o644);
    writeFileSync(join(root, "unheard"), "");
    // Once there is room again, our own event comes although others did not.
    const before = heard.length;
    while (heard.length === before) await turnOfLoop();
    await events.settled();
    expect(heard).not.toContain("unheard");
    expect(events.losses()).toBe(1);
  });

  it("count as lost when our own does not come, and when it cannot be made", async () => {
    const { base, events } = open({ ...many, ownEventMs: 1 });
    renameSync(join(base, "look"), join(base, "elsewhere"));
    await events.settled();
    expect(events.losses()).toBe(1);
    mkdirSync(join(base, "look"));
    await events.settled();
    expect(events.losses()).toBe(2);
  });

  it("are heard of so many folders and no more, closed ones not counted, and leave nothing behind", async () => {
    const { root, base, put, events, heard, watch } = open({ ...many, folders: 2 });
    put("one/a", "");
    put("two/a", "");
    const first = watch(root);
    watch(join(root, "one"));
    expect(() => watch(join(root, "two"))).toThrow("as many folders");
    first.close();
    watch(join(root, "two"));
    put("two/b", "");
    rmSync(join(root, "one"), { recursive: true });
    await events.settled();
    expect(heard).toEqual(expect.arrayContaining(["b", ""]));
    expect(readdirSync(join(base, "look"))).toEqual([]);
  });
});
