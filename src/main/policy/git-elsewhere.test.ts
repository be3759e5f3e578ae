/** Git's settings are read as git reads them, and where they or links among git's own files lead elsewhere no reading is safe. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { buildEnvironment } from "../shell/environment.ts";
import { readGitSettings } from "./git-settings.ts";
import { commit, git, makeRepository, verdictIn } from "./testing/git-repository.ts";
import { makeRandom } from "./testing/seeded-commands.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "git-elsewhere-")));
const root = makeRepository();
const secret = join(base, "secret.txt");
writeFileSync(secret, "outside\n");
writeFileSync(join(root, "revs"), "");
mkdirSync(join(base, "store/worktrees/app"), { recursive: true });
const config = join(root, ".git/config");
const first = readFileSync(config, "utf8");
afterAll(() => {
  for (const folder of [base, root]) rmSync(folder, { recursive: true });
});

const verdicts = (...commands: string[]) => commands.map((command) => verdictIn(root, command));

const parts = [
  ...['[filter "x"]', "[FILTER.x]", '[a "b]c"] clean = d', '[a "\\"]"]', "[core] # ]", "[b-1]bare"],
  ...[
    "clean = a",
    "Clean=b # c",
    "clean",
    'k = "a # b" ; c',
    "k = a\\\n[core]\n",
    "k = a \\\n  b",
    "k=a   b  ",
  ],
  ...[
    'k = ev"il".cfg',
    'k = "x\\\n y"',
    'k = a\\tb\\n\\\\\\"',
    "# k = v \\",
    "; [x]",
    "\t k\t=\tv",
    "k = \\\n",
    "k =",
  ],
  ...['k = " a "', "k = a\r", "n-1 = é", 'k = a"" b', "k = #", 'k = "" # x\\', "[c]"],
];

it("reads settings as git does, whatever is put behind each other", () => {
  const random = makeRandom(7);
  const files = Array.from({ length: 60 }, (_, at) => {
    const lines = Array.from({ length: 12 }, () => parts[Math.floor(random() * parts.length)]!);
    const path = join(base, `settings-${at}`);
    writeFileSync(path, `[first]\n${lines.join("\n")}\n`);
    return { path, text: `[first]\n${lines.join("\n")}\n` };
  });
  const all = 'for file; do git config --file "$file" --null --list; printf "\\1"; done';
  const said = execFileSync("bash", ["-c", all, "git", ...files.map(({ path }) => path)], { stdio: "pipe" });
  const asked = said.toString().split("\x01");
  const even = (text: string) => text.replace(/[ \t\r]/g, " ");
  for (const [at, { text }] of files.entries()) {
    const listed = asked[at]!.split("\0")
      .slice(0, -1)
      .map((each) => {
        const [name = "", ...value] = each.split("\n");
        return [name.split(".")[0], name.split(".").at(-1), even(value.join("\n"))];
      });
    expect([text, listed.length > 0]).toEqual([text, true]);
    const ours = readGitSettings(text).map(({ section, key, value }) => [section, key, even(value)]);
    expect([text, ours]).toEqual([text, listed]);
  }
});

const outside = ["/etc/passwd", "../../x", "~/x", "%(prefix)/x"];

it.each([
  ...[`[core]\nworktree = ${base}`, `[core]\nexcludesFile = ${secret}`, `[blame]\nignoreRevsFile=${secret}`],
  ...[`[diff]\norderFile = ${secret}`, "[mailmap]\nblob = HEAD:x", `[include]\npath = ${secret}`],
  ...["[lfs]\nstorage = ../../x"],
  ...outside.map((path) => `[core]\nattributesFile = ${path}`),
])("leads git elsewhere by %s", (text) => {
  appendFileSync(config, `\n${text}\n`);
  expect(verdicts("git status", "git diff", "git log", "git blame src/a.ts")).toEqual(Array(4).fill("new"));
  writeFileSync(config, first);
});

it("leads git nowhere by what repositories commonly hold", () => {
  appendFileSync(
    config,
    `\n[core]\nworktree = ${root}\nhooksPath = .husky/_\n[blame]\nignoreRevsFile = revs\n`,
  );
  appendFileSync(config, '[remote "o"]\nurl = x\n[pretty]\nx = %h %an\n[tag]\nsort = -version:refname\n');
  mkdirSync(join(root, ".git/info"), { recursive: true });
  expect(verdicts("git status", "git log", "git tag", "git blame src/a.ts")).toEqual(Array(4).fill("safe"));
  writeFileSync(config, first);
});

it.each(["[format]\npretty = %h %G?", "[pretty]\nx = %+GS", "[branch]\nsort = -signature"])(
  "has signatures checked by a program where the settings say %s",
  (text) => {
    appendFileSync(config, `\n${text}\n`);
    expect(verdicts("git log", "git show", "git branch")).toEqual(Array(3).fill("new"));
    expect(verdicts("git status", "git diff")).toEqual(["safe", "safe"]);
    writeFileSync(config, first);
  },
);

it.each(["%+G?", "%-GS", "% GK", "%G?"])("asks about a format that has signatures checked: %s", (format) => {
  expect(verdicts(`git log --format='${format}'`, `git rev-list --format='${format}' HEAD`)).toEqual([
    "ask",
    "ask",
  ]);
});

it.each([
  "packed-refs",
  "info/exclude",
  "MERGE_HEAD",
  "rebase-merge/head-name",
  "sequencer/todo",
  "refs/x/y",
])("reads nothing safely where .git/%s is a link to another place", (name) => {
  const link = join(root, ".git", name);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(secret, link);
  expect(verdicts("git status", "git branch")).toEqual(["new", "new"]);
  rmSync(link);
  symlinkSync(join(root, ".git/HEAD"), link);
  expect(verdicts("git branch")).toEqual(["safe"]);
  rmSync(link);
});

it("takes a repository elsewhere only where that one says whose folder this is", () => {
  const other = makeRepository();
  const tree = join(base, "tree");
  git(other, "commit", "--quiet", "--allow-empty", "--message", "first");
  git(other, "worktree", "add", "--quiet", tree);
  expect(verdictIn(tree, "git status")).toBe("safe");
  rmSync(join(other, ".git/worktrees/tree/gitdir"));
  expect(verdictIn(tree, "git status")).toBe("new");
  writeFileSync(join(root, ".git/commondir"), `${other}/.git\n`);
  expect(verdicts("git branch")).toEqual(["new"]);
  rmSync(join(root, ".git/commondir"));
  writeFileSync(join(root, ".git/info/grafts"), "");
  expect(verdicts("git branch")).toEqual(["new"]);
  rmSync(join(root, ".git/info/grafts"));
  for (const way of ["x\ny", "x\n\nz\n"]) {
    writeFileSync(join(tree, ".git"), `gitdir: ${join(other, ".git")}${way}`);
    expect(verdictIn(tree, "git status")).toBe("new");
  }
  rmSync(other, { recursive: true });
});

it("prints no version in the place of another one", () => {
  writeFileSync(join(root, ".env"), "TOKEN=inside\n");
  commit(root, "first");
  git(root, "replace", "HEAD:src/a.ts", "HEAD:.env");
  const inherited = { PATH: process.env.PATH ?? "", HOME: base };
  const env = buildEnvironment({ inherited, extra: {}, executionId: "replaced" });
  const print = ["show", "HEAD:src/a.ts"];
  expect(git(root, ...print)).toContain("inside");
  expect(execFileSync("git", print, { cwd: root, env }).toString()).toBe("export {};\n");
});
