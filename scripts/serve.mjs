/** `npm run serve`: sets up quietly, then is the browser-mode host; stdout is the host's alone. */
import { ensureBuilt } from "./setup/build.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { main } from "./setup/project.mjs";
import { serveHost } from "./setup/serve-host.mjs";

await main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  return serveHost(args);
});
