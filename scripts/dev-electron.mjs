/** `npm run dev:electron`: the desktop app with hot reload, on data and a build of its own. */
import { join } from "node:path";
import { ensureElectron } from "./setup/electron-binary.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { cacheDir, main, root, SetupError } from "./setup/project.mjs";
import { become, node24Path } from "./setup/run.mjs";

/** Apart from `out`, so that what is half built is not taken for the built app. */
const outDir = join(cacheDir, "dev-out");

await main(async (args) => {
  await ensureInstalled();
  const { path: electron, problem } = await ensureElectron({ force: true });
  if (electron === undefined)
    throw new SetupError(`${problem}. \`npm run dev\` shows the console without it.`);
  const program = join(root, "node_modules", "electron-vite", "bin", "electron-vite.js");
  const own = args.includes("--data-dir") ? [] : ["--data-dir", join(cacheDir, "dev-data")];
  const build = ["--outDir", outDir, "--entry", join(outDir, "main", "index.js")];
  // Set by some editors' terminals; it would turn Electron into a plain Node.
  const env = { ELECTRON_EXEC_PATH: electron, ELECTRON_RUN_AS_NODE: undefined };
  const { code } = await become(node24Path(), [program, "dev", ...build, "--", ...own, ...args], {
    env,
    cwd: root,
  });
  return code;
});
