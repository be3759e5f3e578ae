import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { styleOfCommands } from "../paths/own-style.ts";
import { lookAtDisk } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import { makeContext } from "./testing/make-context.ts";

let base: string;
let judge: (command: string) => string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "pattern-links-")));
  const app = join(base, "app");
  for (const folder of ["src", "docs", "deep/er"]) mkdirSync(join(app, folder), { recursive: true });
  mkdirSync(join(base, "outside"));
  for (const file of ["src/a.ts", "docs/a.md", "deep/er/x.txt", "../outside/secret.txt"])
    writeFileSync(join(app, file), "x\n");
  mkdirSync(join(app, "config"));
  writeFileSync(join(app, "config", "credentials.json"), "{}\n");
  symlinkSync("../../outside/secret.txt", join(app, "src", "out.ts"));
  symlinkSync("../config/credentials.json", join(app, "docs", "settings.txt"));
  symlinkSync("../outside", join(app, "away"));
  symlinkSync("deep/er", join(app, "near"));
  symlinkSync("er/x.txt", join(app, "deep", "same.txt"));
  symlinkSync("../outside/secret.txt", join(app, ".hidden.ts"));
  const paths = styleOfCommands(process.platform, "bash");
  const workspace = paths.fromNative(app);
  const context = makeContext({ workspace, cwd: workspace, ...lookAtDisk(workspace, paths) });
  judge = (command) => judgeCommand(command, context).verdict;
});
afterAll(() => rmSync(base, { recursive: true }));

it.each([
  "cat src/*",
  "cat src/*.ts",
  "cat src/o?t.ts",
  "cat src/ou[t].ts",
  "cat src/ou*.ts",
  "cat */out.ts",
  "cd src && head *",
  'for f in src/*; do cat "$f"; done',
  "cat docs/*.txt",
  "ls a*",
  "wc -l near*/x.txt",
  "cat n*/*",
  "cat .hid*",
  "grep x src/*",
  "cat missing/*",
])("asks where a pattern meets a link that leads elsewhere: %s", (command) => {
  expect(judge(command)).toBe("ask");
});

it.each([
  "cat src/?.ts",
  "cat docs/*.md",
  "cat deep/*.txt",
  "head -n 1 deep/*.txt",
  "echo src/*",
  'for f in src/*; do echo "$f"; done',
  "ls *.ts",
])("runs where it meets none, or one that stays here: %s", (command) => {
  expect(judge(command)).toBe("safe");
});

it.each([
  "echo away/*",
  "echo */*",
  "basename -a */outside/*",
  "type */*",
  'for f in */*; do echo "$f"; done',
  'for f in */*; do echo "== $f"; done',
  'for f in away/*; do printf "%s\\n" "x$f"; done',
  "printf '%s\\n' away/*",
])("asks where a pattern lists names behind a link: %s", (command) => {
  expect(judge(command)).toBe("ask");
});

const unnamed = ["wc -l", "stat -L", "file -L", "du -L", "realpath", "ls -lL"];
const mayBeLinks = [
  "",
  "-name 'o*.ts'",
  "-type l",
  "-type f,l",
  "! -type d",
  "-type f -o -type l",
  "-xtype f",
];
it.each(
  mayBeLinks.flatMap((tests) =>
    unnamed.flatMap((tool) => [`find src ${tests} -exec ${tool} {} +`, `find src ${tests} | xargs ${tool}`]),
  ),
)("asks where find hands a link on: %s", (command) => {
  expect(judge(command)).toMatch(/^(?:ask|new)$/);
});

it.each([
  "find src -type f -exec wc -l {} +",
  "find src -name '*.ts' -type f | xargs wc -l",
  "find deep -exec wc -l {} +",
  "find deep/er | xargs stat -L",
  "find src -type f -name '*.ts' -exec cat {} +",
  "echo src/*.ts",
  'for f in deep/er/*; do echo "== $f"; head -3 "$f"; done',
  "diff -q --no-dereference src docs",
])("runs where find hands on no link, or only such that stay here: %s", (command) => {
  expect(judge(command)).toBe("safe");
});

it.each([
  "diff src docs",
  "diff -q src docs",
  "diff -rq src docs",
  "diff -rN src docs",
  "ls -RL .",
  "ls -L",
  "ls -lL src",
  "dir -L",
  "vdir -L src",
  "ls --dereference -l src",
  "du -aL .",
  "tree -l",
  "find src -readable",
  "find src -printf %Y",
])("asks where folders are gone through with their links: %s", (command) => {
  expect(judge(command)).toBe("ask");
});

it.each(["diff -rq deep/er deep/er", "ls -R .", "ls -lL deep", "vdir -L deep/er", "du -a ."])(
  "lists and compares unasked where no link is followed: %s",
  (command) => {
    expect(judge(command)).toBe("safe");
  },
);

it.each([
  "sort names.txt",
  "sort - names.txt",
  "head names.txt",
  "tail -n 1 names.txt",
  "uniq names.txt",
  "sort | uniq names.txt",
  "head -c 9",
  "head -v",
  "tail -c 9",
  "uniq -c",
  "sort -o names.txt",
  "sort -n 5",
  "head -z -n 2",
])("asks where xargs may be given other names than those that were found: … | %s | xargs", (filter) => {
  expect(judge(`find deep/er -type f | ${filter} | xargs ls -l`)).toBe("ask");
});

it.each(["sort", "sort -ru", "head -3", "head -n 3", "tail --lines=2", "sort | uniq -u | head -n1"])(
  "lets xargs tell of names that were only arranged or left out: … | %s | xargs",
  (filter) => {
    expect(judge(`find deep/er -type f | ${filter} | xargs ls -l`)).toBe("safe");
  },
);

it("lets xargs find words in program text alone, as find itself may", () => {
  expect(judge("find deep/er -type f -name '*.ts' | xargs grep -l foo")).toBe("safe");
  expect(judge("find deep/er -type f -name '*.ts' -print | xargs grep -l foo")).toBe("safe");
  expect(judge("find deep/er -type f | xargs grep -l foo")).toBe("ask");
  expect(judge("find deep/er -type f -name '*.ts' | xargs grep -c foo -drecurse")).toBe("ask");
});

it.each(["-print -type f -name '*.ts'", "-type f -print -name '*.ts'", "-name '*.ts' -print0 -type f"])(
  "holds find's tests for none of what it printed before: %s",
  (tests) => {
    expect(judge(`find deep/er ${tests} | xargs cat`)).toBe("ask");
  },
);
