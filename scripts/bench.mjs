/** `npm run bench`: measures with the Node the app is made for, whatever `node` the shell finds. */
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { node24Path, run } from "./setup/run.mjs";

await main(async (args) => {
  await ensureInstalled();
  return run(node24Path(), [join(root, "bench", "run.ts"), ...args]);
});
