/** Brings worktrees of real repositories home, with real files, branches and indexes. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { beginHome, commit, git, log, many, read, status } from "./testing/test-home.ts";
import { gitEnv, makeRepository, put, thread } from "./testing/test-worktrees.ts";

const person = { kind: "person" } as const;

describe("what a worktree brings home", () => {
  it("is shown by file, committed or not, with renames, modes, binaries, odd names and links", async () => {
    const { folder, tree, desk, look, bring } = await beginHome({
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
    const { tree, desk, takeBacks, look } = await beginHome();
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
    const { folder, tree, takeBacks, bring } = await beginHome({ "own.txt": "own\n" });
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

  it("merges into the work tree of a bare repository, and undoes it", async () => {
    const { root, folder, tree, takeBacks, bring } = await beginHome({}, (root, folder) => {
      git(root, "clone", "-q", "--bare", makeRepository(join(root, "seed"), { "s.txt": "s\n" }), "store.git");
      git(join(root, "store.git"), "worktree", "add", "-q", folder, "main");
    });
    commit(folder, "theirs", { "c.txt": "c\n" });
    const head = git(folder, "rev-parse", "HEAD");
    put(tree, { "a.txt": "changed\n", "sub/é ü.txt": "new\n" });
    const done = await bring("merge");
    expect([read(folder, "a.txt"), read(folder, "sub/é ü.txt"), status(folder)]).toEqual([
      ...["changed\n", "new\n", ""],
    ]);
    expect(git(join(root, "store.git"), "rev-parse", "main")).toBe(git(folder, "rev-parse", "HEAD"));
    await takeBacks.reverse(thread, done.id, person);
    expect([git(folder, "rev-parse", "HEAD"), read(folder, "a.txt"), status(folder)]).toEqual([
      head,
      "a\n",
      "",
    ]);
  });

  it("rebases each commit with its author and words, and moves both branches forward", async () => {
    const { folder, tree, bring } = await beginHome();
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
    const { folder, tree, takeBacks, look, bring } = await beginHome();
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
});
