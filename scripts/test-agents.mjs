/** `npm run test:agents [-- -t NAME]`: real coding agents of others, of exact versions, over the Agent Client Protocol. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { cacheDir, main, report, root } from "./setup/project.mjs";
import { node24Path, npmCommand, run, runQuietly } from "./setup/run.mjs";

const folder = join(cacheDir, "agents");
const list = join(root, "src/main/agents/acp/testing/real-agents.json");
/** Some hundred megabytes each; one that takes longer is left out. */
const installMs = 15 * 60_000;

await main(async (args) => {
  if (process.platform === "win32") {
    console.log("Skipped: none of these agents was tried on Windows.");
    return 0;
  }
  await ensureInstalled();
  const agents = JSON.parse(readFileSync(list, "utf8"));
  for (const agent of agents) {
    const problem = await install(agent);
    if (problem !== undefined) console.log(`${agent.name} ${agent.version} is left out: ${problem}`);
  }
  return run(
    node24Path(),
    [
      join(root, "node_modules/vitest/vitest.mjs"),
      "run",
      "--project",
      "agents",
      "--reporter=verbose",
      ...args,
    ],
    { env: { COUNTERSIGN_AGENTS: folder } },
  );
});

/** Resolves to why it is not there. No package runs a script but the one that the list names. */
async function install({ id, version, package: name, program, setUp }) {
  const place = join(folder, `${id}-${version}`);
  if (existsSync(join(place, program))) return undefined;
  report(`installing ${name}@${version}`);
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const signal = AbortSignal.timeout(installMs);
  const words = ["install", "--prefix", fresh, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  const installed = await runQuietly({ ...npmCommand([...words, `${name}@${version}`]), signal });
  if (installed.code !== 0) return lastLine(installed.output);
  if (setUp !== undefined) {
    const prepared = await runQuietly({ program: node24Path(), args: [join(fresh, setUp)], signal });
    if (prepared.code !== 0) return lastLine(prepared.output);
  }
  if (!existsSync(join(fresh, program))) return `the package has no ${program}`;
  renameSync(fresh, place);
  return undefined;
}

const lastLine = (text) => text.trim().split("\n").at(-1) || "npm ended without a word";
