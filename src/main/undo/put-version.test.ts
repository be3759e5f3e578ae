/** Giving permissions back follows no link that took the place of a folder. */
import { chmodSync, lstatSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hashBytes } from "../files/stored-file.ts";
import { makeWorkspace } from "../files/testing/test-workspace.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import { putVersion } from "./put-version.ts";

it("changes no permissions behind a folder that became a link", async () => {
  const space = makeWorkspace();
  const path = space.put("bin/run.sh", "echo 1");
  const hash = hashBytes(Buffer.from("echo 1"));
  chmodSync(path, 0o755);
  const file = { path, from: { hash, mode: 0o755 }, to: { hash, mode: 0o644 } };
  const putter = {
    files: createWorkspaceFiles(space.root),
    blobs: { get: async () => null },
    observer: {} as never,
  };
  renameSync(join(space.root, "bin"), join(space.base, "elsewhere"));
  symlinkSync(join(space.base, "elsewhere"), join(space.root, "bin"));
  await expect(putVersion(putter, file)).rejects.toMatchObject({ name: "StaleFileError" });
  expect(lstatSync(join(space.base, "elsewhere", "run.sh")).mode & 0o777).toBe(0o755);
});
