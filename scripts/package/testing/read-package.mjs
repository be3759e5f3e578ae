/** Looks into a packed app with none of the code that made it, apart from the archive's own reader. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import asar from "@electron/asar";
import { NtExecutable, NtExecutableResource } from "resedit";

/** All files below a folder, as sorted paths with slashes; links count as files. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

/** The files in an archive, those beside it included, as sorted paths without a leading slash. */
export function filesInArchive(archive) {
  return asar
    .listPackage(archive, {})
    .map((path) => path.slice(1).replaceAll("\\", "/"))
    .filter((path) => asar.statFile(archive, path).files === undefined)
    .sort();
}

export function readFromArchive(archive, path) {
  return asar.extractFile(archive, path);
}

/** SHA-256 of the archive's header: what Electron compares at the start, computed from the bytes themselves. */
export function headerHash(archive) {
  const bytes = readFileSync(archive);
  const length = bytes.readUInt32LE(12);
  return createHash("sha256")
    .update(bytes.subarray(16, 16 + length))
    .digest("hex");
}

/** The archive's hash that the app carries on this system, or undefined where Electron checks none. */
export function recordedHash(appOutDir, platform) {
  if (platform === "darwin") {
    const plist = readFileSync(join(appOutDir, "Countersign.app", "Contents", "Info.plist"), "utf8");
    const integrity = plist.slice(plist.indexOf("ElectronAsarIntegrity"));
    return /<key>Resources\/app\.asar<\/key>[\s\S]*?<string>([0-9a-f]{64})<\/string>/.exec(integrity)?.[1];
  }
  if (platform === "linux") return undefined;
  const program = NtExecutable.from(readFileSync(join(appOutDir, "Countersign.exe")));
  const { entries } = NtExecutableResource.from(program);
  const integrity = entries.find(({ type, id }) => type === "INTEGRITY" && id === "ELECTRONASAR");
  return JSON.parse(Buffer.from(integrity.bin).toString()).find(({ file }) => file === "resources\\app.asar")
    ?.value;
}

export const bytesOf = (folder) =>
  filesIn(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
