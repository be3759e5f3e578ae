import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { root } from "../setup/project.mjs";

const isTest = /\.test\.tsx?$/;
const inTesting = /\/testing\//;
/** Programs and tests of their own: nothing in `src` imports them. */
const outside = ["e2e", "fault", "attack", "bench", "scripts"];
/** No code imports what a system starts. */
const isLauncher = /^src\/main\/(index|serve|run)\.ts$/;
const imported = /(?:from |import\(|import )\s*"(\.{1,2}\/[^"]+)"/g;

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .filter((name) => /\.(tsx?|mjs)$/.test(name));
}

/** The files of `src` that stand beside product code and serve tests alone. */
function findStray(files, textOf) {
  const importers = new Map();
  for (const file of files)
    for (const [, path] of textOf(file).matchAll(imported)) {
      const target = normalize(join(dirname(file), path)).replaceAll("\\", "/");
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  const serves = (file) => isTest.test(file) || inTesting.test(file) || !file.startsWith("src/");
  return files.filter(
    (file) =>
      file.startsWith("src/") &&
      !serves(file) &&
      !isLauncher.test(file) &&
      (/from "vitest/.test(textOf(file)) ||
        (importers.has(file) &&
          importers.get(file).every(serves) &&
          importers.get(file).some((importer) => importer.startsWith("src/")))),
  );
}

it("knows furniture by who imports it", () => {
  const texts = {
    "src/a/part.ts": "",
    "src/a/whole.ts": 'import "./part.ts";',
    "src/a/part.test.ts": 'import "./part.ts"; import "./server.ts"; import "./testing/double.ts";',
    "src/a/server.ts": "",
    "src/a/helper.ts": 'import { it } from "vitest";',
    "src/a/testing/double.ts": "",
    "bench/a.ts": 'import "../src/a/whole.ts";',
  };
  expect(findStray(Object.keys(texts), (file) => texts[file])).toEqual([
    "src/a/server.ts",
    "src/a/helper.ts",
  ]);
});

it("keeps what serves tests alone in a folder of that name", () => {
  const files = ["src", ...outside].flatMap(filesIn);
  expect(findStray(files, (file) => readFileSync(join(root, file), "utf8"))).toEqual([]);
});
