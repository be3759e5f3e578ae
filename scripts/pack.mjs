/** `npm run pack [target …]`: the app's folder for each system. */
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { node24Path, run } from "./setup/run.mjs";

await main(async (args) => {
  await ensureInstalled();
  return run(node24Path(), [join(root, "scripts", "package", "make-folders.mjs"), ...args]);
});
