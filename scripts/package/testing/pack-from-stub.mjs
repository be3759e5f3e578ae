/** Packs a target with a stub in the place of Electron. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDir } from "../clean-build.mjs";
import { ownPtyNode, packApp, packageDir } from "../pack.mjs";
import { hostTarget } from "../targets.mjs";
import { makeStubElectron, stubElf } from "./stub-electron.mjs";

export const workDir = join(packageDir, "test");

/** Packs the clean build below `output`. @returns the app's folder */
export function packFromStub(target, output) {
  mkdirSync(output, { recursive: true });
  const electronDist = makeStubElectron(mkdtempSync(join(output, "electron-")), target);
  return packApp(target, { build: buildDir, output, electronDist, ptyNode: ptyNodeFor(target, output) });
}

/** The pty.node that was compiled here, and a stand-in for a Linux that is not this machine's. */
export function ptyNodeFor(target, output) {
  if (target.platform !== "linux" || target === hostTarget()) return ownPtyNode(target);
  const folder = join(output, `pty-${target.name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pty.node"), stubElf(target.arch));
  return folder;
}
