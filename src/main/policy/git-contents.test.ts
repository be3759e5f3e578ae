/** Real git in a repository that holds a secret: what may run unasked prints nothing of it. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtDisk } from "./disk.ts";
import { findTrackedSecrets } from "./git-contents.ts";
import { readGitIndex } from "./git-index.ts";
import { judgeCommand } from "./judge-command.ts";
import { gitReading } from "./profiles/git-reading.ts";
import { makeContext } from "./testing/make-context.ts";

const canary = "canary-4711";
let root: string;

function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

function commit(folder: string, message: string): void {
  git(folder, "add", "--all", "--force");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", message);
}

function makeRepository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-git-")));
  git(folder, "init", "--quiet");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.ts"), "export {};\n");
  return folder;
}

const verdictOf = (command: string, workspace = root) =>
  judgeCommand(
    command,
    makeContext({
      ...{ workspace, cwd: workspace, home: homedir(), rules: [], protectedDirs: [] },
      ...lookAtDisk(workspace),
    }),
  ).verdict;

beforeAll(() => {
  root = makeRepository();
  commit(root, "one");
  writeFileSync(join(root, ".env"), `TOKEN=${canary}\n`);
  commit(root, "two");
  git(root, "tag", "leak", "HEAD:.env");
  writeFileSync(join(root, ".env"), `TOKEN=${canary}-more\n`);
  writeFileSync(join(root, "src/a.ts"), "export const a = 1;\n");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("where git holds a secret", () => {
  it.each([
    "git show",
    "git show HEAD",
    "git log -p",
    "git log -p -1",
    "git log -U1",
    "git log -S TOKEN",
    "git log --stat -p",
    "git diff",
    "git diff HEAD",
    "git diff --cached",
    "git diff HEAD~1 -- .",
    "git diff -- src .env",
    "git show HEAD -- '.en?'",
    "git show HEAD -- ':(icase).ENV'",
    "git show --stat -p",
    "git diff-tree -p HEAD",
    "git cat-file -p HEAD:.env",
    "git cat-file blob 1a2b3c4",
    "git grep TOKEN HEAD",
    "git grep --cached TOKEN",
    "git reflog -p",
    "git stash list -p",
    "git show -s leak",
    "git show --stat leak",
    "git show --all -s",
    "git status -v",
    "git status -svv",
    "git for-each-ref --format=%(raw)",
  ])("%s asks", (command) => {
    expect(verdictOf(command)).toBe("ask");
  });

  it.each([
    "git show --stat",
    "git show HEAD --name-only",
    "git show HEAD -- src",
    "git show HEAD:src/a.ts",
    "git log --oneline -5",
    "git log -p -- src/a.ts",
    "git diff --stat",
    "git diff -- src",
    "git diff HEAD -- src",
    "git status",
    "git log --format=%s --graph",
  ])("%s is safe, as it prints only what it names", (command) => {
    expect(verdictOf(command)).toBe("safe");
  });

  it("prints nothing of it that was not asked about, whatever the words", () => {
    const verb = fc.constantFrom(...Object.keys(gitReading), "reflog", "stash list");
    const common =
      "-p -vv -U1 -s -1 -c -L1,1:src/a.ts -S TOKEN --raw --numstat --all --format=%B --format=%(raw) --cc -- . src .env TOKEN HEAD HEAD~1 HEAD:.env HEAD:src :.env :/two @ src/a.ts leak";
    const command = verb.chain((subcommand) => {
      const { short = "", long = "" } = gitReading[subcommand] ?? gitReading.log!;
      const own = [
        ...[...short.matchAll(/[A-Za-z]/g)].map(([letter]) => `-${letter}`),
        ...long.split(" ").map((name) => `--${name.replace(/[=?]$/, "")}`),
      ];
      const word = fc.oneof(fc.constantFrom(...common.split(" ")), fc.constantFrom(...own));
      return fc.array(word, { maxLength: 4 }).map((words) => ["git", subcommand, ...words].join(" "));
    });
    let safe = 0;
    fc.assert(
      fc.property(command, (command) => {
        if (verdictOf(command) !== "safe") return;
        safe += 1;
        const { stdout, stderr } = spawnSync("bash", ["-c", command], {
          cwd: root,
          encoding: "utf8",
          env: { ...process.env, GIT_PAGER: "cat" },
          input: "",
        });
        expect(`${stdout}${stderr}`, command).not.toContain(canary);
      }),
      { numRuns: 250, seed: 11 },
    );
    expect(safe).toBeGreaterThan(50);
  });
});

it("prints nothing of a secret that changed with a file, or that the file was made from, whatever option stands before its name", () => {
  const folder = makeRepository();
  const write = (name: string, first: string) => writeFileSync(join(folder, name), `${first}\nb\nc\nd\n`);
  write(".env", canary);
  commit(folder, "one");
  write("copy.md", "other");
  write(".env", `${canary}-more`);
  commit(folder, "two");
  const { short = "", long = "" } = gitReading.log!;
  const options = [
    ...[...short.matchAll(/[A-Za-z]/g)].map(([letter]) => `-${letter}`),
    ...long.split(" ").map((name) => `--${name.replace(/[=?]$/, "")}`),
  ];
  const safe = options
    .map((option) => `git log -p ${option} -- copy.md`)
    .filter((command) => verdictOf(command, folder) === "safe");
  const { stdout } = spawnSync(
    "bash",
    ["-c", safe.map((command) => `echo '${command}'; ${command}`).join("\n")],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GIT_PAGER: "cat" },
    },
  );
  rmSync(folder, { recursive: true });
  expect(safe.length).toBeGreaterThan(100);
  expect(stdout).toContain("+other");
  expect(stdout.split(/^(?=git )/m).filter((printed) => printed.includes(canary))).toEqual([]);
});

describe("the list of files that git holds", () => {
  it.each([2, 3, 4])("is read in version %i as git itself reads it", (version) => {
    const folder = makeRepository();
    for (const name of ["b", "src/abc", "src/abd", "src/deep/abd.ts", "späße"]) {
      mkdirSync(join(folder, "src/deep"), { recursive: true });
      writeFileSync(join(folder, name), name);
    }
    commit(folder, "one");
    git(folder, "update-index", "--index-version", String(version));
    if (version === 3) git(folder, "update-index", "--skip-worktree", "b");
    const listed = git(folder, "ls-files", "-z").split("\0").slice(0, -1);
    expect(readGitIndex(folder)?.map(({ name }) => name)).toEqual(listed);
    expect(findTrackedSecrets(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it("is read of a second work tree, and sees secrets in folders and in conflicts", () => {
    const folder = makeRepository();
    mkdirSync(join(folder, ".ssh"));
    writeFileSync(join(folder, ".ssh/config"), "x");
    commit(folder, "one");
    const second = join(folder, "../", `${folder.split("/").at(-1)}-second`);
    git(folder, "worktree", "add", "--quiet", second);
    expect(findTrackedSecrets(second)).toEqual([".ssh/config"]);
    rmSync(folder, { recursive: true });
    rmSync(second, { recursive: true });
  });

  it("is unknown where it is split, sparse, cut or of another kind, and then git asks", () => {
    const folder = makeRepository();
    commit(folder, "one");
    expect(verdictOf("git diff HEAD", folder)).toBe("safe");
    git(folder, "update-index", "--split-index");
    writeFileSync(join(folder, "src/b.ts"), "");
    git(folder, "add", "src/b.ts");
    expect(findTrackedSecrets(folder)).toBe("unknown");
    expect(verdictOf("git diff HEAD", folder)).toBe("ask");
    git(folder, "update-index", "--no-split-index");
    git(folder, "sparse-checkout", "set", "--cone", "--sparse-index", "other");
    expect(findTrackedSecrets(folder)).toBe("unknown");
    for (const bytes of ["", "DIRC", "DIRC\0\0\0\u0005\0\0\0\0", "DIRC\0\0\0\u0002\0\0\0\u0009"]) {
      writeFileSync(join(folder, ".git/index"), bytes);
      expect(findTrackedSecrets(folder)).toBe("unknown");
    }
    rmSync(folder, { recursive: true });
  });
});
