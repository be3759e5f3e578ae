/** Brings worktrees of real repositories home, with real files, branches and indexes. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { HomeDesk } from "../engine/home-desk.ts";
import type { TakeBacks } from "../undo/take-backs.ts";
import { hunksOf, withoutHunk } from "./hunks.ts";
import { proposeMessage } from "./propose-message.ts";
import { openHome } from "./testing/test-home.ts";
import { gitEnv, git as printedBy, put, thread } from "./testing/test-worktrees.ts";

const person = { kind: "person" } as const;
let root: string;
/** The person's folder. */
let folder: string;
/** The thread's worktree. */
let tree: string;
let desk: HomeDesk;
let takeBacks: TakeBacks;

const git = (cwd: string, ...args: string[]) => printedBy(cwd, ...args).trim();
const status = (cwd: string) => git(cwd, "-c", "core.quotePath=false", "status", "--porcelain");
const read = (cwd: string, name: string) => readFileSync(join(cwd, name), "utf8");
const log = (cwd: string, ref = "HEAD") => git(cwd, "log", "--format=%s", ref).split("\n");

function commit(cwd: string, message: string, files: Record<string, string> = {}): void {
  put(cwd, files);
  git(cwd, "add", "-A");
  git(cwd, "commit", "-q", "-m", message);
}

const many = (mark: (line: number) => string = String) =>
  Array.from({ length: 30 }, (_, line) => `${mark(line)}\n`).join("");

async function begin(files: Record<string, string> = {}): Promise<void> {
  ({ tree, desk, takeBacks } = await openHome(root, folder, { "b.txt": many(), ...files }));
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-home-")));
  folder = join(root, "Mein Projekt é");
});

const look = async () => (await desk.preview(thread)).plan;
async function bring(way: "merge" | "rebase" | "patch" | "keep", message = "Rows fixed", digest?: string) {
  return desk.bring(thread, way, digest ?? (await look()).digest, message, person);
}

describe("what a worktree brings home", () => {
  it("is shown by file, committed or not, with renames, modes, binaries, odd names and links", async () => {
    await begin({
      "move me.txt": many((line) => `m${line}`),
      "run.sh": "#!/bin/sh\n",
      "gone.txt": "g\n",
      bin: "\0a",
    });
    commit(tree, "two", { "b.txt": many((line) => (line === 2 ? "two" : String(line))) });
    git(tree, "mv", "move me.txt", "moved.txt");
    chmodSync(join(tree, "run.sh"), 0o755);
    rmSync(join(tree, "gone.txt"));
    put(tree, { "中文 ü.txt": "新\n", "line\nbreak": "x\n", bin: "\0b" });
    symlinkSync("/etc/passwd", join(tree, "link"));
    put(tree, { "staged and gone": "s\n" });
    git(tree, "add", "staged and gone");
    rmSync(join(tree, "staged and gone"));
    const plan = await look();
    const shown = plan.changes.map(({ name, oldName, state, lines }) => [name, oldName, state, lines?.added]);
    expect(shown).toEqual([
      ["b.txt", "b.txt", "changed", 1],
      ["bin", "bin", "changed", undefined],
      ["gone.txt", "gone.txt", "deleted", 0],
      ["line\nbreak", "line\nbreak", "added", 1],
      ["link", "link", "added", 1],
      ["moved.txt", "move me.txt", "moved", 0],
      ["run.sh", "run.sh", "changed", 0],
      ["中文 ü.txt", "中文 ü.txt", "added", 1],
    ]);
    expect(plan.snapshot.uncommitted).not.toContain("b.txt");
    expect([plan.ahead, plan.behind]).toEqual([1, 0]);
    // A look changes nothing, and the same look is the same digest.
    expect((await look()).digest).toBe(plan.digest);
    expect(plan.ways.merge).toMatchObject({ why: "cannot-write", files: ["link"] });
    expect((await desk.file(thread, "link")).why).toBe("link");
    expect((await desk.file(thread, "bin")).why).toBe("binary");
    rmSync(join(tree, "link"));
    await bring("merge");
    expect(git(folder, "rev-parse", "HEAD^{tree}")).toBe(git(tree, "rev-parse", "HEAD^{tree}"));
    expect([status(folder), status(tree)]).toEqual(["", ""]);
    expect(log(folder)).toEqual(["Rows fixed", "two", "one"]);
    expect(read(folder, "line\nbreak")).toBe("x\n");
    expect(lstatSync(join(folder, "run.sh")).mode & 0o111).not.toBe(0);
    expect(existsSync(join(folder, "move me.txt"))).toBe(false);
  });

  it("is put back by hunk and by file, and undone", async () => {
    await begin();
    put(tree, {
      "b.txt": many((line) => (line === 2 || line === 20 ? `x${line}` : String(line))),
      "new.txt": "n\n",
    });
    const { version, hunks } = await desk.file(thread, "b.txt");
    expect(hunks.map(({ afterLine }) => afterLine)).toEqual([1, 18]);
    const done = await desk.putBack(thread, "b.txt", version, 0, person);
    expect(read(tree, "b.txt")).toBe(many((line) => (line === 20 ? "x20" : String(line))));
    await expect(desk.putBack(thread, "b.txt", version, 0, person)).rejects.toThrow("is not as it was shown");
    await takeBacks.reverse(thread, done.id, person);
    expect(read(tree, "b.txt")).toContain("x2\n");
    await desk.putBack(thread, "b.txt", version, undefined, person);
    expect(status(tree)).toBe("?? new.txt");
    await desk.putBack(thread, "new.txt", (await desk.file(thread, "new.txt")).version, undefined, person);
    expect((await look()).ways.merge).toMatchObject({ why: "nothing" });
  });
});

