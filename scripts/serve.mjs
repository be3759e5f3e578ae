/** `npm run serve`: sets up quietly, then is the browser-mode host; stdout is the host's alone. */
import { join } from "node:path";
import { ensureBuilt } from "./setup/build.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { become, node24Path } from "./setup/run.mjs";

await main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  const { code } = await become(node24Path(), [join(root, "out", "main", "serve.js"), ...args], {
    channel: true,
  });
  return code;
});
