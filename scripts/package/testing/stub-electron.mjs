/**
 * A folder shaped like an unpacked Electron, with small programs that carry the fuse wire and nothing that runs. With
 * it a package can be made and looked at for every system, on any system, without a download.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NtExecutable, NtExecutableResource, Resource } from "resedit";

/** How Electron's program marks its fuses: these 32 bytes, the version, the number of fuses, a digit for each. */
const sentinel = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
const fuseCount = 9;
const wire = Buffer.concat([
  Buffer.from(sentinel),
  Buffer.from([1, fuseCount]),
  // Each fuse as Electron is released: most on, none removed.
  Buffer.from("011001110".slice(0, fuseCount).padEnd(fuseCount, "0")),
]);

const machines = { linux: { x64: 62, arm64: 183 }, win32: { x64: 0x8664, arm64: 0xaa64 } };

/** Makes the folder for a target. @returns its path */
export function makeStubElectron(folder, { platform, arch }) {
  const put = (path, content, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content, { mode });
  };
  put("LICENSE", "Electron's licence\n");
  put("LICENSES.chromium.html", "<p>Chromium's licences</p>\n");
  put("version", "0.0.0-stub");
  if (platform === "darwin") putMac(folder, put);
  else putFlat(put, platform, arch);
  return folder;
}

function putFlat(put, platform, arch) {
  const isWindows = platform === "win32";
  put(isWindows ? "electron.exe" : "electron", isWindows ? windowsProgram(arch) : linuxProgram(arch), 0o755);
  if (!isWindows) put("chrome-sandbox", linuxProgram(arch), 0o755);
  if (!isWindows) put("chrome_crashpad_handler", linuxProgram(arch), 0o755);
  put("locales/en-US.pak", "stub");
  put("resources.pak", "stub");
  put("resources/default_app.asar", "stub");
}

function linuxProgram(arch) {
  return Buffer.concat([stubElf(arch), wire]);
}

/** The first bytes of a 64-bit ELF file: enough to say what it was compiled for. */
export function stubElf(arch) {
  const head = Buffer.alloc(64);
  head.write("\x7fELF\x02\x01\x01", "latin1");
  head.writeUInt16LE(3, 16);
  head.writeUInt16LE(machines.linux[arch], 18);
  return head;
}

/** A real, if empty, Windows program, since the packager writes version, icon and integrity into its resources. */
function windowsProgram(arch) {
  const program = NtExecutable.createEmpty(false, false);
  program.newHeader.fileHeader.machine = machines.win32[arch];
  const resource = NtExecutableResource.from(program);
  const info = Resource.VersionInfo.createEmpty();
  info.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: "Electron" });
  info.outputToResourceEntries(resource.entries);
  resource.outputResource(program);
  program.setExtraData(wire.buffer.slice(wire.byteOffset, wire.byteOffset + wire.length));
  return Buffer.from(program.generate());
}

const helpers = ["", " (GPU)", " (Plugin)", " (Renderer)"];

function putMac(folder, put) {
  const contents = "Electron.app/Contents";
  put(`${contents}/Info.plist`, plist("Electron"));
  put(`${contents}/MacOS/Electron`, "stub", 0o755);
  put(`${contents}/Resources/default_app.asar`, "stub");
  put(`${contents}/Resources/en.lproj/locale.pak`, "stub");
  const framework = `${contents}/Frameworks/Electron Framework.framework`;
  put(`${framework}/Versions/A/Electron Framework`, Buffer.concat([Buffer.alloc(64), wire]), 0o755);
  symlinkSync("A", join(folder, framework, "Versions", "Current"));
  symlinkSync("Versions/Current/Electron Framework", join(folder, framework, "Electron Framework"));
  for (const kind of helpers) {
    const name = `Electron Helper${kind}`;
    put(`${contents}/Frameworks/${name}.app/Contents/Info.plist`, plist(name));
    put(`${contents}/Frameworks/${name}.app/Contents/MacOS/${name}`, "stub", 0o755);
  }
}

function plist(executable) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${executable}</string>
<key>CFBundleIconFile</key><string>electron.icns</string>
</dict></plist>
`;
}
