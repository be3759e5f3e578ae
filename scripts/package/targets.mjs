/** The six systems a package is made for, and the native files each of them needs and no other may hold. */
import { closeSync, openSync, readSync } from "node:fs";

/** @typedef {{ name: string, platform: "darwin" | "win32" | "linux", arch: "x64" | "arm64" }} Target */

/** @type {readonly Target[]} */
export const targets = [
  { name: "mac-arm64", platform: "darwin", arch: "arm64" },
  { name: "mac-x64", platform: "darwin", arch: "x64" },
  { name: "win-x64", platform: "win32", arch: "x64" },
  { name: "win-arm64", platform: "win32", arch: "arm64" },
  { name: "linux-x64", platform: "linux", arch: "x64" },
  { name: "linux-arm64", platform: "linux", arch: "arm64" },
];

/** The target of the machine this runs on, or undefined where there is none. */
export function hostTarget() {
  return targets.find(({ platform, arch }) => platform === process.platform && arch === process.arch);
}

const windowsConsole = [
  "conpty.node",
  "conpty/OpenConsole.exe",
  "conpty/conpty.dll",
  "conpty_console_list.node",
  "pty.node",
  "winpty-agent.exe",
  "winpty.dll",
];

/** The native files of a target, as paths inside of the app. */
export function nativeFiles({ platform, arch }) {
  const prebuilt = `node_modules/node-pty/prebuilds/${platform}-${arch}`;
  const terminal = {
    darwin: [`${prebuilt}/pty.node`, `${prebuilt}/spawn-helper`],
    win32: windowsConsole.map((file) => `${prebuilt}/${file}`),
    linux: ["node_modules/node-pty/build/Release/pty.node"],
  };
  return [`node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`, ...terminal[platform]];
}

const elfMachines = { 62: "x64", 183: "arm64" };
const machMachines = { 16777223: "x64", 16777228: "arm64" };
const peMachines = { 34404: "x64", 43620: "arm64" };

/** Which system a native file was compiled for, such as "linux-x64"; undefined when it is none that we ship for. */
export function compiledFor(file) {
  const head = Buffer.alloc(4096);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  if (head.toString("latin1", 0, 4) === "\x7fELF") return named("linux", elfMachines[head.readUInt16LE(18)]);
  if (head.readUInt32LE(0) === 0xfeedfacf) return named("darwin", machMachines[head.readUInt32LE(4)]);
  const peAt = head.readUInt32LE(60);
  if (head.toString("latin1", 0, 2) === "MZ" && peAt < head.length - 6)
    return named("win32", peMachines[head.readUInt16LE(peAt + 4)]);
  return undefined;
}

function named(platform, arch) {
  return arch === undefined ? undefined : `${platform}-${arch}`;
}
