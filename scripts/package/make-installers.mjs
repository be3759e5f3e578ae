/**
 * Makes the installers of this system into dist/: dmg and zip on macOS, nsis on Windows, each for both processors; deb,
 * rpm and AppImage on Linux for its own. Electron and the tools are downloaded. Secrets come from the environment;
 * without them the files are called -unsigned and the app in them does not update itself.
 */
import { join, relative } from "node:path";
import { main, report, root, SetupError } from "../setup/project.mjs";
import { buildClean, buildDir } from "./clean-build.mjs";
import { packageConfig } from "./config.mjs";
import { makeAppImage } from "./linux-packages.mjs";
import { appFolder, installedElectron, ownPtyNode, runBuilder } from "./pack.mjs";
import { azureOptions, canSign, publishedAt } from "./signing.mjs";
import { hostTarget, targets } from "./targets.mjs";

await main(async () => {
  const host = hostTarget();
  if (host === undefined) throw new SetupError("There are no installers for this system.");
  await buildClean();
  const config = packageConfig(host.platform, {
    build: buildDir,
    output: join(root, "dist"),
    electronDist: host.platform === "linux" ? installedElectron(host) : undefined,
    ptyNode: ownPtyNode(host),
    isSigned: canSign(host.platform, process.env),
    azure: azureOptions(process.env),
    ...publishedAt(process.env),
  });
  const made = host.platform === "linux" ? await forLinux(host, config) : await forBoth(host, config);
  for (const file of made) report(relative(root, file));
  return 0;
});

async function forLinux(host, config) {
  await runBuilder([host], ["dir"], config);
  const app = appFolder(config.directories.output, host);
  return [
    ...(await runBuilder([host], ["deb", "rpm"], config, app)),
    ...(await makeAppImage(host, config, app)),
  ];
}

function forBoth(host, config) {
  const both = targets.filter(({ platform }) => platform === host.platform);
  return runBuilder(both, [], config);
}
