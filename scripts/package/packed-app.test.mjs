/** The app folder of each system, made from a stub Electron: what is in it, what is not, and that it is the same twice. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";
import { beforeAll, describe, expect, it } from "vitest";
import { packedPaths } from "./after-pack.mjs";
import { buildDir, unreachable } from "./clean-build.mjs";
import { compiledFor, hostTarget, nativeFiles, targets } from "./targets.mjs";
import { packFromStub, workDir } from "./testing/pack-from-stub.mjs";
import { packageFiles } from "./testing/package-files.mjs";
import {
  bytesOf,
  filesIn,
  filesInArchive,
  headerHash,
  readFromArchive,
  recordedHash,
} from "./testing/read-package.mjs";

const apps = join(workDir, "apps");
const maxBytes = 17 * 1024 * 1024;

/** The daily run packs this machine's own target and one of each other system; all six with the variable, and in CI. */
const chosen =
  process.env.COUNTERSIGN_PACK === "all"
    ? targets
    : targets.filter((target) => target === hostTarget() || ["mac-arm64", "win-x64"].includes(target.name));
const left = targets.filter((target) => !chosen.includes(target)).map(({ name }) => name);
if (left.length > 0)
  console.log(`Not packed in this run: ${left.join(", ")}. npm run test:pack packs all six.`);

describe("a build for a package", () => {
  it("holds nothing that no entry leads to, and a chunk of an older build is found", () => {
    expect(unreachable(buildDir)).toEqual([]);
    const stale = join(buildDir, "main", "chunks", "create-host-OldOldOl.js");
    writeFileSync(stale, "export {};\n");
    expect(unreachable(buildDir)).toEqual(["main/chunks/create-host-OldOldOl.js"]);
    rmSync(stale);
  });
});

describe.each(chosen)("the app for $name", (target) => {
  let folder;
  let archive;
  let paths;

  beforeAll(async () => {
    folder = await packFromStub(target, apps);
    paths = packedPaths(folder, target.platform);
    archive = join(paths.resources, "app.asar");
  });

  it("holds the build, two packages, this system's natives, and nothing else", () => {
    const built = filesIn(buildDir).map((file) => `out/${file}`);
    const expected = ["package.json", ...built, ...packageFiles, ...nativeFiles(target)].sort();
    expect(filesInArchive(archive)).toEqual(expected);
    expect(expected).toContain("out/main/icon.ico");
    const manifest = JSON.parse(readFromArchive(archive, "package.json").toString());
    expect(Object.keys(manifest.dependencies)).toEqual(["better-sqlite3", "node-pty"]);
    expect(manifest).toMatchObject({
      main: "./out/main/index.js",
      type: "module",
      productName: "Countersign",
    });
    expect(manifest.devDependencies).toBeUndefined();
  });

  it("has natives compiled for it, outside of the archive, and programs that may be run", () => {
    for (const file of nativeFiles(target)) {
      const path = join(paths.unpacked, file);
      expect(compiledFor(path), file).toBe(`${target.platform}-${target.arch}`);
      if (file.endsWith("spawn-helper") && process.platform !== "win32")
        expect(statSync(path).mode & 0o777).toBe(0o755);
    }
  });

  it("has all nine fuses set, and Electron's own app taken out", async () => {
    const { version, ...states } = await getCurrentFuseWire(paths.program);
    const named = Object.entries(states).map(([fuse, state]) => [
      FuseV1Options[fuse],
      state === FuseState.ENABLE,
    ]);
    expect(version).toBe("1");
    expect(Object.fromEntries(named)).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: false,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      WasmTrapHandlers: true,
    });
    expect(existsSync(join(paths.resources, "default_app.asar"))).toBe(false);
  });

  it("carries the hash of its archive where Electron checks it", () => {
    if (target.platform === "linux") return expect(recordedHash(folder, "linux")).toBeUndefined();
    expect(recordedHash(folder, target.platform)).toBe(headerHash(archive));
  });

  it("is small, and may not update itself unsigned", () => {
    const bytes = statSync(archive).size + bytesOf(paths.unpacked);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(existsSync(join(paths.resources, "app-update.yml"))).toBe(false);
  });
});

describe("a package made twice", () => {
  it.runIf(process.env.COUNTERSIGN_LONG === "1")("has the same archive to the byte", async () => {
    const target = chosen.find(({ platform }) => platform === "darwin");
    const hashes = [join(apps, "mac-arm64"), await packFromStub(target, join(workDir, "again"))].map(
      (folder) => {
        const bytes = readFileSync(join(packedPaths(folder, "darwin").resources, "app.asar"));
        return createHash("sha256").update(bytes).digest("hex");
      },
    );
    expect(hashes[1]).toBe(hashes[0]);
  });
});
