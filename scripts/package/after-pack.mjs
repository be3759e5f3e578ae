/** What is done to, and asked of, the app folder while it is made and before it is signed. */
import { chmodSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Arch } from "electron-builder";
import { setFuses } from "./fuses.mjs";
import { compiledFor, nativeFiles } from "./targets.mjs";

/** Where things are in a packed app. */
export function packedPaths(appOutDir, platform) {
  const inside = platform === "darwin" ? join(appOutDir, "Countersign.app", "Contents") : appOutDir;
  const resources = join(inside, platform === "darwin" ? "Resources" : "resources");
  const program = {
    darwin: join(appOutDir, "Countersign.app"),
    win32: join(appOutDir, "Countersign.exe"),
    linux: join(appOutDir, "countersign"),
  };
  return { resources, program: program[platform], unpacked: join(resources, "app.asar.unpacked") };
}

/** Takes out Electron's own app: it stays when Electron comes as a folder, and would start if ours were missing. */
export async function afterExtract({ appOutDir, electronPlatformName: platform }) {
  const inside = platform === "darwin" ? join("Electron.app", "Contents", "Resources") : "resources";
  rmSync(join(appOutDir, inside, "default_app.asar"), { force: true });
}

/** @throws Error when a native file is missing, too many, or compiled for another system */
export async function afterPack({ appOutDir, electronPlatformName: platform, arch }) {
  const target = { platform, arch: Arch[arch] };
  const { program, unpacked } = packedPaths(appOutDir, platform);
  for (const file of nativeFiles(target))
    if (file.endsWith("spawn-helper") && existsSync(join(unpacked, file)))
      chmodSync(join(unpacked, file), 0o755);
  checkNatives(target, unpacked);
  await setFuses(program);
}

function checkNatives(target, unpacked) {
  const wanted = `${target.platform}-${target.arch}`;
  const found = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(unpacked.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((file) => compiledFor(join(unpacked, file)) !== undefined);
  const expected = nativeFiles(target);
  const missing = expected.filter((file) => !found.includes(file));
  const foreign = found.filter((file) => compiledFor(join(unpacked, file)) !== wanted);
  const surplus = found.filter((file) => !expected.includes(file));
  if (missing.length + foreign.length + surplus.length === 0) return;
  throw new Error(
    `The natives of ${wanted} are wrong. Missing: ${missing}. For another system: ${foreign}. Too many: ${surplus}.`,
  );
}
