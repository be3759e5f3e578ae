/**
 * A folder is swapped for a link that leads out, at each moment there is: before each look that a file tool takes at the
 * disk. Only Linux holds a folder open; elsewhere what is promised is less, and docs/security.md says it.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FileError } from "./file-error.ts";
import { pinFolder } from "./pinned-folder.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";
import { createWorkspaceFiles, type WorkspaceFiles } from "./workspace-files.ts";

const looks = [
  ...(["access", "chmod", "copyFile", "link", "lstat", "mkdir", "open", "readdir", "readlink"] as const),
  ...(["realpath", "rename", "rm", "rmdir", "stat", "unlink"] as const),
];

/** Runs `act` before the look of this number. @returns how many looks there were, once `use` is over */
async function beforeLook(number: number, act: () => void, use: () => Promise<unknown>): Promise<number> {
  const real = { ...promises };
  let seen = 0;
  for (const look of looks)
    Object.assign(promises, {
      [look]: (...args: unknown[]) => {
        if (seen++ === number) act();
        return (real[look] as (...args: unknown[]) => unknown)(...args);
      },
    });
  syncBuiltinESMExports();
  try {
    await use();
  } finally {
    Object.assign(promises, real);
    syncBuiltinESMExports();
  }
  return seen;
}

const outsideText = "TOP SECRET needle";

const tools: Record<string, (files: WorkspaceFiles) => Promise<unknown>> = {
  "a read": (files) => files.read("work/sub/secret.txt"),
  "a list": (files) => files.list("work/sub"),
  "a search for text": (files) => files.grep("needle", { path: "work" }),
  "a search for names": (files) => files.glob("**/*", { path: "work" }),
  "a write over a file": (files) => files.write("work/sub/secret.txt", "evil"),
  "a write of a new file": (files) => files.write("work/sub/fresh.txt", "evil"),
  "a write in a new folder": (files) => files.write("work/sub/new/deep/fresh.txt", "evil"),
  "an edit": (files) => files.edit("work/sub/secret.txt", { oldString: "mine", newString: "evil" }),
  "a delete of a file": (files) => files.delete("work/sub/secret.txt"),
  "a delete of a folder": (files) => files.delete("work/sub"),
  "a move within": (files) => files.move("work/sub/secret.txt", "work/sub/moved.txt"),
  "a move out of it": (files) => files.move("work/sub/secret.txt", "moved.txt"),
  "a move into it": (files) => files.move("plain.txt", "work/sub/moved.txt"),
};

/** A workspace whose `work` has a double outside, with other content. */
function makeDouble() {
  const { root, outside, base, put } = makeWorkspace();
  put("work/sub/secret.txt", "mine");
  put("plain.txt", "plain");
  mkdirSync(join(outside, "sub"));
  writeFileSync(join(outside, "sub/secret.txt"), outsideText);
  writeFileSync(join(outside, "sub/other.txt"), outsideText);
  return {
    root,
    swap() {
      renameSync(join(root, "work"), join(base, "moved"));
      symlinkSync(outside, join(root, "work"));
    },
    isUntouched: () =>
      readdirSync(outside, { recursive: true }).sort().join() ===
        ["secret.txt", "sub", "sub/other.txt", "sub/secret.txt"].join() &&
      readFileSync(join(outside, "sub/secret.txt"), "utf8") === outsideText,
  };
}

describe.skipIf(process.platform !== "linux")("a folder that is swapped for a link", () => {
  it.each(Object.keys(tools))("leads %s nowhere else, at whatever moment", async (name) => {
    const outcomes = { done: 0, refused: 0 };
    for (let moment = 0; ; moment++) {
      const { root, swap, isUntouched } = makeDouble();
      const files = createWorkspaceFiles(root);
      const outcome: { value?: unknown; error?: unknown } = {};
      const seen = await beforeLook(moment, swap, async () => {
        try {
          outcome.value = await tools[name]!(files);
        } catch (error) {
          outcome.error = error;
        }
      });
      expect(isUntouched(), `${name}, at look ${moment}`).toBe(true);
      expect(JSON.stringify(outcome.value ?? null), `look ${moment}`).not.toMatch(/TOP SECRET|other\.txt/);
      if (outcome.error !== undefined) {
        expect(outcome.error, `look ${moment}`).toBeInstanceOf(FileError);
        outcomes.refused++;
      } else outcomes.done++;
      if (seen <= moment) break;
    }
    expect(outcomes.done).toBeGreaterThan(0);
    // A search passes over what it cannot open.
    if (!name.includes("search")) expect(outcomes.refused).toBeGreaterThan(0);
  });
});

describe("a folder that the system cannot hold open", () => {
  it("is refused when it leads elsewhere by the time it is looked at again", async () => {
    const { root, swap } = makeDouble();
    const folder = await pinFolder(join(root, "work"), false);
    onTestFinished(() => folder.close());
    await folder.verify();
    swap();
    await expect(folder.verify()).rejects.toThrow("leads somewhere else");
    await expect(pinFolder(join(root, "work"), false)).rejects.toThrow("leads somewhere else");
  });
});
