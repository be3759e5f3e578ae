import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeSpawnHelpersExecutable } from "./node-pty-files.mjs";

it.skipIf(process.platform === "win32")(
  "makes the helper of every system executable, whatever this one is",
  () => {
    const modules = mkdtempSync(join(tmpdir(), "modules-"));
    const helpers = ["darwin-arm64", "darwin-x64"].map((name) => {
      const folder = join(modules, "node-pty", "prebuilds", name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "spawn-helper"), "");
      chmodSync(join(folder, "spawn-helper"), 0o644);
      return join(folder, "spawn-helper");
    });
    mkdirSync(join(modules, "node-pty", "prebuilds", "win32-x64"));
    makeSpawnHelpersExecutable(modules);
    expect(helpers.map((helper) => statSync(helper).mode & 0o777)).toEqual([0o755, 0o755]);
    rmSync(modules, { recursive: true });
  },
);
