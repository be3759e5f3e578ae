/** Makes the app folder, or installers, for one target. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Arch, build, Platform } from "electron-builder";
import { electronPath } from "../setup/electron-binary.mjs";
import { cacheDir, root, SetupError } from "../setup/project.mjs";
import { packageConfig } from "./config.mjs";
import { compiledFor, hostTarget } from "./targets.mjs";

const platforms = { darwin: Platform.MAC, win32: Platform.WINDOWS, linux: Platform.LINUX };
const folders = { darwin: "mac", win32: "win", linux: "linux" };

/** What a folder of electron-builder is called for a target. */
export function appFolder(output, { platform, arch }) {
  const suffix = arch === "x64" ? "" : `-${arch}`;
  return join(output, `${folders[platform]}${suffix}${platform === "darwin" ? "" : "-unpacked"}`);
}

/**
 * Makes the app folder of a target below `output`, without installers and without the network.
 * @returns the folder
 */
export async function packApp(
  target,
  { build: buildDir, output, electronDist, ptyNode = ownPtyNode(target) },
) {
  rmSync(appFolder(output, target), { recursive: true, force: true });
  const config = packageConfig(target.platform, { build: buildDir, output, electronDist, ptyNode });
  await runBuilder([target], ["dir"], config);
  return appFolder(output, target);
}

/**
 * Runs electron-builder for targets of one system; `kinds` such as "deb", or none for all that the config names;
 * `prepackaged` is an app folder that was made before. @returns the files it made
 */
export async function runBuilder(wanted, kinds, config, prepackaged) {
  mkdirSync(config.directories.output, { recursive: true });
  // Where it is given no certificate it must not look for one in the keychain of whoever builds.
  if (!config.mac.notarize) process.env.CSC_IDENTITY_AUTO_DISCOVERY = "false";
  const arches = wanted.map(({ arch }) => Arch[arch]);
  const created = platforms[wanted[0].platform].createTarget(kinds, ...arches);
  return build({ targets: created, config: copyOf(config), prepackaged, projectDir: root, publish: "never" });
}

/** electron-builder writes into what it is given, and one that was used refuses to be used again. */
function copyOf(config) {
  const copies = Object.entries(config).map(([name, value]) => [
    name,
    typeof value === "function" ? value : structuredClone(value),
  ]);
  return Object.fromEntries(copies);
}

/** The Electron that is installed here, when it is the target's own; undefined otherwise. */
export function installedElectron(target) {
  if (target !== hostTarget() || electronPath() === undefined) return undefined;
  return process.env.ELECTRON_OVERRIDE_DIST_PATH || join(root, "node_modules", "electron", "dist");
}

/**
 * The folder of the pty.node that was compiled here. @throws SetupError when it is not one for the target
 */
export function ownPtyNode(target) {
  if (target.platform !== "linux") return undefined;
  const folder = join(root, "node_modules", "node-pty", "build", "Release");
  const file = join(folder, "pty.node");
  if (existsSync(file) && compiledFor(file) === `linux-${target.arch}`) return folder;
  throw new SetupError(
    `node-pty is compiled on Linux, and here it is not for ${target.name}. Package that target on such a machine.`,
  );
}

/** A folder of this project for what packaging makes. */
export const packageDir = join(cacheDir, "package");
