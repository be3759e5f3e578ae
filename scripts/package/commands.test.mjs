import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/project.mjs";

it("npm run pack names the targets there are when it is given another", () => {
  const pack = join(root, "scripts", "pack.mjs");
  const { status, stderr } = spawnSync(process.execPath, [pack, "amiga"], { encoding: "utf8" });
  expect({ status, said: stderr.trim().split("\n").at(-1) }).toEqual({
    status: 1,
    said: "countersign: There is no target amiga. There are: mac-arm64, mac-x64, win-x64, win-arm64, linux-x64, linux-arm64.",
  });
});
