/** The folder in which the person typed the command, where their relative paths begin. */
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * npm runs the scripts of a package in the package's folder, also where it was called from another one (`npm --prefix`,
 * or from a folder inside); it says in INIT_CWD which. Undefined where we run where the person stands.
 */
export function personFolder(root, env = process.env) {
  const folder = env.INIT_CWD;
  // A script of another package that called us leaves its own words in the environment.
  const isOurs = env.npm_package_json === join(root, "package.json");
  return isOurs && folder && existsSync(folder) ? folder : undefined;
}
