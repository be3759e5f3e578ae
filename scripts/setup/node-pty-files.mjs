/** The files of node-pty that commands cannot do without, and the one that its package brings without its permission. */
import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Whether node-pty has its program for this machine: compiled here on Linux, brought along elsewhere. */
export function hasNodePty(modules) {
  const folder = join(modules, "node-pty");
  return [
    join("build", "Release", "pty.node"),
    join("prebuilds", `${process.platform}-${process.arch}`, "pty.node"),
  ].some((file) => existsSync(join(folder, file)));
}

/**
 * macOS starts every command through `spawn-helper`, which the package ships as a file that may not be executed. All of
 * them are mended, whatever this machine is: an app for macOS may be packed anywhere.
 */
export function makeSpawnHelpersExecutable(modules) {
  const prebuilds = join(modules, "node-pty", "prebuilds");
  if (!existsSync(prebuilds)) return;
  for (const name of readdirSync(prebuilds)) {
    const helper = join(prebuilds, name, "spawn-helper");
    if (existsSync(helper) && (statSync(helper).mode & 0o111) !== 0o111) chmodSync(helper, 0o755);
  }
}
