/** Gets the bubblewrap that tests of confined commands need, where we may install it; elsewhere they say why they are left out. */
import { existsSync } from "node:fs";
import { installBySystem } from "./system-packages.mjs";

/** Where the app looks for it. */
const places = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];

export async function ensureBubblewrap() {
  if (process.platform === "linux" && !places.some((path) => existsSync(path)))
    await installBySystem(["bubblewrap"]);
}
