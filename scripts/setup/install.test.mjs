import { expect, it } from "vitest";
import { installSteps, matchesLockFile } from "./install.mjs";

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

it("lets no package run a script but the two that need theirs, so that nothing is compiled without need", () => {
  const [install, ...rebuilds] = installSteps({ isLocked: false, hasNode24: false }).map(({ args }) => args);
  expect(install.slice(0, 2)).toEqual(["ci", "--ignore-scripts"]);
  expect(rebuilds.map(([command, name]) => `${command} ${name}`)).toEqual([
    "rebuild node",
    "rebuild node-pty",
  ]);
});

it("takes only the steps that are left of a set-up that was broken off", () => {
  const steps = installSteps({ isLocked: true, hasNode24: false });
  expect(steps.map(({ args }) => args[1])).toEqual(["node"]);
  expect(installSteps({ isLocked: true, hasNode24: true })).toEqual([]);
});
