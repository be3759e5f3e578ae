/** `npm run dist`: the installers of the system this runs on. */
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { node24Path, run } from "./setup/run.mjs";

await main(async (args) => {
  await ensureInstalled();
  return run(node24Path(), [join(root, "scripts", "package", "make-installers.mjs"), ...args]);
});
