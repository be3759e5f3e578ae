/** Real git in a repository that holds a secret: what may run unasked prints nothing of it. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLongRun } from "../base/testing/long-run.ts";
import { gitReading } from "./profiles/git-reading.ts";
import { canary, commit, git, makeRepository, secretsOf, verdictIn } from "./testing/git-repository.ts";

let root: string;
/** Where the secret is no longer in git's list, no longer checked out, or gone from the disk alone. */
let unlisted: string;
let removed: string;
let deleted: string;

const verdictOf = (command: string, workspace = root) => verdictIn(workspace, command);

const packsOf = (folder: string) =>
  readdirSync(join(folder, ".git/objects/pack"))
    .filter((name) => name.endsWith(".idx"))
    .map((name) => join(folder, ".git/objects/pack", name));

beforeAll(() => {
  root = makeRepository();
  commit(root, "one");
  writeFileSync(join(root, ".env"), `TOKEN=${canary}\n`);
  commit(root, "two");
  git(root, "tag", "leak", "HEAD:.env");
  writeFileSync(join(root, ".env"), `TOKEN=${canary}-more\n`);
  writeFileSync(join(root, "src/a.ts"), "export const a = 1;\n");
});

beforeAll(() => {
  [unlisted, removed, deleted] = [makeRepository(), makeRepository(), makeRepository()];
  for (const folder of [unlisted, removed, deleted]) {
    writeFileSync(join(folder, ".env"), `TOKEN=${canary}\n`);
    commit(folder, "one");
    if (folder === deleted) rmSync(join(folder, ".env"));
    else git(folder, "rm", "--quiet", "--cached", ".env");
  }
  git(unlisted, "tag", "leak", "HEAD:.env");
  rmSync(join(removed, ".env"));
  writeFileSync(join(removed, "src/a.ts"), "export const a = 1;\n");
  commit(removed, "two");
  git(removed, "tag", "before", "HEAD~1");
  git(removed, "tag", "--annotate", "--message", "one", "noted", "HEAD~1");
  git(removed, "gc", "--quiet");
});

afterAll(() => {
  for (const folder of [root, unlisted, removed, deleted]) rmSync(folder, { recursive: true, force: true });
});

const blobOf = (folder: string, version: string) =>
  git(folder, "rev-parse", "--short", `${version}:.env`).trim();

