import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Arch } from "electron-builder";
import { beforeEach, describe, expect, it } from "vitest";
import { root } from "../setup/project.mjs";
import { afterExtract, afterPack, packedPaths } from "./after-pack.mjs";
import { nativeFiles, targets } from "./targets.mjs";
import { workDir } from "./testing/pack-from-stub.mjs";
import { makeStubElectron } from "./testing/stub-electron.mjs";

const target = targets.find(({ name }) => name === "mac-arm64");
const prebuilds = (arch) => `node_modules/node-pty/prebuilds/darwin-${arch}`;
let folder;
let unpacked;

/** An app for macOS as it is before the last steps, with its natives as npm brings them. */
beforeEach(async () => {
  mkdirSync(workDir, { recursive: true });
  folder = makeStubElectron(mkdtempSync(join(workDir, "after-")), target);
  await afterExtract({ appOutDir: folder, electronPlatformName: "darwin" });
  renameSync(join(folder, "Electron.app"), join(folder, "Countersign.app"));
  ({ unpacked } = packedPaths(folder, "darwin"));
  for (const file of nativeFiles(target)) put(file, file);
});

function put(from, to) {
  mkdirSync(dirname(join(unpacked, to)), { recursive: true });
  cpSync(join(root, from), join(unpacked, to));
  chmodSync(join(unpacked, to), 0o644);
}

const finish = () => afterPack({ appOutDir: folder, electronPlatformName: "darwin", arch: Arch.arm64 });

describe.skipIf(process.platform === "win32")("the last steps before signing", () => {
  it("let macOS start commands: the helper of node-pty may be executed, though npm brings it without", async () => {
    await finish();
    expect(statSync(join(unpacked, prebuilds("arm64"), "spawn-helper")).mode & 0o777).toBe(0o755);
  });

  it("fail when a native is missing", async () => {
    rmSync(join(unpacked, prebuilds("arm64"), "pty.node"));
    await expect(finish()).rejects.toThrow(/Missing: .*darwin-arm64\/pty\.node/);
  });

  it("fail when one under the right name is for another system", async () => {
    put(`${prebuilds("x64")}/pty.node`, `${prebuilds("arm64")}/pty.node`);
    await expect(finish()).rejects.toThrow(/another system: .*darwin-arm64\/pty\.node/);
  });

  it("fail when there is one too many, as those that the building machine compiled", async () => {
    put(`${prebuilds("arm64")}/pty.node`, "node_modules/node-pty/build/Release/pty.node");
    await expect(finish()).rejects.toThrow(/Too many: .*build\/Release\/pty\.node/);
  });

  it("fail when Electron has a fuse that is not named", async () => {
    const framework = "Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework";
    const wire = Buffer.concat([
      Buffer.from("dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX"),
      Buffer.from([1, 10]),
      Buffer.alloc(10, "0"),
    ]);
    writeFileSync(join(folder, "Countersign.app", framework), wire);
    await expect(finish()).rejects.toThrow(/strictlyRequireAllFuses/);
  });
});