describe("bringing home", () => {
  it("merges where both sides went on, and undoes it, leaving what the person did not commit elsewhere", async () => {
    await begin({ "own.txt": "own\n" });
    commit(folder, "theirs", { "c.txt": "c\n" });
    put(folder, { "own.txt": "mine\n", "untracked.txt": "u\n" });
    git(folder, "add", "own.txt");
    put(tree, { "a.txt": "changed\n" });
    const before = status(folder);
    const head = git(folder, "rev-parse", "HEAD");
    const done = await bring("merge");
    expect(log(folder)[0]).toBe("Merge branch 'countersign/fix-the-rows' into main");
    expect(git(folder, "rev-list", "--count", "--merges", "HEAD")).toBe("1");
    expect([read(folder, "a.txt"), status(folder), status(tree)]).toEqual(["changed\n", before, ""]);
    await takeBacks.reverse(thread, done.id, person);
    expect([git(folder, "rev-parse", "HEAD"), read(folder, "a.txt"), status(folder)]).toEqual([
      head,
      "a\n",
      before,
    ]);
    expect(status(tree)).toBe("M a.txt");
  });

  it("rebases each commit with its author and words, and moves both branches forward", async () => {
    await begin();
    execFileSync("git", ["commit", "-q", "--allow-empty", "-m", "nothing"], { cwd: tree, env: gitEnv });
    put(tree, { "a.txt": "first\n" });
    execFileSync("git", ["commit", "-qam", "Größe\n\nBody"], {
      cwd: tree,
      env: { ...gitEnv, GIT_AUTHOR_NAME: "Zoë" },
    });
    commit(folder, "theirs", { "c.txt": "c\n" });
    put(tree, { "new.txt": "n\n" });
    await bring("rebase", "Last");
    expect(log(folder)).toEqual(["Last", "Größe", "theirs", "one"]);
    expect(git(folder, "log", "--format=%an", "-1", "HEAD^")).toBe("Zoë");
    expect(git(tree, "rev-parse", "HEAD")).toBe(git(folder, "rev-parse", "HEAD"));
    expect([status(folder), status(tree), read(tree, "c.txt"), read(folder, "a.txt")]).toEqual([
      "",
      "",
      "c\n",
      "first\n",
    ]);
  });

  it("applies a patch without a commit, and keeps the branch", async () => {
    await begin();
    commit(tree, "two", { "a.txt": "two\n" });
    put(tree, { "sub/new.txt": "n\n" });
    const head = git(folder, "rev-parse", "HEAD");
    const patched = await bring("patch");
    expect([git(folder, "rev-parse", "HEAD"), status(folder)]).toEqual([head, "M a.txt\n?? sub/"]);
    expect(status(tree)).toBe("?? sub/");
    expect((await look()).ways.patch).toMatchObject({ why: "in-the-way", files: ["a.txt", "sub/new.txt"] });
    await takeBacks.reverse(thread, patched.id, person);
    expect(status(folder)).toBe("");
    await bring("keep", "Kept");
    expect([log(tree)[0], status(tree), git(folder, "rev-parse", "HEAD")]).toEqual(["Kept", "", head]);
  });

  it("replaces nothing that the person did not commit, and names it", async () => {
    await begin({ "staged.txt": "s\n", "folder/x": "x\n" });
    put(tree, { "a.txt": "t\n", "staged.txt": "t\n", "new.txt": "t\n", "deep/in": "t\n" });
    rmSync(join(tree, "folder"), { recursive: true });
    put(tree, { folder: "now a file\n" });
    put(folder, {
      "a.txt": "mine\n",
      "staged.txt": "mine\n",
      "new.txt": "mine\n",
      deep: "mine\n",
      "folder/own": "mine\n",
    });
    git(folder, "add", "staged.txt");
    put(folder, { "staged.txt": "s\n" });
    // Git is told to look away, which changes nothing of what is there.
    git(folder, "update-index", "--assume-unchanged", "a.txt");
    const { ways } = await look();
    expect(ways.merge).toEqual({
      why: "in-the-way",
      files: ["a.txt", "deep/in", "folder", "new.txt", "staged.txt"],
    });
    expect(ways.patch).toMatchObject({ why: "in-the-way" });
    await expect(bring("merge")).rejects.toMatchObject({ code: "conflict" });
    expect([read(folder, "a.txt"), read(folder, "new.txt"), read(folder, "folder/own")]).toEqual([
      "mine\n",
      "mine\n",
      "mine\n",
    ]);
  });

  it("waits for no lock of another git, and undoes nothing that went on: all is as before then", async () => {
    await begin();
    put(tree, { "a.txt": "t\n" });
    const lock = join(folder, ".git/index.lock");
    writeFileSync(lock, "");
    await expect(bring("merge")).rejects.toThrow("Git is at work");
    expect([log(folder), log(tree), existsSync(lock)]).toEqual([["one"], ["one"], true]);
    rmSync(lock);
    expect([status(folder), status(tree)]).toEqual(["", "M a.txt"]);
    const done = await bring("merge");
    git(folder, "checkout", "-q", "-b", "other");
    await expect(takeBacks.reverse(thread, done.id, person)).rejects.toMatchObject({ code: "stale" });
    git(folder, "checkout", "-q", "main");
    commit(folder, "mine", { "z.txt": "z\n" });
    await expect(takeBacks.reverse(thread, done.id, person)).rejects.toMatchObject({ code: "stale" });
    expect([log(folder)[0], read(folder, "a.txt"), status(folder), status(tree)]).toEqual([
      "mine",
      "t\n",
      "",
      "",
    ]);
  });

  it("lists conflicts beforehand, and does nothing that was not shown", async () => {
    await begin();
    put(tree, { "a.txt": "tree\n" });
    const { digest } = await look();
    commit(folder, "theirs", { "a.txt": "folder\n" });
    await expect(desk.bring(thread, "merge", digest, "x", person)).rejects.toMatchObject({ code: "stale" });
    const { ways } = await look();
    for (const way of ["merge", "rebase", "patch"] as const)
      expect(ways[way]).toEqual({ why: "conflicts", files: ["a.txt"] });
    expect([log(folder)[0], status(tree)]).toEqual(["theirs", "M a.txt"]);
  });

  it("says why a way is closed: no branch, no commit, a merge underway, a branch that is checked out elsewhere", async () => {
    await begin();
    put(tree, { "a.txt": "t\n" });
    git(folder, "checkout", "-q", "--detach");
    expect((await look()).ways).toMatchObject({
      merge: { why: "no-target" },
      patch: { isForward: true },
      keep: { moves: [] },
    });
    git(folder, "checkout", "-q", "--orphan", "unborn");
    expect((await look()).ways).toMatchObject({ merge: { why: "no-commit" }, patch: { why: "no-commit" } });
    git(folder, "checkout", "-q", "-f", "main");
    git(folder, "worktree", "add", "-q", "-f", join(root, "second"), "main");
    expect((await look()).ways.merge).toMatchObject({ why: "checked-out-elsewhere" });
    git(folder, "worktree", "remove", join(root, "second"));
    writeFileSync(join(folder, ".git/MERGE_HEAD"), git(folder, "rev-parse", "HEAD"));
    expect((await look()).ways).toMatchObject({ merge: { why: "underway" }, patch: { why: "underway" } });
    rmSync(join(folder, ".git/MERGE_HEAD"));
    git(tree, "checkout", "-q", "--detach");
    expect((await look()).ways).toMatchObject({
      merge: { why: "no-branch" },
      keep: { why: "no-branch" },
      patch: { isForward: true },
    });
  });

  it("runs no program of the repository, and takes a merge that one would make for a conflict", async () => {
    await begin({ ".gitattributes": "a.txt merge=odd diff=odd\n" });
    const ran = join(root, "ran");
    const trap = join(root, "trap");
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${ran}'\nexit 0\n`, { mode: 0o755 });
    for (const key of [
      "merge.odd.driver",
      "diff.odd.command",
      "diff.odd.textconv",
      "diff.external",
      "core.fsmonitor",
      "gpg.program",
    ])
      git(folder, "config", key, trap);
    git(folder, "config", "commit.gpgSign", "true");
    for (const name of ["pre-commit", "reference-transaction", "post-merge", "post-index-change"]) {
      mkdirSync(join(folder, ".git/hooks"), { recursive: true });
      writeFileSync(join(folder, ".git/hooks", name), `#!/bin/sh\necho hook >> '${ran}'\n`, { mode: 0o755 });
    }
    put(tree, { "a.txt": "tree\n", "other.txt": "o\n" });
    put(folder, { "a.txt": "folder\n" });
    execFileSync(
      "git",
      [
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "commit.gpgSign=false",
        "commit",
        "-qam",
        "theirs",
      ],
      { cwd: folder, env: gitEnv },
    );
    expect((await look()).ways.merge).toEqual({ why: "conflicts", files: ["a.txt"] });
    put(tree, { "a.txt": "a\n" });
    await bring("merge");
    await desk.file(thread, "other.txt").catch(() => undefined);
    expect(existsSync(ran)).toBe(false);
    expect(read(folder, "other.txt")).toBe("o\n");
  });

  it("leaves a submodule as it is, and refuses a repository inside that git does not know", async () => {
    await begin();
    const inner = join(root, "inner");
    mkdirSync(inner);
    git(inner, "init", "-q");
    commit(inner, "in", { x: "x" });
    git(tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "mod");
    commit(tree, "with a module");
    put(join(tree, "mod"), { x: "changed" });
    await bring("merge");
    expect(git(folder, "ls-files", "-s", "mod")).toMatch(/^160000/);
    expect(read(folder, ".gitmodules")).toContain("mod");
    put(tree, { "nested/y": "y" });
    git(join(tree, "nested"), "init", "-q");
    commit(join(tree, "nested"), "n");
    await expect(look()).rejects.toThrow("nested/ holds a repository of its own");
  });
});

describe("pieces and words", () => {
  it("puts one piece back, whatever stands around it", () => {
    const cases: [string, string][] = [
      ["", "a\n"],
      ["a\n", ""],
      ["a", "a\n"],
      [many(), many((line) => (line % 9 === 0 ? `x${line}` : String(line)))],
      [many(), `${many()}end`],
      ["a\r\nb\r\n", "a\r\nc\r\n"],
    ];
    for (const [before, after] of cases) {
      let text = after;
      for (let left = hunksOf(before, text); left.length > 0; left = hunksOf(before, text))
        text = withoutHunk(text, left[0]!);
      expect(text).toBe(before);
    }
  });

  it("proposes a message from the title and the files", () => {
    expect(proposeMessage("Fix\nthe rows", ["a.txt"])).toBe("Fix the rows\n\n- a.txt");
    expect(proposeMessage("", [])).toBe("Changes of a thread");
    expect(proposeMessage("日".repeat(100), []).length).toBe(72);
  });
});
