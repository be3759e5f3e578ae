/** A build in a folder of its own that starts empty: `out/` keeps chunks of older builds, and none of them may ship. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { cacheDir, report, root, SetupError } from "../setup/project.mjs";
import { node24Path, run } from "../setup/run.mjs";

/** Where the clean build is. */
export const buildDir = join(cacheDir, "package", "build");
/** What is started by name; everything else is reached from here. */
const entries = ["main/index.js", "main/serve.js", "main/run.js", "preload/index.cjs", "renderer/index.html"];

/** Builds the app from nothing into `buildDir`. @throws SetupError when the build fails or left files nobody needs */
export async function buildClean() {
  report("building for the package");
  rmSync(buildDir, { recursive: true, force: true });
  const cli = join(root, "node_modules", "electron-vite", "bin", "electron-vite.js");
  const args = [cli, "build", "--outDir", buildDir, "--logLevel", "warn"];
  const code = await run(node24Path(), args, { stdout: "stderr" });
  if (code !== 0) throw new SetupError("The build failed; its output is above.");
  const unused = unreachable(buildDir);
  if (unused.length > 0)
    throw new SetupError(`The build holds files that nothing uses: ${unused.join(", ")}`);
}

/**
 * The files of a build that no entry leads to, by their names in the text of the files that are reached. A chunk
 * of an older build has a name that no newer file says.
 */
export function unreachable(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    );
  const left = new Set(files.filter((file) => !entries.includes(file)));
  const toRead = entries.filter((entry) => files.includes(entry));
  for (let file = toRead.pop(); file !== undefined; file = toRead.pop()) {
    if (!/\.(c?js|css|html)$/.test(file)) continue;
    const text = readFileSync(join(folder, file), "utf8");
    for (const other of left) {
      if (!text.includes(basename(other))) continue;
      left.delete(other);
      toRead.push(other);
    }
  }
  return [...left].sort();
}
