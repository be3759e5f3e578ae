import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./setup/project.mjs";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const all = { ...manifest.dependencies, ...manifest.devDependencies };

/** The names in the first column of the tables of docs/dependencies.md; a name with * stands for all that match. */
function documented() {
  const rows = readFileSync(join(root, "docs", "dependencies.md"), "utf8").match(/^\| `[^|]+\|/gm) ?? [];
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
}

describe("the list of dependencies", () => {
  it("names exactly those that are installed, each once", () => {
    const names = documented().flatMap((name) =>
      name.endsWith("*") ? Object.keys(all).filter((one) => one.startsWith(name.slice(0, -1))) : [name],
    );
    expect(names.sort()).toEqual(Object.keys(all).sort());
  });

  it("is exact: no range, and the lock file has that very version", () => {
    for (const [name, wanted] of Object.entries(all)) {
      // A second version of a package stands under a name of its own.
      const [, version] = /^(?:npm:[a-z/@-]+@)?(\d+\.\d+\.\d+)$/.exec(wanted) ?? [];
      expect(version, `${name} ${wanted}`).toBeDefined();
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });

  it("has two for run time, those with native code; all else is bundled", () => {
    expect(Object.keys(manifest.dependencies)).toEqual(["better-sqlite3", "node-pty"]);
  });
});
