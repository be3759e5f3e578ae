/** Gets the bubblewrap that tests of confined commands need, where we may install it; where not, it says why they are left out. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { report } from "./project.mjs";
import { installBySystem } from "./system-packages.mjs";

/** Where the app looks for it. */
const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];
const namespaces = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-net",
  "--ro-bind",
  "/",
  "/",
  "--proc",
  "/proc",
];

/** Why it confines nothing here, or undefined. */
export function whyNotConfined(candidates = places) {
  const program = candidates.find((path) => existsSync(path));
  if (program === undefined) return "bubblewrap is not installed (sudo apt install bubblewrap)";
  const { status, stderr } = spawnSync(program, [...namespaces, "true"], { encoding: "utf8" });
  return status === 0 ? undefined : `bubblewrap does not start here (${String(stderr).trim()})`;
}

/** What needs it leaves itself out where it cannot be had, so that this never fails. */
export async function ensureBubblewrap() {
  if (process.platform !== "linux") return;
  if (!places.some((path) => existsSync(path))) await installBySystem(["bubblewrap"]);
  const why = whyNotConfined();
  if (why !== undefined) report(`tests of confined commands are left out, because ${why}`);
}
