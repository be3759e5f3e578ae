/**
 * Makes the app's folder for all six targets, or those named, without the network. This machine's own target gets the
 * installed Electron where there is one; the others get a stub, to look at and not to run.
 */
import { join, relative } from "node:path";
import { main, report, root, SetupError } from "../setup/project.mjs";
import { buildClean, buildDir } from "./clean-build.mjs";
import { installedElectron, packApp, packageDir } from "./pack.mjs";
import { targets } from "./targets.mjs";
import { packFromStub } from "./testing/pack-from-stub.mjs";

await main(async (names) => {
  const known = targets.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new SetupError(`There is no target ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  await buildClean();
  const output = join(packageDir, "apps");
  for (const target of targets.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const electronDist = installedElectron(target);
    const folder = electronDist
      ? await packApp(target, { build: buildDir, output, electronDist })
      : await packFromStub(target, output);
    const kind = electronDist ? "with Electron" : "with a stub of Electron, which does not run";
    report(`${target.name}, ${kind}: ${relative(root, folder)}`);
  }
  return 0;
});
