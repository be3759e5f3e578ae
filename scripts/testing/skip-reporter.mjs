/** Says at the end of a run by hand why tests were left out; `npm test` says it for all of its runs at once. */
import { relative, sep } from "node:path";
import { nameSkips } from "../setup/summary.mjs";
import { judgeSkips, readAllowedSkips } from "./allowed-skips.mjs";

export default class SkipReporter {
  onInit(vitest) {
    this.vitest = vitest;
  }

  onTestRunEnd(modules) {
    // With a pattern, most tests are left out because somebody wanted it so.
    if (this.vitest.config.testNamePattern) return;
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map((test) => ({
        file: relative(this.vitest.config.root, module.moduleId).split(sep).join("/"),
        name: test.fullName,
        status: "skipped",
      })),
    );
    const { judged, allowedBy } = judgeSkips(skipped, readAllowedSkips(process.platform));
    const unlisted = judged.filter(({ status }) => status === "failed");
    const lines =
      nameSkips(allowedBy) + unlisted.map(({ file, name, why }) => `\n${file} > ${name}: ${why}`).join("");
    if (lines !== "") console.log(lines);
  }
}
