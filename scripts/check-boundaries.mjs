/** Checks who imports whom, and that the checker really saw the code: an empty cruise reports no violations either. */
import { createRequire } from "node:module";
import { ensureInstalled } from "./setup/install.mjs";
import { main, SetupError } from "./setup/project.mjs";

const smallestPlausible = 150;

await main(async () => {
  await ensureInstalled();
  const { cruise, format } = await import("dependency-cruiser");
  const config = createRequire(import.meta.url)("../.dependency-cruiser.cjs");
  const result = await cruise(["src", "e2e", "bench"], {
    ruleSet: { forbidden: config.forbidden },
    validate: true,
    ...config.options,
  });
  const { totalCruised, error } = result.output.summary;
  if (totalCruised < smallestPlausible)
    throw new SetupError(
      `Only ${totalCruised} modules were looked at; the boundary check does not see the code.`,
    );
  if (error === 0) {
    console.log(`${totalCruised} modules keep to the boundaries.`);
    return 0;
  }
  console.error((await format(result.output, { outputType: "err" })).output);
  return 1;
});