describe("where a secret is no longer among the files of git's list", () => {
  it.each([
    ...[
      "git diff HEAD",
      "git diff --cached",
      "git status -v",
      "git show",
      "git log -p",
      "git diff HEAD -- .",
    ],
    ...["git grep TOKEN HEAD", "git show leak", "git diff leak HEAD:src/a.ts", "git cat-file -p leak"],
  ])("as it was taken out of it, %s asks", (command) => {
    expect(verdictOf(command, unlisted)).toBe("ask");
  });

  it("as it was taken out of it, what does not print it is safe", () => {
    for (const command of ["git diff", "git status", "git diff --cached --stat", "git diff HEAD -- src"])
      expect(verdictOf(command, unlisted), command).toBe("safe");
    expect(verdictOf(`git cat-file -p ${blobOf(unlisted, "HEAD")}`, unlisted)).toBe("ask");
    expect(verdictOf(`git show ${blobOf(unlisted, "HEAD")}`, unlisted)).toBe("ask");
  });

  it("as it was deleted from the disk, the difference that prints it asks", () => {
    expect(verdictOf("git diff", deleted)).toBe("ask");
    expect(verdictOf("git diff -- src", deleted)).toBe("safe");
  });

  it.each([
    ...["git show", "git show HEAD", "git log -p", "git log -p -1", "git diff HEAD~1", "git diff before"],
    ...["git diff before..HEAD", "git show before", "git show @{1}", "git log -p before", "git reflog -p"],
    ...[
      "git grep TOKEN before",
      "git diff noted",
      "git diff HEAD^ HEAD",
      "git diff-tree -p HEAD",
      "git stash list -p",
    ],
    // A path without `--` may be a version, and is none.
    ...["git show .", "git log -p -1 .", "git log -p ./", "git whatchanged -p .", "git diff --cached .env"],
  ])("as the last version took it away, %s asks", (command) => {
    expect(verdictOf(command, removed)).toBe("ask");
  });

  it("as the last version took it away, what is about later versions or other files is safe", () => {
    for (const command of ["git diff HEAD", "git diff --cached", "git status -v", "git show HEAD -- src"])
      expect(verdictOf(command, removed), command).toBe("safe");
    commit(removed, "three");
    for (const command of ["git show", "git log -p -1", "git diff HEAD~1", "git show --stat HEAD~1"])
      expect(verdictOf(command, removed), command).toBe("safe");
    for (const command of [
      "git show HEAD~1",
      "git log -p -2",
      "git diff HEAD~2",
      "git log -p -1 --skip=1",
      "git log -p -1 .",
    ])
      expect(verdictOf(command, removed), command).toBe("ask");
  });

  it("as only another branch has it, a version that is sought by its message asks", () => {
    const folder = makeRepository();
    commit(folder, "one");
    const tree = git(folder, "rev-parse", "HEAD^{tree}").trim();
    writeFileSync(join(folder, ".env"), `TOKEN=${canary}\n`);
    commit(folder, "sought");
    git(folder, "branch", "side");
    git(folder, "reset", "--quiet", "--hard", "HEAD~1");
    rmSync(join(folder, ".git/logs"), { recursive: true });
    expect(git(folder, "rev-parse", "HEAD^{tree}").trim()).toBe(tree);
    expect(git(folder, "show", ":/sought")).toContain(canary);
    expect([secretsOf(folder, ":/sought"), secretsOf(folder, "HEAD")]).toEqual([[".env"], []]);
    for (const command of ["git show :/sought", "git log -p :/sought", "git diff HEAD :/sought"])
      expect(verdictOf(command, folder), command).toBe("ask");
    expect(verdictOf("git show", folder)).toBe("safe");
    rmSync(folder, { recursive: true });
  });

  it("is found in folders that are kept as differences, in packs and through borrowed objects", () => {
    const folder = makeRepository();
    for (let at = 0; at < 60; at += 1)
      writeFileSync(join(folder, `src/file-with-a-long-name-${at}.ts`), `${at}\n`);
    mkdirSync(join(folder, "src/deep/.aws"), { recursive: true });
    writeFileSync(join(folder, "src/deep/.aws/sso.json"), canary);
    commit(folder, "one");
    for (let at = 0; at < 4; at += 1) {
      writeFileSync(join(folder, `src/file-with-a-long-name-${at}.ts`), `changed ${at}\n`);
      commit(folder, `more ${at}`);
    }
    git(folder, "rm", "--quiet", "-r", "--cached", "src/deep");
    git(folder, "repack", "-adfq", "--depth=20");
    const kept = git(folder, "verify-pack", "-v", ...packsOf(folder));
    expect(kept, "a folder is kept as a difference").toMatch(/ tree +\d+ \d+ \d+ [1-9]/);
    for (const version of ["HEAD", "HEAD~1", "HEAD~2", "HEAD~3", "HEAD~4"])
      expect(secretsOf(folder, git(folder, "rev-parse", version).trim())).toEqual(["src/deep/.aws/sso.json"]);
    const second = `${folder}-second`;
    git(folder, "clone", "--quiet", "--shared", folder, second);
    git(second, "rm", "--quiet", "-r", "--cached", "src");
    expect(secretsOf(second)).toEqual(["src/deep/.aws/sso.json"]);
    rmSync(join(folder, ".git/objects/pack"), { recursive: true });
    expect(secretsOf(second)).toBe("unknown");
    for (const each of [folder, second]) rmSync(each, { recursive: true });
  });

  it("is unknown where git names objects another way, and found in a repository within", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-git-")));
    git(folder, "init", "--quiet", "--object-format=sha256");
    writeFileSync(join(folder, ".env"), canary);
    commit(folder, "one");
    expect(secretsOf(folder)).toBe("unknown");
    for (const name of ["objectFormat", "refStorage"]) {
      const other = makeRepository();
      writeFileSync(join(other, ".git/config"), `[extensions]\n\t${name} = other\n`);
      expect(secretsOf(other)).toBe("unknown");
      rmSync(other, { recursive: true });
    }
    const holed = makeRepository();
    commit(holed, "one");
    git(holed, "rm", "--quiet", "-r", "--cached", "src");
    expect(secretsOf(holed)).toEqual([]);
    writeFileSync(join(holed, ".env"), "");
    commit(holed, "two");
    git(holed, "rm", "--quiet", "--cached", ".env");
    const own = git(holed, "rev-parse", "HEAD^{tree}").trim();
    rmSync(join(holed, ".git/objects", own.slice(0, 2), own.slice(2)));
    expect(secretsOf(holed)).toBe("unknown");
    rmSync(holed, { recursive: true });
    const outer = makeRepository();
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", root, "inner");
    commit(outer, "one");
    expect(secretsOf(outer)).toEqual(["inner/.env"]);
    expect(verdictOf("git diff HEAD", outer)).toBe("ask");
    for (const each of [folder, outer]) rmSync(each, { recursive: true });
  });
});

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
    "git show -- ':!src'",
    "git show HEAD:src/a.ts HEAD -- ':^src'",
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
      fc.property(command, fc.nat(3), (command, which) => {
        const folder = [root, unlisted, removed, deleted][which]!;
        if (verdictOf(command, folder) !== "safe") return;
        safe += 1;
        const { stdout, stderr } = spawnSync("bash", ["-c", command], {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, GIT_PAGER: "cat" },
          input: "",
        });
        expect(`${stdout}${stderr}`, command).not.toContain(canary);
      }),
      { numRuns: isLongRun ? 250 : 80, seed: 11 },
    );
    expect(safe).toBeGreaterThan(isLongRun ? 50 : 15);
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
