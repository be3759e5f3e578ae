/** The one package of Linux that is not made as electron-builder would make it. */
import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/project.mjs";
import { runBuilder } from "./pack.mjs";

/**
 * Makes the AppImage of an app folder. electron-builder's start script adds --no-sandbox where the system restricts user
 * namespaces, so a script of our own stands in the place of the program: it drops that word, or says why it cannot start.
 * @returns the files it made
 */
export async function makeAppImage(target, config, app) {
  const copy = `${app}-appimage`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(app, copy, { recursive: true, verbatimSymlinks: true });
  renameSync(join(copy, "countersign"), join(copy, "countersign-program"));
  cpSync(join(root, "packaging", "appimage-start"), join(copy, "countersign"));
  try {
    return await runBuilder([target], ["AppImage"], config, copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}
