/** What `node --check` prints of files, by the real Node in a real folder, and what of it runs unasked. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { lookAtDisk } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import { makeContext } from "./testing/make-context.ts";

const canary = "canary9c1f";
const isWindows = process.platform === "win32";
let workspace: string;

function put(path: string, text: string): void {
  const full = join(workspace, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

beforeAll(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "countersign-check-")));
  put(".env", `TOKEN = = ${canary}\n`);
  put("src/a.ts", "export const a = 1;\n");
  put("src/b.ts", "export const = 1;\n");
  put("docs/c.js", "const c = 1;\n");
  put("trap/t.js/package.json", '{"main":"../../.env"}');
  if (isWindows) return;
  mkdirSync(join(workspace, "named"));
  symlinkSync("../.env", join(workspace, "named", "package.json"));
  put("named/d.js", "const d = 1;\n");
  symlinkSync("../.env", join(workspace, "docs", "link.mjs"));
  symlinkSync("../.env", join(workspace, "docs", "gone.js.js"));
  symlinkSync("../trap/t.js", join(workspace, "docs", "folder.cjs"));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const judge = (command: string) =>
  judgeCommand(command, makeContext({ workspace, cwd: workspace, rules: [], ...lookAtDisk(workspace) }))
    .verdict;

it.each([
  "node --check src/a.ts",
  "node -c src/b.ts",
  "node --check docs/c.js",
  "for f in src/a.ts docs/c.js; do node --check $f; done",
  'for f in src/*.ts; do node --check "$f"; done',
])("runs %s unasked", (command) => {
  expect(judge(command)).toBe("safe");
});

it.skipIf(isWindows).each(["trap/t.js", "docs/link.mjs", "docs/gone.js", "docs/folder.cjs"])(
  "asks about %s, of which the real Node prints a secret",
  (file) => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--check", file], {
      cwd: workspace,
      encoding: "utf8",
    });
    expect(stdout + stderr).toContain(canary);
    expect(judge(`node --check ${file}`)).toBe("ask");
    expect(judge(`for f in ${dirname(file)}/*.${file.split(".").pop()}; do node --check $f; done`)).toBe(
      "ask",
    );
  },
);

it.skipIf(isWindows)("asks where what says which kind of program it is leads to a secret", () => {
  expect(judge("node --check named/d.js")).toBe("ask");
});

it.each([
  "node --check",
  "node --check .env",
  "node --check src/a",
  "node --check -r ./docs/c.js src/a.ts",
  "node --require=./docs/c.js --check src/a.ts",
  "node --check src/a.ts docs/c.js",
  "node --check ../outside.js",
  "node --check --eval=1.js",
  "node src/a.ts",
  "nodejs --check src/a.ts",
  "./node --check src/a.ts",
  "NODE_OPTIONS=--require=./docs/c.js node --check src/a.ts",
])("asks about %s", (command) => {
  expect(judge(command)).toBe("ask");
});
