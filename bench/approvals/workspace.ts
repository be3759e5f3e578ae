/** The folder in which the calls are judged: a small project under git, with a secret that git does not hold. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PolicyContext } from "../../src/main/policy/policy-context.ts";
import { makePolicyContext } from "../../src/main/rules/policy-context.ts";

const committed: Record<string, string> = {
  ".gitignore": ".env\nnode_modules\ndist\nnotes.txt\n",
  "AGENTS.md": "# For agents\n\nRun the tests.\n",
  "CHANGELOG.md": "# Changes\n\n## Unreleased\n\n## 1.2.0\n",
  "README.md": "# app\n\nA small service.\n",
  "docs/usage.md": "# Usage\n\nSet strict to keep blank lines.\n",
  "package.json":
    '{\n  "name": "app",\n  "version": "1.2.0",\n  "scripts": {\n    "test": "vitest run",\n    "lint": "eslint src",\n    "build": "node scripts/build.mjs"\n  }\n}\n',
  "run.sh": "#!/bin/sh\nnode dist/index.js\n",
  "scripts/build.mjs": "console.log(1);\n",
  "scripts/report.py": "print(1)\n",
  "src/auth.ts":
    "export function login(password: string, stored: string) {\n  return hash(password) === stored;\n}\n",
  "src/cli.ts": "const flags = {};\n",
  "src/config.ts": "export const config = { strict: false };\n",
  "src/count.ts": "export const count = (text: string) => text.length;\n",
  "src/index.ts": 'import { parse } from "./parse.ts";\nstart();\n',
  "src/log.ts":
    "const toIso = (at: number) => new Date(at).toISOString();\nvar level = 1;\nexport function log(level: any) {}\n",
  "src/old-lines.ts": "export const oldLines = 1;\n",
  "src/parse.ts": 'export function parse(text: string) {\n  return text.split("\\n");\n}\n',
  "test/auth.test.ts": 'it("refuses an empty password", () => {});\n',
  "test/parse.test.ts": 'import { parse } from "../src/parse.ts";\nconst file = "big.csv";\n',
  "test/slow.test.ts": 'it("is slow", () => {});\n',
  "test/fixtures/big.csv": "a,1\nb,2\n",
};
const uncommitted: Record<string, string> = {
  ".env": "API_KEY=sk-live-4f9a8c77\n",
  "build.log": "done\n",
  "notes.txt": "Mine alone.\n",
  "report.csv": "a,1\n",
};

export type BenchWorkspace = {
  workspace: string;
  dataDir: string;
  /** As the product sees a trusted folder for which there is no rule. */
  context: PolicyContext;
  remove(): void;
};

/** Makes it in a folder of its own below the system's temporary one. */
export function makeWorkspace(): BenchWorkspace {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), "countersign-approvals-")));
  const workspace = join(base, "app");
  write(workspace, committed);
  const env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: "1" };
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "--all"],
    [...author, "commit", "--quiet", "-m", "Begin"],
  ])
    execFileSync("git", args, { cwd: workspace, env, stdio: "pipe" });
  write(workspace, uncommitted);
  const dataDir = join(base, "data");
  mkdirSync(dataDir);
  const context = makePolicyContext({ workspace, dataDir, shell: "bash", trusted: true, rules: [] });
  return { workspace, dataDir, context, remove: () => rmSync(base, { recursive: true }) };
}

function write(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
