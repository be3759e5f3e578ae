/** Which tests are worth running in Windows' Node: those of paths, files, data and judgements, which need no program. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Folders and files below the root. */
export const places = [
  "src/main/policy",
  "src/main/paths",
  "src/main/files",
  "src/main/storage",
  "src/main/agent-files",
  "src/main/shell/environment.test.ts",
  "src/main/shell/find-command-shell.test.ts",
  "src/main/shell/shell-arguments.test.ts",
  "src/main/shell/windows-table.test.ts",
  "src/main/shell/late-facts.test.ts",
  "src/main/base/data-dir.test.ts",
  "src/main/settings/key-store.test.ts",
];

/** Their paths below the root, with `/`, in a fixed order. A place that is not there yet is none. */
export function testFiles(root) {
  return places.filter((place) => existsSync(join(root, place))).flatMap((place) => filesIn(root, place));
}

function filesIn(root, place) {
  if (statSync(join(root, place)).isFile()) return [place];
  return readdirSync(join(root, place), { recursive: true })
    .map((name) => `${place}/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts") && !path.endsWith(".bsd.test.ts"))
    .sort();
}
