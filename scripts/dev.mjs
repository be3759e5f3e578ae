/** `npm run dev`: the console in the browser with hot reload; no Electron needed. */
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { become, node24Path } from "./setup/run.mjs";

await main(async (args) => {
  await ensureInstalled();
  const { code } = await become(node24Path(), [join(root, "scripts", "dev-server.mjs"), ...args], {
    channel: true,
  });
  return code;
});
