/** Installs packages of others for one kind of test, beside the project: whole, or not at all. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { node24Path, npmCommand, runQuietly } from "./run.mjs";

/** Some hundred megabytes each; one that takes longer is left out. */
const installMs = 15 * 60_000;

/**
 * Resolves to why they are not there. No package runs a script but the one that is named.
 * @param place the folder that they get; one that is there stays as it is
 * @param packages with their exact versions
 * @param program a file of theirs that has to be there
 */
export async function installAside({ place, packages, program, setUp }) {
  if (existsSync(join(place, program))) return undefined;
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const signal = AbortSignal.timeout(installMs);
  const words = ["install", "--prefix", fresh, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  const installed = await runQuietly({ ...npmCommand([...words, ...packages]), signal });
  if (installed.code !== 0) return lastLine(installed.output);
  if (setUp !== undefined) {
    const prepared = await runQuietly({ program: node24Path(), args: [join(fresh, setUp)], signal });
    if (prepared.code !== 0) return lastLine(prepared.output);
  }
  if (!existsSync(join(fresh, program))) return `the package has no ${program}`;
  renameSync(fresh, place);
  return undefined;
}

const lastLine = (text) => text.trim().split("\n").at(-1) || "npm ended without a word";
