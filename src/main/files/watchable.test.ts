/** Which folders of this machine, and of mounts as the kernel writes them, can be relied on to be heard. */
import { describe, expect, it } from "vitest";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { isWatchable, readMounts } from "./watchable.ts";

const mount = (place: string) => `36 35 98:0 / ${place} rw,noatime - ext4 /dev/sda rw`;

describe.runIf(process.platform === "linux")("a folder can be watched", () => {
  it("unless something is mounted below it, whatever its name", () => {
    const { root } = makeWorkspace();
    expect(isWatchable(root, readMounts())).toBe(true);
    const below = `${root}/with\\040space`;
    expect(isWatchable(root, [mount("/"), mount(root), mount(`${root}-beside`)].join("\n"))).toBe(true);
    expect(isWatchable(root, [mount("/"), mount(below)].join("\n"))).toBe(false);
    expect(isWatchable(`${root}/with space`, mount(`${below}/deeper`))).toBe(false);
  });

  it("only on a file system where nobody else changes files", () => {
    expect(isWatchable("/proc/self", "")).toBe(false);
    expect(isWatchable("/nowhere", "")).toBe(false);
  });
});
