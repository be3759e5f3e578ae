import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { openDatabase } from "../storage/open-database.ts";
import { nameBranch, slugOf } from "./branch-name.ts";
import { readPatterns } from "./include-files.ts";
import { keptRef } from "./keep-changes.ts";
import { type MadeWorktree, type MakeParts, makeWorktree } from "./make-worktree.ts";
import { endUnfinished, removeWorktree } from "./remove-worktree.ts";
import { safeGit } from "./safe-git.ts";
import { findStanding } from "./worktree-standing.ts";
import { createWorktreeStore, type Worktree } from "./worktree-store.ts";

const env = {
  ...process.env,
  ...{
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@b.c",
  },
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
};

let root: string;
let repository: string;
let parts: MakeParts;

/** What git prints in a folder. */
const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, env, encoding: "utf8" });

function put(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function makeRepository(folder: string, files: Record<string, string> = { "a.txt": "a\n" }): string {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "-q", "-b", "main");
  put(folder, files);
  git(folder, "add", "-A");
  git(folder, "commit", "-q", "-m", "one");
  return folder;
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-trees-")));
  const dataDir = join(root, "data");
  mkdirSync(dataDir);
  const { database } = openDatabase(dataDir, Date.now);
  onTestFinished(() => {
    database.close();
    rmSync(root, { recursive: true });
  });
  repository = join(root, "Mein Projekt é");
  // The data directory is named by a link, as the home of a person may be.
  symlinkSync(dataDir, join(root, "link"));
  parts = { git: safeGit, store: createWorktreeStore(database), folder: join(root, "link/worktrees") };
});

const thread = "thread-1" as ThreadId;

async function make(title = "Fix the rows", id = "w1"): Promise<{ worktree: Worktree; made: MadeWorktree }> {
  parts.store.want(id, thread, repository);
  let made: MadeWorktree | undefined;
  await makeWorktree({ id, origin: repository }, title, parts, (found, gitDir) => {
    parts.store.made(id, gitDir);
    made = found;
  });
  return { worktree: parts.store.at(made!.path)!, made: made! };
}

/** The text of a file in what was kept. */
const keptText = (name: string, id = "w1") => git(repository, "show", `${keptRef(id)}:${name}`);

describe("the name of a branch", () => {
  it("has plain letters only, and is none that is there", () => {
    expect(slugOf("Größe prüfen: `rm -rf /` & más…")).toBe("gro-e-prufen-rm-rf-mas");
    expect(slugOf("日本語")).toBe("thread");
    expect(nameBranch("Rows", [])).toBe("countersign/rows");
    expect(nameBranch("Rows", ["countersign/Rows", "countersign/rows-2/x"])).toBe("countersign/rows-3");
    expect(nameBranch("Rows", ["countersign"])).toBe("countersign-rows");
  });
});

