/** Builds into out/ when the sources changed since the last build. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { withProgress } from "./progress.mjs";
import { cacheDir, hash, report, root, SetupError } from "./project.mjs";
import { node24Path, runQuietly } from "./run.mjs";

const stampFile = join(cacheDir, "build.stamp");
const outDir = join(root, "out");
const products = ["main/index.js", "main/serve.js", "preload/index.cjs", "renderer/index.html"];
const staleMs = 7 * 24 * 3_600_000;

/** Builds when needed, or always with `force`. @throws SetupError when the build fails. */
export async function ensureBuilt({ force = false } = {}) {
  if (!force && isBuilt(hashSources())) return;
  await withLock(join(cacheDir, "setup.lock"), async () => {
    const sources = hashSources();
    if (!force && isBuilt(sources)) return;
    report("building");
    rmSync(stampFile, { force: true });
    const cli = join(root, "node_modules", "electron-vite", "bin", "electron-vite.js");
    const args = [cli, "build", "--logLevel", "warn"];
    const work = (signal) => runQuietly({ program: node24Path(), args, signal });
    const { result } = await withProgress({ what: "building", work });
    process.stderr.write(result.output);
    const missing = products.filter((product) => !existsSync(join(outDir, product)));
    if (result.code !== 0 || missing.length > 0) {
      const what = missing.length > 0 ? ` (missing: ${missing.join(", ")})` : "";
      throw new SetupError(
        `The build failed${what}; its output is above. Mend that, then run the same command again.`,
      );
    }
    removeStaleFiles();
    mkdirSync(cacheDir, { recursive: true });
    writeFileSync(stampFile, sources);
  });
}

function isBuilt(sources) {
  return (
    existsSync(stampFile) &&
    readFileSync(stampFile, "utf8") === sources &&
    products.every((product) => existsSync(join(outDir, product)))
  );
}

function hashSources() {
  const files = ["package.json", "package-lock.json", "electron.vite.config.ts", "tsconfig.base.json"];
  files.push(join(root, "scripts/build/package-parts.mjs"));
  for (const entry of readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name)) files.push(join(entry.parentPath, entry.name));
  }
  const parts = files.sort().flatMap((file) => {
    const path = file.startsWith(root) ? file : join(root, file);
    return [path.slice(root.length), readFileSync(path)];
  });
  return hash(...parts);
}

/** The build leaves older chunks for hosts that still run from them; a week later nobody does. */
function removeStaleFiles() {
  for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && Date.now() - statSync(file).mtimeMs > staleMs) rmSync(file);
  }
}
