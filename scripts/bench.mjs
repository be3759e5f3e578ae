// Starts bench/run.ts with the Node version the project ships, whatever `node` the shell finds.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bundled = join(root, "node_modules", ".bin", "node");
const node = existsSync(bundled) ? bundled : process.execPath;
const script = join(root, "bench", "run.ts");
const { status, error } = spawnSync(node, [script, ...process.argv.slice(2)], { stdio: "inherit" });
if (error) {
  console.error(`Cannot start ${node}: ${error.message}. Run npm ci first.`);
}
process.exitCode = status ?? 1;