describe("a worktree", () => {
  it("begins at the last commit, on a branch named after the title, and shows in git's own list", async () => {
    makeRepository(repository, { "a.txt": "a\n", "sub/ü b.txt": "b\n" });
    writeFileSync(join(repository, "a.txt"), "not committed\n");
    const { worktree } = await make();
    expect(worktree).toMatchObject({
      branch: "countersign/fix-the-rows",
      origin: repository,
      state: "there",
    });
    expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("a\n");
    expect(readFileSync(join(worktree.path, "sub/ü b.txt"), "utf8")).toBe("b\n");
    expect(git(repository, "worktree", "list", "--porcelain")).toContain(`worktree ${worktree.path}`);
    expect(await findStanding(safeGit, worktree)).toEqual({
      ...{ branch: "countersign/fix-the-rows", ahead: 0, behind: 0, dirty: 0 },
    });
  });

  it("runs nothing that the repository's settings name, and fetches nothing", async () => {
    makeRepository(repository, { "a.txt": "a\n", ".gitattributes": "*.txt filter=odd\n" });
    const trap = join(root, "trap");
    const ran = join(root, "ran");
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${ran}'\ncat\n`);
    chmodSync(trap, 0o755);
    for (const name of ["post-checkout", "reference-transaction", "post-index-change"]) {
      const hook = join(repository, ".git/hooks", name);
      mkdirSync(join(repository, ".git/hooks"), { recursive: true });
      writeFileSync(hook, `#!/bin/sh\necho hook >> '${ran}'\n`);
      chmodSync(hook, 0o755);
    }
    for (const key of [
      "core.fsmonitor",
      "filter.odd.smudge",
      "filter.odd.clean",
      "filter.odd.process",
      "core.sshCommand",
    ])
      git(repository, "config", key, trap);
    git(repository, "config", "filter.odd.required", "true");
    const { worktree } = await make();
    put(worktree.path, { "a.txt": "changed\n", "new.txt": "new\n" });
    await findStanding(safeGit, worktree);
    await removeWorktree(worktree, parts);
    expect(existsSync(ran)).toBe(false);
    expect(keptText("a.txt")).toBe("changed\n");
  });

  it.each([
    ["with = in its name", "o=d", undefined],
    ["without a name", "", undefined],
    ["on branches of threads only", "late", "onbranch:countersign/**"],
    ["in work trees only", "late", "gitdir:**/worktrees/**"],
  ])("runs no program for contents that is set %s", async (_, name, condition) => {
    makeRepository(repository, { "a.txt": "a\n", ".gitattributes": `*.txt filter=${name}\n` });
    const [trap, ran, more] = [join(root, "trap"), join(root, "ran"), join(root, "more")];
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${ran}'\ncat\n`);
    chmodSync(trap, 0o755);
    writeFileSync(more, `[filter "${name}"]\nsmudge = ${trap}\nclean = ${trap}\nrequired = true\n`);
    const section = condition === undefined ? "include" : `includeIf "${condition}"`;
    appendFileSync(join(repository, ".git/config"), `[${section}]\npath = ${more}\n`);
    const { worktree } = await make();
    // As long as before, so that git compares contents.
    put(worktree.path, { "a.txt": "b\n" });
    expect(await findStanding(safeGit, worktree)).toMatchObject({ dirty: 1 });
    await removeWorktree(worktree, parts);
    expect(existsSync(ran)).toBe(false);
    expect(keptText("a.txt")).toBe("b\n");
    git(repository, "worktree", "add", "-q", "-b", "countersign/by-hand", join(root, "by-hand"));
    expect(existsSync(ran)).toBe(true);
  });

  it("keeps a change of the second in which git last looked at the file, though it goes in a later one", async () => {
    makeRepository(repository, { "a.txt": "a\n" });
    const { worktree } = await make();
    const second = () => Math.floor(statSync(join(worktree.path, "a.txt")).ctimeMs / 1_000);
    for (let looked = Number.NaN; looked !== second(); ) {
      put(worktree.path, { "a.txt": "a\n" });
      git(worktree.path, "update-index", "--refresh");
      looked = second();
      // As long as before, so that its times alone could tell.
      put(worktree.path, { "a.txt": "b\n" });
    }
    await vi.waitFor(() => expect(Math.floor(Date.now() / 1_000)).toBeGreaterThan(second()));
    await removeWorktree(worktree, parts);
    expect(keptText("a.txt")).toBe("b\n");
  });

  it("asks for no hook that settings name", async () => {
    makeRepository(repository);
    appendFileSync(join(repository, ".git/config"), '[hook "a=b"]\nevent = post-checkout\ncommand = x\n');
    const { out } = await safeGit({ cwd: repository }, ["config", "--get", "hook.a=b.enabled"]);
    expect(out).toBe("false\n");
  });

  it.each([
    ["are broken", "[broken\n"],
    ["have a name that is no text", '[filter "\xff"]\nclean = x\n'],
    [
      "are more than can be given",
      Array.from({ length: 40 }, (_, at) => `[filter "${at}${"x".repeat(100_000)}"]\nclean = x\n`).join(""),
    ],
  ])("asks nothing where the settings %s", async (_, text) => {
    makeRepository(repository);
    appendFileSync(join(repository, ".git/config"), Buffer.from(text, "latin1"));
    expect(await safeGit({ cwd: repository }, ["version"])).toMatchObject({ ok: false, out: "" });
  });

  it("stays as it is known, whatever was written into its file `.git` and its part of the store", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    const evil = makeRepository(join(root, "evil"));
    git(evil, "config", "core.fsmonitor", `touch ${join(root, "ran")}`);
    writeFileSync(join(worktree.path, ".git"), `gitdir: ${evil}/.git\n`);
    writeFileSync(join(worktree.gitDir, "commondir"), `${evil}/.git\n`);
    put(worktree.path, { "b.txt": "b\n" });
    expect(await findStanding(safeGit, worktree)).toBeUndefined();
    await removeWorktree(worktree, parts);
    expect(keptText("b.txt")).toBe("b\n");
    expect(git(evil, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(existsSync(join(root, "ran"))).toBe(false);
  });

  it("counts commits of either side and files that are not committed", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    put(worktree.path, { "b.txt": "b\n" });
    git(worktree.path, "add", "-A");
    git(worktree.path, "commit", "-q", "-m", "two");
    put(worktree.path, { "a.txt": "other\n", "ü\nc.txt": "c\n" });
    git(repository, "commit", "-q", "--allow-empty", "-m", "here");
    git(repository, "commit", "-q", "--allow-empty", "-m", "here too");
    expect(await findStanding(safeGit, worktree)).toMatchObject({ ahead: 1, behind: 2, dirty: 2 });
    git(worktree.path, "checkout", "-q", "--detach");
    expect((await findStanding(safeGit, worktree))?.branch).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ["a detached head", () => git(repository, "checkout", "-q", "--detach")],
    [
      "a sparse checkout",
      () => {
        git(repository, "sparse-checkout", "set", "in");
      },
    ],
    [
      "a submodule",
      () => {
        const inner = makeRepository(join(root, "inner"));
        git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "mod");
        git(repository, "commit", "-q", "-m", "sub");
      },
    ],
  ])("is made and removed in a repository with %s", async (_, prepare) => {
    makeRepository(repository, { "in/a.txt": "a\n", "out/b.txt": "b\n" });
    prepare();
    const { worktree } = await make();
    expect(existsSync(join(worktree.path, "in/a.txt"))).toBe(true);
    expect(await findStanding(safeGit, worktree)).toMatchObject({ ahead: 0, behind: 0, dirty: 0 });
    put(worktree.path, { "in/a.txt": "changed\n" });
    expect(await removeWorktree(worktree, parts)).toEqual({ ref: keptRef("w1"), files: 1 });
    expect(git(repository, "diff", "--name-status", "HEAD", keptRef("w1"))).toBe("M\tin/a.txt\n");
  });

  it("is made beside the work tree of a bare repository", async () => {
    const bare = join(root, "store.git");
    makeRepository(join(root, "seed"));
    git(root, "clone", "-q", "--bare", join(root, "seed"), bare);
    git(bare, "worktree", "add", "-q", repository, "main");
    const { worktree } = await make();
    expect(worktree.common).toBe(bare);
    put(worktree.path, { "b.txt": "b\n" });
    await removeWorktree(worktree, parts);
    expect(keptText("b.txt")).toBe("b\n");
    expect(git(bare, "worktree", "list", "--porcelain")).toContain(`worktree ${repository}`);
  });

  it("is refused in words where there is no commit or no repository, and leaves nothing", async () => {
    mkdirSync(repository);
    await expect(make()).rejects.toThrow("not the top of a git repository");
    parts.store.unwant(thread);
    git(repository, "init", "-q");
    await expect(make()).rejects.toThrow("no commit yet");
    expect(existsSync(parts.folder)).toBe(false);
    expect(parts.store.unfinished()).toEqual([]);
  });

  it("gets the ignored files that the repository names, and none through a link that leads out", async () => {
    makeRepository(repository, {
      ".gitignore": ".env*\ncache/\nbuild/\n",
      ".worktreeinclude": ".env*\na.txt\nout/x\n# link\ncache/\n",
      "a.txt": "a\n",
    });
    put(repository, { ".env": "S=1\n", ".env.local": "L=1\n", "cache/big": "big\n", "build/b": "b\n" });
    const { worktree, made } = await make();
    expect(readFileSync(join(worktree.path, ".env"), "utf8")).toBe("S=1\n");
    expect(readFileSync(join(worktree.path, ".env.local"), "utf8")).toBe("L=1\n");
    expect(realpathSync(join(worktree.path, "cache"))).toBe(join(repository, "cache"));
    expect(existsSync(join(worktree.path, "build"))).toBe(false);
    expect(made.missed).toBe(0);
    expect(readPatterns("# a remark\n*.a\n#link\n*.b\n# copy\n*.c\n")).toEqual({
      copy: ["*.a", "*.c"],
      link: ["*.b"],
    });
  });

  it("puts no file where a link of the repository leads out", async () => {
    const outside = join(root, "outside");
    mkdirSync(outside);
    makeRepository(repository, { ".gitignore": "dir/x\n", ".worktreeinclude": "dir/x\n" });
    symlinkSync(outside, join(repository, "dir"));
    git(repository, "add", "dir");
    git(repository, "commit", "-q", "-m", "link");
    rmSync(join(repository, "dir"));
    put(repository, { "dir/x": "x\n" });
    const { made } = await make();
    expect(existsSync(join(outside, "x"))).toBe(false);
    expect(made.missed).toBe(1);
  });
});

