/** `npm run test:attack -- [--minutes N] [--seed N] [FILE…]`: the randomised attacks, for as long as one likes. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./setup/build.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { main, root } from "./setup/project.mjs";
import { node24Path, run } from "./setup/run.mjs";

const options = { minutes: { type: "string", default: "5" }, seed: { type: "string" } };

await main(async () => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  await ensureInstalled();
  await ensureBuilt();
  const env = { COUNTERSIGN_ATTACK_MINUTES: values.minutes };
  if (values.seed !== undefined) env.COUNTERSIGN_ATTACK_SEED = values.seed;
  return run(
    node24Path(),
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "attack", ...positionals],
    { env },
  );
});
