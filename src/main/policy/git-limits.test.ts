/** Git runs programs that settings name, and fetches what it does not have: then it is neither safe nor covered. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { styleOfCommands } from "../paths/own-style.ts";
import { lookAtDisk } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "git-limits-")));
const [app, home] = [join(base, "app"), join(base, "home")];
afterAll(() => rmSync(base, { recursive: true }));

beforeEach(() => {
  rmSync(base, { recursive: true });
  mkdirSync(join(app, ".git"), { recursive: true });
  mkdirSync(join(home, "more"), { recursive: true });
  settings("app/.git/config", "[core]\n\tbare = false\n[merge]\n\tff = only\n");
});

const settings = (file: string, text: string) => writeFileSync(join(base, file), text);
const paths = styleOfCommands(process.platform, "bash");

function judge(command: string): string {
  const workspace = paths.fromNative(app);
  const rules = ["git merge", "git pull", "git switch", "git stash"].map((text) => makeRule(text));
  const context = {
    ...makeContext({ workspace, cwd: workspace, rules }),
    gitPrograms: lookAtDisk(workspace, paths, paths.fromNative(home)).gitPrograms,
  };
  context.look = { ...context.look!, isThere: (path) => path.endsWith("/app/.git") };
  return judgeCommand(command, context).verdict;
}

const merging = ["git merge topic", "git pull", "git switch -m topic", "git stash pop"];
const showing = ["git diff", "git show", "git log -p", "git blame a.ts", "git show HEAD:a.ts"];

it.each([
  ["home/.gitconfig", '[merge "tidy"]\n\tname = x\n\tdriver = tidy %O %A %B\n'],
  ["app/.git/config", '[merge "a]b"] driver = tidy\n'],
  ["app/.git/config", "[MERGE.tidy]\nDriver=tidy"],
])("holds back what merges where %s names a program for it", (file, text) => {
  for (const command of merging) expect([command, judge(command)]).toEqual([command, "covered"]);
  settings(file, text);
  for (const command of merging) expect([command, judge(command)]).toEqual([command, "new"]);
  expect(["git switch topic", "git stash -u", "git stash push"].map(judge)).toEqual(Array(3).fill("covered"));
  expect(["git diff", "git status"].map(judge)).toEqual(["safe", "safe"]);
});

it.each(["[diff]\n\texternal = difft\n", '[diff "x"]\ntextconv = tool\n', '[diff "x"] command = tool\n'])(
  "holds back what shows differences where the settings say %s",
  (text) => {
    settings("home/.gitconfig", text);
    for (const command of showing) expect([command, judge(command)]).toEqual([command, "new"]);
    const without = "git diff --no-ext-diff --no-textconv";
    expect([without, "git log --oneline", "git status"].map(judge)).toEqual(["safe", "safe", "safe"]);
    expect(judge("git diff --no-ext-diff")).toBe("new");
  },
);

it("holds back what prints files where git fetches them when it needs them", () => {
  settings("app/.git/config", '[remote "origin"]\n\tpromisor = true\n');
  for (const command of [...showing, "git grep x", "git log --stat", "git diff --stat", "git log -- a.ts"])
    expect([command, judge(command)]).toEqual([command, "new"]);
  expect(["git log --oneline -5", "git status", "git branch -a"].map(judge)).toEqual(Array(3).fill("safe"));
});

it("follows files that settings name, and takes them for the worst when they never end", () => {
  settings("home/.gitconfig", '[includeIf "gitdir:~/x/"]\n\tpath = "~/more/a"\n');
  settings("home/more/a", "[include] path = b ; next to it\n");
  settings("home/more/b", "[diff]\n\texternal = difft\n");
  expect(judge("git diff")).toBe("new");
  settings("home/more/b", "[include]\n\tpath = a\n");
  expect([judge("git diff"), judge("git merge topic")]).toEqual(["new", "new"]);
  settings("home/more/b", "");
  expect([judge("git diff"), judge("git merge topic")]).toEqual(["safe", "covered"]);
});

it("reads the settings that a work tree shares with its repository", () => {
  const tree = join(base, "store", "worktrees", "app");
  mkdirSync(tree, { recursive: true });
  rmSync(join(app, ".git"), { recursive: true });
  settings("app/.git", `gitdir: ${tree}\n`);
  settings("store/worktrees/app/commondir", "../..\n");
  settings("store/config", "[diff]\n\texternal = difft\n");
  expect(judge("git diff")).toBe("new");
});

it("asks under a rule about what would print lines of files that no word names", () => {
  for (const command of [
    ...["git stash show", "git stash show -p", "git stash show --stat -U3", "git stash --patch"],
    ...["git stash show --name-only --word-diff", "git switch -p", "git merge --interactive topic"],
  ])
    expect([command, judge(command)]).toEqual([command, "ask"]);
  for (const words of [
    "add -p",
    "add -i",
    "commit --dry-run -v",
    "commit --interactive",
    "reset -p",
    "tag -v x",
  ])
    expect([words, judge(`git ${words}`)]).toEqual([words, "ask"]);
  for (const words of ["format-patch --stdout HEAD~1", "rebase --show-current-patch", "restore -p a.ts"])
    expect([words, judge(`git ${words}`)]).toEqual([words, "ask"]);
  expect(["git stash show --stat", "git stash list"].map(judge)).toEqual(["covered", "covered"]);
});