/** A git that does its work and then never answers, as if the app had died right after the nth such call. */
function diesAfter(step: string, nth: number): { git: typeof safeGit; died: Promise<void> } {
  const died = Promise.withResolvers<void>();
  let left = nth;
  return {
    died: died.promise,
    async git(place, args, options) {
      const answer = await safeGit(place, args, options);
      if (!args.includes(step)) return answer;
      left -= 1;
      if (left > 0) return answer;
      died.resolve();
      return new Promise(() => {});
    },
  };
}

describe("when the app dies", () => {
  it("while one is made, the next start leaves nothing of it, and the thread still wants one", async () => {
    makeRepository(repository);
    parts.store.want("w1", thread, repository);
    const { git: dying, died } = diesAfter("add", 1);
    void makeWorktree({ id: "w1", origin: repository }, "Rows", { ...parts, git: dying }, () => {});
    await died;
    writeFileSync(join(repository, ".git/refs/heads/countersign/rows.lock"), "");
    expect(await endUnfinished(parts)).toEqual([]);
    expect(git(repository, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(git(repository, "worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(existsSync(join(repository, ".git/refs/heads/countersign/rows.lock"))).toBe(false);
    expect(parts.store.wanted(thread)).toEqual({ id: "w1", origin: repository });
  });

  it.each([
    ["hash-object", 1],
    ["write-tree", 2],
    ["commit-tree", 2],
    ["update-ref", 1],
    ["update-ref", 2],
  ])(
    "after %s no. %i of a removal, the next start keeps every byte and leaves no worktree and no lock",
    async (step, nth) => {
      makeRepository(repository);
      const { worktree } = await make();
      put(worktree.path, { "a.txt": "staged\n" });
      git(worktree.path, "add", "-A");
      put(worktree.path, { "a.txt": "changed\n", "new.txt": "n\n" });
      const { git: dying, died } = diesAfter(step, nth);
      void removeWorktree(worktree, { ...parts, git: dying });
      await died;
      await endUnfinished(parts);
      expect([keptText("a.txt"), keptText("new.txt")]).toEqual(["changed\n", "n\n"]);
      expect(git(repository, "show", `${keptRef("w1")}^2:a.txt`)).toBe("staged\n");
      expect(git(repository, "worktree", "list").trim().split("\n")).toHaveLength(1);
      expect(existsSync(join(parts.folder, "w1")) || existsSync(join(parts.folder, "w1-going"))).toBe(false);
      expect(parts.store.unfinished()).toEqual([]);
    },
  );
});

describe("when a worktree goes", () => {
  it("every byte that was not committed is kept: changed, new, deleted, staged, marked as unchanged, links, modes", async () => {
    makeRepository(repository, {
      ...{ "a.txt": "a\n", "gone.txt": "g\n", "hidden.txt": "h\n", "skipped.txt": "s\n", "run.sh": "x\n" },
      ...{ ".gitattributes": "*.txt text eol=lf\n", ".gitignore": "ignored\n" },
    });
    const { worktree } = await make();
    const { path } = worktree;
    put(path, { "a.txt": "staged\n" });
    git(path, "add", "a.txt");
    git(path, "update-index", "--assume-unchanged", "hidden.txt");
    git(path, "update-index", "--skip-worktree", "skipped.txt");
    put(path, {
      ...{ "a.txt": "mixed\r\nends\n", "hidden.txt": "H\n", "skipped.txt": "S\n", 'new/ü\n"b".txt': "n\n" },
      ignored: "i\n",
    });
    rmSync(join(path, "gone.txt"));
    chmodSync(join(path, "run.sh"), 0o755);
    symlinkSync("a.txt", join(path, "link"));
    writeFileSync(join(worktree.gitDir, "index.lock"), "");
    const kept = await removeWorktree(worktree, parts);
    expect(kept).toEqual({ ref: "refs/countersign/kept/w1", files: 7 });
    expect(keptText("a.txt")).toBe("mixed\r\nends\n");
    expect([keptText("hidden.txt"), keptText("skipped.txt"), keptText("link")]).toEqual([
      "H\n",
      "S\n",
      "a.txt",
    ]);
    expect(keptText('new/ü\n"b".txt')).toBe("n\n");
    expect(git(repository, "show", `${keptRef("w1")}^2:a.txt`)).toBe("staged\n");
    const tree = git(repository, "ls-tree", keptRef("w1"));
    expect(tree).toMatch(/^100755 .*\trun\.sh$/m);
    expect(tree).not.toMatch(/gone\.txt|ignored/);
  });

  it("a branch on which nothing happened goes with it, and nothing is kept", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    expect(await removeWorktree(worktree, parts)).toEqual({ ref: undefined, files: 0 });
    expect(git(repository, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(git(repository, "worktree", "list")).not.toContain("w1");
    expect(existsSync(join(parts.folder, "w1"))).toBe(false);
    expect(parts.store.at(worktree.path)).toBeUndefined();
  });

  it("its commits stay on its branch, and those that no branch has are kept", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    git(worktree.path, "commit", "-q", "--allow-empty", "-m", "on the branch");
    const onBranch = git(worktree.path, "rev-parse", "HEAD");
    git(worktree.path, "checkout", "-q", "--detach");
    git(worktree.path, "commit", "-q", "--allow-empty", "-m", "on none");
    const onNone = git(worktree.path, "rev-parse", "HEAD");
    expect(await removeWorktree(worktree, parts)).toEqual({ ref: keptRef("w1"), files: 0 });
    expect(git(repository, "rev-parse", worktree.branch)).toBe(onBranch);
    expect(git(repository, "rev-parse", keptRef("w1"))).toBe(onNone);
  });

  it("it stays where it holds a repository of its own, or where nothing can be kept", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    makeRepository(join(worktree.path, "inner"));
    await expect(removeWorktree(worktree, parts)).rejects.toThrow("inner/ holds a repository of its own");
    expect(readFileSync(join(worktree.path, "inner/a.txt"), "utf8")).toBe("a\n");
    rmSync(join(worktree.path, "inner"), { recursive: true });
    put(worktree.path, { "b.txt": "b\n" });
    const full: typeof safeGit = (place, args, options) =>
      args[0] === "hash-object"
        ? Promise.resolve({ ok: false, out: "", why: "No space left on device" })
        : safeGit(place, args, options);
    await expect(removeWorktree(worktree, { ...parts, git: full })).rejects.toThrow("No space left");
    expect(readFileSync(join(worktree.path, "b.txt"), "utf8")).toBe("b\n");
    expect(parts.store.at(worktree.path)?.state).toBe("there");
    expect(git(worktree.path, "status", "--porcelain")).toBe("?? b.txt\n");
  });

  it.each<[string, (worktree: Worktree) => void]>([
    ["without its part of the store", ({ gitDir }) => rmSync(gitDir, { recursive: true })],
    ["on a branch that has no commit", ({ path }) => void git(path, "checkout", "-q", "--orphan", "new")],
    ["whose index is broken", ({ gitDir }) => rmSync(join(gitDir, "index"))],
  ])("it is kept all the same %s", async (_, breakIt) => {
    makeRepository(repository);
    const { worktree } = await make();
    put(worktree.path, { "a.txt": "changed\n", "b.txt": "b\n" });
    breakIt(worktree);
    await removeWorktree(worktree, parts);
    expect([keptText("a.txt"), keptText("b.txt")]).toEqual(["changed\n", "b\n"]);
  });

  it.each([
    ["with work in it", true],
    ["without", false],
  ])("no branch is moved or deleted that a ref of its own leads to, %s", async (_, hasWork) => {
    makeRepository(repository);
    const { worktree } = await make();
    for (const ref of [`refs/heads/${worktree.branch}`, keptRef("w1")])
      git(repository, "symbolic-ref", ref, "refs/heads/main");
    const before = git(repository, "rev-parse", "refs/heads/main");
    if (hasWork) put(worktree.path, { "b.txt": "b\n" });
    await removeWorktree(worktree, parts);
    expect(git(repository, "rev-parse", "refs/heads/main")).toBe(before);
    if (hasWork) expect(keptText("b.txt")).toBe("b\n");
  });

  it("nothing is written through a link in its part of the store", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    const victim = join(root, "victim");
    writeFileSync(victim, "mine\n");
    rmSync(join(worktree.gitDir, "commondir"));
    for (const name of ["commondir", "index.lock", "countersign-w1.index", "w1.index", "w1.index.lock"])
      symlinkSync(victim, join(worktree.gitDir, name));
    put(worktree.path, { "b.txt": "b\n" });
    await removeWorktree(worktree, parts);
    expect(readFileSync(victim, "utf8")).toBe("mine\n");
    expect(keptText("b.txt")).toBe("b\n");
  });

  it("a link in place of a folder is kept as a link, without what it leads to", async () => {
    makeRepository(repository, { "dir/sub/a.txt": "a\n", "b.txt": "b\n" });
    const { worktree } = await make();
    const outside = join(root, "outside");
    put(outside, { "sub/a.txt": "secret\n" });
    rmSync(join(worktree.path, "dir"), { recursive: true });
    symlinkSync(outside, join(worktree.path, "dir"));
    await removeWorktree(worktree, parts);
    expect(git(repository, "ls-tree", "-r", "--name-only", keptRef("w1"))).toBe("b.txt\ndir\n");
    expect(keptText("dir")).toBe(outside);
  });

  it("a link that stands in its place is left, with the folder that it leads to", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    const outside = join(root, "outside");
    put(outside, { "a.txt": "mine\n" });
    rmSync(worktree.path, { recursive: true });
    symlinkSync(outside, worktree.path);
    await expect(removeWorktree(worktree, parts)).rejects.toThrow("something else stands in its place");
    expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("mine\n");
    // Until it is gone it loses its trust with the folder's.
    parts.store.setState("w1", "going");
    expect(parts.store.madeFor(repository)).toHaveLength(1);
  });

  it("it stays where its repository is gone, and is not followed to where a person moved it", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    const moved = join(root, "moved");
    git(repository, "worktree", "move", "-f", "-f", worktree.path, moved);
    expect(await removeWorktree(worktree, parts)).toEqual({ ref: undefined, files: 0 });
    expect(git(moved, "rev-parse", "--abbrev-ref", "HEAD")).toBe("countersign/fix-the-rows\n");
    const second = await make("Second", "w2");
    put(second.worktree.path, { "b.txt": "b\n" });
    rmSync(repository, { recursive: true });
    await expect(removeWorktree(second.worktree, parts)).rejects.toThrow("is gone");
    expect(readFileSync(join(second.worktree.path, "b.txt"), "utf8")).toBe("b\n");
  });

  it("what something puts in its place meanwhile stays, and so does the rest of it", async () => {
    makeRepository(repository);
    const { worktree } = await make();
    put(worktree.path, { "b.txt": "b\n" });
    const { git: dying, died } = diesAfter("hash-object", 1);
    void removeWorktree(worktree, { ...parts, git: dying });
    await died;
    put(worktree.path, { "late.txt": "late\n" });
    const ends = await endUnfinished(parts);
    const [, aside] = /the rest is in (.*)$/.exec(ends[0]?.why ?? "")!;
    expect(readFileSync(join(aside!, "b.txt"), "utf8")).toBe("b\n");
    expect(readFileSync(join(worktree.path, "late.txt"), "utf8")).toBe("late\n");
  });

  it("those that other tools made are never touched", async () => {
    makeRepository(repository);
    const other = join(root, "other");
    git(repository, "worktree", "add", "-q", other);
    const lost = join(root, "lost");
    git(repository, "worktree", "add", "-q", lost);
    rmSync(lost, { recursive: true });
    const before = git(repository, "worktree", "list", "--porcelain");
    const { worktree } = await make();
    await removeWorktree(worktree, parts);
    await endUnfinished(parts);
    expect(git(repository, "worktree", "list", "--porcelain")).toBe(before);
  });
});
