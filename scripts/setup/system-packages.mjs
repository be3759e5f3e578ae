/** Programs that the tests need and the system's own package manager has: installed where we may, which is as root. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { report } from "./project.mjs";
import { run } from "./run.mjs";

const timeoutMs = 10 * 60_000;
const systemManagers = [
  {
    file: "/usr/bin/apt-get",
    prepare: ["update", "-qq"],
    install: ["install", "-y", "-qq", "--no-install-recommends"],
    env: { DEBIAN_FRONTEND: "noninteractive" },
  },
  { file: "/usr/bin/dnf", install: ["install", "-y", "-q"] },
  { file: "/sbin/apk", install: ["add", "--quiet"] },
];

/**
 * Installs the first of these packages that the system has; nothing where we may not. The caller sees whether it is there then.
 * @param names the second is tried where the first is no package
 */
export async function installBySystem(
  names,
  { isRoot = process.platform === "linux" && process.getuid() === 0, managers = systemManagers } = {},
) {
  const manager = managers.find(({ file }) => existsSync(file));
  if (!isRoot || manager === undefined) return;
  const ask = (args) => run(manager.file, args, { stdout: "stderr", timeoutMs, env: manager.env });
  if (manager.prepare !== undefined) await ask(manager.prepare);
  for (const name of names) {
    report(`installing ${name} with ${basename(manager.file)}`);
    if ((await ask([...manager.install, name])) === 0) return;
  }
}
