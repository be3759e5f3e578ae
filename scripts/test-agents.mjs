/** `npm run test:agents [-- -t NAME]`: real coding agents of others, of exact versions, over the Agent Client Protocol. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { installAside } from "./setup/install-aside.mjs";
import { cacheDir, main, report, root } from "./setup/project.mjs";
import { runProject } from "./setup/run.mjs";

const folder = join(cacheDir, "agents");
const list = join(root, "src/main/agents/acp/testing/real-agents.json");

await main(async (args) => {
  if (process.platform === "win32") {
    console.log("Skipped: none of these agents was tried on Windows.");
    return 0;
  }
  await ensureInstalled();
  const agents = JSON.parse(readFileSync(list, "utf8"));
  for (const { id, name, version, package: from, program, setUp } of agents) {
    report(`installing ${from}@${version}`);
    const place = join(folder, `${id}-${version}`);
    const problem = await installAside({ place, packages: [`${from}@${version}`], program, setUp });
    if (problem !== undefined) console.log(`${name} ${version} is left out: ${problem}`);
  }
  return runProject("agents", args, { COUNTERSIGN_AGENTS: folder });
});
