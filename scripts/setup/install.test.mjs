import { expect, it } from "vitest";
import { matchesLockFile } from "./install.mjs";

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
