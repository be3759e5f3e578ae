import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { installSteps, matchesLockFile } from "./install.mjs";
import { root } from "./project.mjs";

const locked = {
  packages: {
    "": { name: "countersign" },
    "node_modules/a": { version: "1.0.0" },
    "node_modules/only-elsewhere": { version: "2.0.0", optional: true },
  },
};
const installed = (packages) => ({ packages });

it("takes an install made by hand as it is when every version is the locked one", () => {
  expect(matchesLockFile(locked, installed({ "node_modules/a": { version: "1.0.0" } }))).toBe(true);
});

it.each([
  ["another version", { "node_modules/a": { version: "1.0.1" } }],
  ["a missing package", {}],
  [
    "another version of an optional one",
    { "node_modules/a": { version: "1.0.0" }, "node_modules/only-elsewhere": { version: "2.0.1" } },
  ],
])("installs again for %s", (_name, packages) => {
  expect(matchesLockFile(locked, installed(packages))).toBe(false);
});

it("installs when nothing is there", () => {
  expect(matchesLockFile(locked, undefined)).toBe(false);
});

/** A project with small packages of these names, of which each looks as if it had to be compiled. */
function makeProject(names) {
  const folder = mkdtempSync(join(tmpdir(), "countersign installé "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
  const lock = { "": { dependencies: {} } };
  for (const name of names) {
    mkdirSync(join(folder, "source", "package"), { recursive: true });
    // The real packages ask for node and npm by name, too.
    const scripts = { install: `npm --version && node -e "fs.writeFileSync('has-run', '')"` };
    const files = {
      "package.json": JSON.stringify({ name, version: "1.0.0", scripts }),
      "binding.gyp": "{}",
    };
    // As npm has it in the lock file, which says only that there is something to run.
    if (name === "better-sqlite3") files["package.json"] = JSON.stringify({ name, version: "1.0.0" });
    for (const [file, text] of Object.entries(files))
      writeFileSync(join(folder, "source", "package", file), text);
    execFileSync("tar", ["-czf", join(folder, `${name}.tgz`), "-C", join(folder, "source"), "package"]);
    lock[""].dependencies[name] = `file:${name}.tgz`;
    lock[`node_modules/${name}`] = { version: "1.0.0", resolved: `file:${name}.tgz`, hasInstallScript: true };
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, ...lock[""] }));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages: lock }),
  );
  mkdirSync(join(folder, "bin"));
  symlinkSync("/bin/sh", join(folder, "bin", "sh"));
  return folder;
}

/** The real npm, offline, as set-up starts it where PATH has a shell and neither npm nor node. */
function npmIn(folder, args) {
  const npm =
    process.env.npm_execpath ?? realpathSync(execFileSync("which", ["npm"], { encoding: "utf8" }).trim());
  const env = {
    PATH: join(folder, "bin"),
    HOME: folder,
    npm_execpath: npm,
    npm_config_offline: "true",
    npm_config_prefix: folder,
  };
  const start = `import { runNpm } from ${JSON.stringify(join(folder, "scripts", "setup", "install.mjs"))};
    const { code, output } = await runNpm(${JSON.stringify(args)});
    process.stdout.write(output);
    process.exitCode = code;`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", start], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
}

it.skipIf(process.platform === "win32")(
  "lets no package run a script but the two that need theirs, so that a machine without a compiler can set up",
  () => {
    const names = ["better-sqlite3", "node", "node-pty", "other"];
    const folder = makeProject(names);
    for (const { args } of installSteps({ isLocked: false, hasNode24: false })) {
      const { status, stdout } = npmIn(folder, args);
      expect([args[0], status, stdout]).toEqual([args[0], 0, expect.anything()]);
    }
    const hasRun = (name) => existsSync(join(folder, "node_modules", name, "has-run"));
    expect(names.filter(hasRun)).toEqual(["node", "node-pty"]);
    // What npm does when it is told nothing.
    expect(npmIn(folder, ["ci", "--foreground-scripts"])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining("node-gyp rebuild"),
    });
  },
);

it("takes only the steps that are left of a set-up that was broken off", () => {
  const steps = installSteps({ isLocked: true, hasNode24: false });
  expect(steps.map(({ args }) => args[1])).toEqual(["node"]);
  expect(installSteps({ isLocked: true, hasNode24: true })).toEqual([]);
});
