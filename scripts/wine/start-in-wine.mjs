/** Starts Windows' Node under Wine, with the project as drive Z: has it, and waits for its end. */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { root } from "../setup/project.mjs";

// A file has many tests; one that takes longer than this hangs.
const fileGuardMs = 10 * 60_000;

/** The environment in which Wine uses our Windows only and keeps its own complaints to itself. */
export function wineEnv({ prefix }) {
  return { WINEPREFIX: prefix, WINEDEBUG: "-all", WINEDLLOVERRIDES: "mscoree,mshtml=" };
}

/** How Windows' programs name a path of this system. */
export function windowsPath(path) {
  return `Z:${path.replaceAll("/", "\\")}`;
}

/** Runs a script with arguments; what it says goes to the log file. Resolves to how it ended, in words. */
export function startInWine(wine, args, log) {
  const output = openSync(log, "w");
  const child = spawn("wine", [wine.program, ...args], {
    cwd: root,
    env: { ...process.env, ...wineEnv(wine) },
    // Windows' Node can open neither a terminal nor a pipe of this system as its input.
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const guard = setTimeout(() => child.kill("SIGKILL"), fileGuardMs);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `${signal}, as it did not end by itself`),
    );
  }).finally(() => clearTimeout(guard));
}

/** Ends whatever still runs in our Windows. */
export function endWine(wine) {
  spawnSync("wineserver", ["--kill"], { env: { ...process.env, ...wineEnv(wine) } });
}
