/** Checks who imports whom, and that the checker really saw the code: an empty cruise reports no violations either. */

import { createRequire } from "node:module";
import { cruise, format } from "dependency-cruiser";

const smallestPlausible = 150;
const config = createRequire(import.meta.url)("../.dependency-cruiser.cjs");

const result = await cruise(["src", "e2e", "bench"], {
  ruleSet: { forbidden: config.forbidden },
  validate: true,
  ...config.options,
});
const { totalCruised, error } = result.output.summary;
if (totalCruised < smallestPlausible) {
  console.error(`Only ${totalCruised} modules were looked at; the boundary check does not see the code.`);
  process.exit(1);
}
if (error > 0) {
  const report = await format(result.output, { outputType: "err" });
  console.error(report.output);
  process.exit(1);
}
console.log(`${totalCruised} modules keep to the boundaries.`);
