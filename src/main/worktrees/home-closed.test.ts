/** What stands against bringing a worktree home, and what must not happen on the way: real repositories, branches and indexes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { beginHome, commit, git, log, read, status } from "./testing/test-home.ts";
import { gitEnv, put, thread } from "./testing/test-worktrees.ts";

const person = { kind: "person" } as const;

describe("bringing home", () => {
  it("replaces nothing that the person did not commit, and names it", async () => {
    const { folder, tree, look, bring } = await beginHome({ "staged.txt": "s\n", "folder/x": "x\n" });
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
    const { folder, tree, takeBacks, bring } = await beginHome();
    put(tree, { "a.txt": "t\n" });
    const lock = join(folder, ".git/index.lock");
    writeFileSync(lock, "");
    await expect(bring("merge")).rejects.toThrow("Git is at work");
    expect([log(folder), log(tree), existsSync(lock)]).toEqual([["one"], ["one"], true]);
    rmSync(lock);
    expect([status(folder), status(tree)]).toEqual(["", "M a.txt"]);
    const held = join(folder, ".git/refs/heads/main.lock");
    writeFileSync(held, "");
    await expect(bring("merge")).rejects.toThrow(/Git said: .*main\.lock/s);
    expect([log(folder), status(folder), log(tree), status(tree)]).toEqual([["one"], "", ["one"], "M a.txt"]);
    expect(existsSync(lock)).toBe(false);
    rmSync(held);
    // It is held by who removes branches, which moving one does not need.
    writeFileSync(join(folder, ".git/packed-refs.lock"), "");
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

  it("leaves the lock of another git beside one of its own that the app's end left", async () => {
    const { folder, tree, takeBacks, bring } = await beginHome();
    put(tree, { "a.txt": "t\n" });
    const done = await bring("merge");
    const [lock, own] = ["index", `countersign-${done.what.repository!.id}`].map((name) =>
      join(folder, `.git/${name}.lock`),
    );
    for (const each of [lock!, own!]) writeFileSync(each, "");
    await expect(takeBacks.reverse(thread, done.id, person)).rejects.toThrow("Git is at work");
    expect([existsSync(lock!), existsSync(own!)]).toEqual([true, false]);
  });

  it("replaces no file that git ignores in the worktree, and has no patch of commits that change no file", async () => {
    const { folder, tree, look } = await beginHome({ ".gitignore": "made\n" });
    git(tree, "commit", "-q", "--allow-empty", "-m", "nothing");
    expect((await look()).ways).toMatchObject({ merge: { moves: [] }, patch: { why: "nothing" } });
    put(tree, { "a.txt": "t\n", made: "mine\n" });
    put(folder, { made: "theirs\n" });
    git(folder, "add", "-f", "made");
    commit(folder, "theirs", {});
    expect((await look()).ways).toMatchObject({
      merge: { isForward: false },
      rebase: { why: "in-the-way", files: ["made"] },
    });
  });

  it("lists conflicts beforehand, and does nothing that was not shown", async () => {
    const { folder, tree, desk, look } = await beginHome();
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
    const { root, folder, tree, look } = await beginHome();
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
    git(folder, "worktree", "add", "-q", "-f", join(root, "third"), "countersign/fix-the-rows");
    expect((await look()).ways).toMatchObject({
      merge: { why: "checked-out-elsewhere" },
      keep: { why: "checked-out-elsewhere" },
    });
    git(folder, "worktree", "remove", join(root, "third"));
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
    const { root, folder, tree, desk, look, bring } = await beginHome({
      ".gitattributes": "a.txt merge=odd diff=odd\n",
    });
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

  it("writes nothing outside of a sparse checkout, and no file that LFS would store, and names them", async () => {
    const { folder, tree, look, bring } = await beginHome({
      ...{ "in/a.txt": "a\n", "out/b.txt": "b\n", "in/large.bin": "version https://git-lfs\n" },
      ".gitattributes": "*.bin filter=lfs\n",
    });
    git(folder, "sparse-checkout", "set", "in");
    put(tree, { "in/a.txt": "theirs\n", "out/b.txt": "theirs\n" });
    expect((await look()).ways.merge).toEqual({ why: "in-the-way", files: ["out/b.txt"] });
    put(tree, { "out/b.txt": "b\n" });
    await bring("merge");
    expect([read(folder, "in/a.txt"), existsSync(join(folder, "out")), status(folder)]).toEqual([
      "theirs\n",
      false,
      "",
    ]);
    commit(tree, "pointer", { "in/large.bin": "version https://git-lfs, another\n" });
    git(folder, "config", "filter.lfs.clean", "false");
    expect((await look()).ways.merge).toEqual({ why: "cannot-write", files: ["in/large.bin"] });
  });

  it("leaves a submodule as it is, and refuses a repository inside that git does not know", async () => {
    const { root, folder, tree, look, bring } = await beginHome();
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
