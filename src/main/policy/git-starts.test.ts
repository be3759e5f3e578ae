/** Whatever real git starts for a reading, because settings or those of a submodule name it, that reading is not safe. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildEnvironment } from "../shell/environment.ts";
import { commit, git, makeRepository, verdictIn } from "./testing/git-repository.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "git-starts-")));
const marker = join(base, "ran");
const names = `touch '${marker}'; cat`;
const roots: string[] = [];
afterAll(() => {
  for (const folder of [base, ...roots]) rmSync(folder, { recursive: true });
});

const readings = [
  ...["status", "status --short", "diff", "diff --stat", "diff --name-only", "diff --quiet", "diff HEAD"],
  ...[
    "diff --no-ext-diff --no-textconv",
    "diff --no-ext-diff --no-textconv --submodule=diff",
    "blame src/a.ts",
  ],
  ...[
    "log -1 -p --submodule=diff",
    "log -1 -p --no-ext-diff --no-textconv --submodule=diff",
    "show",
    "ls-files",
  ],
  ...["ls-files -m", "diff --cached", "log --oneline", "branch -vv", "grep export -- src", "rev-parse HEAD"],
  ...["show HEAD:src/a.ts", "cat-file -p HEAD:src/a.ts", "describe --always", "check-ignore src/a.ts"],
].map((words) => `git ${words}`);

function starts(folder: string, command: string): boolean {
  rmSync(marker, { force: true });
  // As somebody saves it again: git no longer knows that it is what it was.
  rmSync(join(folder, "src/a.ts"));
  writeFileSync(join(folder, "src/a.ts"), "export {};\n");
  const inherited = { PATH: process.env.PATH ?? "", HOME: base };
  const env = buildEnvironment({ inherited, extra: {}, executionId: "starts" });
  try {
    execFileSync("git", command.split(" ").slice(1), { cwd: folder, env, stdio: "ignore" });
  } catch {
    // Some say by their end that there is a difference.
  }
  return existsSync(marker);
}

function makeWith(attributes: string, settings: readonly string[]): string {
  const folder = makeRepository();
  roots.push(folder);
  writeFileSync(join(folder, ".gitattributes"), attributes);
  commit(folder, "first");
  for (const name of settings) git(folder, "config", name, names);
  return folder;
}

let plain: string;
let filtered: string;
let outer: string;
beforeAll(() => {
  plain = makeWith("*.ts filter=tidy\n", []);
  filtered = makeWith("*.ts filter=tidy\n", ["filter.tidy.clean"]);
  outer = makeWith("", []);
  git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", plain, "inner");
  commit(outer, "with it");
  const inner = join(outer, "inner");
  for (const name of ["filter.tidy.clean", "diff.external"]) git(inner, "config", name, names);
  mkdirSync(join(inner, "more"));
  writeFileSync(join(inner, "src/a.ts"), "export { };\n");
  commit(inner, "second");
  commit(outer, "with the second");
  writeFileSync(join(inner, "src/a.ts"), "export  {};\n");
});

it.each([
  ["a filter", () => filtered],
  ["a submodule's filter and its program for differences", () => outer],
])("holds back each reading that starts %s", (_, folder) => {
  const started = readings.filter((command) => starts(folder(), command));
  expect(started.length).toBeGreaterThan(3);
  expect(started.filter((command) => verdictIn(folder(), command) === "safe")).toEqual([]);
  for (const command of ["git log --oneline", "git branch -vv", "git rev-parse HEAD", "git ls-files"])
    expect([command, verdictIn(folder(), command)]).toEqual([command, "safe"]);
});

it("leaves readings alone where the settings name nothing, or git-lfs just as it sets itself up", () => {
  const all = () => readings.map((command) => verdictIn(plain, command));
  expect(all()).toEqual(readings.map(() => "safe"));
  git(plain, "config", "filter.lfs.clean", "git-lfs clean -- %f");
  git(plain, "config", "filter.lfs.process", "git-lfs filter-process");
  expect(all()).toEqual(readings.map(() => "safe"));
  git(plain, "config", "lfs.extension.x.clean", "tool");
  expect(verdictIn(plain, "git status")).toBe("new");
  git(plain, "config", "--unset", "lfs.extension.x.clean");
  for (const other of ["git-lfs clean -- %f; tool", "git-lfs clean -- %f | tool", "./git-lfs clean -- %f"]) {
    git(plain, "config", "filter.lfs.clean", other);
    expect([other, verdictIn(plain, "git status")]).toEqual([other, "new"]);
  }
});
