/** `npm run test:servers [-- -t NAME]`: a real LangGraph server, of exact versions, behind our side of its requests. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./setup/install.mjs";
import { installAside } from "./setup/install-aside.mjs";
import { cacheDir, main, report, root } from "./setup/project.mjs";
import { runProject } from "./setup/run.mjs";

const list = join(root, "src/main/agents/servers/testing/real-server.json");
const program = "node_modules/@langchain/langgraph-api/package.json";

await main(async (args) => {
  await ensureInstalled();
  const text = readFileSync(list, "utf8");
  const packages = JSON.parse(text);
  const [version] = packages.filter((one) => one.startsWith("@langchain/langgraph-api@"));
  // Another list is installed beside the one before.
  const place = join(cacheDir, "servers", createHash("sha256").update(text).digest("hex").slice(0, 12));
  report(`installing ${version}`);
  const problem = await installAside({ place, packages, program });
  if (problem === undefined) return runProject("servers", args, { COUNTERSIGN_SERVERS: place });
  console.log(`Skipped: ${version} cannot be installed here: ${problem}`);
  return 0;
});
