/** `npm run test:pack`: the tests of packages for all six targets; `npm test` packs three. */
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { node24Path, run } from "./setup/run.mjs";

await main(async (args) => {
  await ensureInstalled();
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const env = { COUNTERSIGN_PACK: "all" };
  return run(node24Path(), [vitest, "run", "--project", "package", ...args], { env });
});
