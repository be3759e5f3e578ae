/** `npm run cli`: the command line, straight from the sources. */
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { become, node24Path } from "./setup/run.mjs";

await main(async (args) => {
  await ensureInstalled();
  const { code } = await become(node24Path(), [join(root, "src", "main", "cli", "cli.ts"), ...args]);
  return code;
});
