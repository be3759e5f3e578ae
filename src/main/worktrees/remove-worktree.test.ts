/** What goes with a worktree and what stays, and a host that dies in the middle, with real git. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { keptRef } from "./keep-changes.ts";
import { makeWorktree } from "./make-worktree.ts";
import { endUnfinished, removeWorktree } from "./remove-worktree.ts";
import { safeGit } from "./safe-git.ts";
import {
  diesAfter,
  firstId,
  git,
  makeRepository,
  openWorktrees,
  put,
  type TestWorktrees,
  thread,
} from "./testing/test-worktrees.ts";

let trees: TestWorktrees;

beforeEach(() => {
  trees = openWorktrees();
});

describe("when a worktree goes", () => {
  it("a branch on which nothing happened goes with it, and nothing is kept", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    expect(await removeWorktree(worktree, trees.parts)).toEqual({ ref: undefined, files: 0 });
    expect(git(trees.repository, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(git(trees.repository, "worktree", "list")).not.toContain(firstId);
    expect(existsSync(join(trees.parts.folder, firstId))).toBe(false);
    expect(trees.parts.store.at(worktree.path)).toBeUndefined();
  });

  it("it stays where it holds a repository of its own, or where nothing can be kept", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    makeRepository(join(worktree.path, "inner"));
    await expect(removeWorktree(worktree, trees.parts)).rejects.toThrow(
      "inner/ holds a repository of its own",
    );
    expect(readFileSync(join(worktree.path, "inner/a.txt"), "utf8")).toBe("a\n");
    rmSync(join(worktree.path, "inner"), { recursive: true });
    put(worktree.path, { "b.txt": "b\n" });
    const full: typeof safeGit = (place, args, options) =>
      args[0] === "hash-object"
        ? Promise.resolve({ ok: false, out: "", why: "No space left on device" })
        : safeGit(place, args, options);
    await expect(removeWorktree(worktree, { ...trees.parts, git: full })).rejects.toThrow("No space left");
    expect(readFileSync(join(worktree.path, "b.txt"), "utf8")).toBe("b\n");
    expect(trees.parts.store.at(worktree.path)?.state).toBe("there");
    expect(git(worktree.path, "status", "--porcelain")).toBe("?? b.txt\n");
  });

  it.each([
    ["with work in it", true],
    ["without", false],
  ])("no branch is moved or deleted that a ref of its own leads to, %s", async (_, hasWork) => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    for (const ref of [`refs/heads/${worktree.branch}`, keptRef(firstId)])
      git(trees.repository, "symbolic-ref", ref, "refs/heads/main");
    const before = git(trees.repository, "rev-parse", "refs/heads/main");
    if (hasWork) put(worktree.path, { "b.txt": "b\n" });
    await removeWorktree(worktree, trees.parts);
    expect(git(trees.repository, "rev-parse", "refs/heads/main")).toBe(before);
    if (hasWork) expect(trees.keptText("b.txt")).toBe("b\n");
  });

  it("a link that stands in its place is left, with the folder that it leads to", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    const outside = join(trees.root, "outside");
    put(outside, { "a.txt": "mine\n" });
    rmSync(worktree.path, { recursive: true });
    symlinkSync(outside, worktree.path);
    await expect(removeWorktree(worktree, trees.parts)).rejects.toThrow("something else stands in its place");
    expect(readFileSync(join(worktree.path, "a.txt"), "utf8")).toBe("mine\n");
    // Until it is gone it loses its trust with the folder's.
    trees.parts.store.setState(firstId, "going");
    expect(trees.parts.store.madeFor(trees.repository)).toHaveLength(1);
  });

  it("it stays where its repository is gone, and is not followed to where a person moved it", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    const moved = join(trees.root, "moved");
    git(trees.repository, "worktree", "move", "-f", "-f", worktree.path, moved);
    expect(await removeWorktree(worktree, trees.parts)).toEqual({ ref: undefined, files: 0 });
    expect(git(moved, "rev-parse", "--abbrev-ref", "HEAD")).toBe("countersign/fix-the-rows\n");
    const second = await trees.make("Second", `${firstId}-2`);
    put(second.worktree.path, { "b.txt": "b\n" });
    rmSync(trees.repository, { recursive: true });
    await expect(removeWorktree(second.worktree, trees.parts)).rejects.toThrow("is gone");
    expect(readFileSync(join(second.worktree.path, "b.txt"), "utf8")).toBe("b\n");
  });

  it("what something puts in its place meanwhile stays, and so does the rest of it", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    put(worktree.path, { "b.txt": "b\n" });
    const { git: dying, died } = diesAfter("hash-object", 1);
    void removeWorktree(worktree, { ...trees.parts, git: dying });
    await died;
    put(worktree.path, { "late.txt": "late\n" });
    const ends = await endUnfinished(trees.parts);
    const [, aside] = /the rest is in (.*)$/.exec(ends[0]?.why ?? "")!;
    expect(readFileSync(join(aside!, "b.txt"), "utf8")).toBe("b\n");
    expect(readFileSync(join(worktree.path, "late.txt"), "utf8")).toBe("late\n");
  });

  it("what something puts in its place once all of it was kept stays", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    put(worktree.path, { "b.txt": "b\n" });
    const late: typeof safeGit = async (place, args, options) => {
      if (args[0] === "update-ref" && args.includes(keptRef(firstId)))
        put(worktree.path, { "late.txt": "late\n" });
      return safeGit(place, args, options);
    };
    await removeWorktree(worktree, { ...trees.parts, git: late });
    expect(trees.keptText("b.txt")).toBe("b\n");
    expect(readFileSync(join(worktree.path, "late.txt"), "utf8")).toBe("late\n");
  });

  it("those that other tools made are never touched", async () => {
    makeRepository(trees.repository);
    const other = join(trees.root, "other");
    git(trees.repository, "worktree", "add", "-q", other);
    const lost = join(trees.root, "lost");
    git(trees.repository, "worktree", "add", "-q", lost);
    rmSync(lost, { recursive: true });
    const before = git(trees.repository, "worktree", "list", "--porcelain");
    const { worktree } = await trees.make();
    await removeWorktree(worktree, trees.parts);
    await endUnfinished(trees.parts);
    expect(git(trees.repository, "worktree", "list", "--porcelain")).toBe(before);
  });
});

it("while another git holds the list of branches, the next start takes the branch away", async () => {
  makeRepository(trees.repository);
  const { worktree } = await trees.make();
  const lock = join(trees.repository, ".git/packed-refs.lock");
  writeFileSync(lock, "");
  expect(await removeWorktree(worktree, trees.parts)).toEqual({ ref: undefined, files: 0 });
  expect(existsSync(join(trees.parts.folder, firstId))).toBe(false);
  rmSync(lock);
  await endUnfinished(trees.parts);
  expect(git(trees.repository, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
  expect(git(trees.repository, "worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(trees.parts.store.unfinished()).toEqual([]);
});

describe("when the app dies", () => {
  it("before the branch of a removed one went, the next start takes it away", async () => {
    makeRepository(trees.repository);
    const { worktree } = await trees.make();
    const asked = Promise.withResolvers<void>();
    void removeWorktree(worktree, {
      ...trees.parts,
      git: (place, args, options) => {
        if (!args.includes("-d")) return trees.parts.git(place, args, options);
        asked.resolve();
        return new Promise(() => {});
      },
    });
    await asked.promise;
    await endUnfinished(trees.parts);
    expect(git(trees.repository, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
  });

  it("while one is made, the next start leaves nothing of it, and the thread still wants one", async () => {
    makeRepository(trees.repository);
    trees.parts.store.want(firstId, thread, trees.repository);
    const { git: dying, died } = diesAfter("add", 1);
    void makeWorktree(
      { id: firstId, origin: trees.repository },
      "Rows",
      { ...trees.parts, git: dying },
      () => {},
    );
    await died;
    writeFileSync(join(trees.repository, ".git/refs/heads/countersign/rows.lock"), "");
    expect(await endUnfinished(trees.parts)).toEqual([]);
    expect(git(trees.repository, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(git(trees.repository, "worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(existsSync(join(trees.repository, ".git/refs/heads/countersign/rows.lock"))).toBe(false);
    expect(trees.parts.store.wanted(thread)).toEqual({ id: firstId, origin: trees.repository });
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
      makeRepository(trees.repository);
      const { worktree } = await trees.make();
      put(worktree.path, { "a.txt": "staged\n" });
      git(worktree.path, "add", "-A");
      put(worktree.path, { "a.txt": "changed\n", "new.txt": "n\n" });
      const { git: dying, died } = diesAfter(step, nth);
      void removeWorktree(worktree, { ...trees.parts, git: dying });
      await died;
      const locks = [keptRef(firstId), `refs/heads/${worktree.branch}`].map((ref) =>
        join(trees.repository, `.git/${ref}.lock`),
      );
      for (const lock of locks) {
        mkdirSync(dirname(lock), { recursive: true });
        writeFileSync(lock, "");
      }
      await endUnfinished(trees.parts);
      expect(locks.filter((lock) => existsSync(lock))).toEqual([]);
      expect([trees.keptText("a.txt"), trees.keptText("new.txt")]).toEqual(["changed\n", "n\n"]);
      expect(git(trees.repository, "show", `${keptRef(firstId)}^2:a.txt`)).toBe("staged\n");
      expect(git(trees.repository, "worktree", "list").trim().split("\n")).toHaveLength(1);
      expect(
        existsSync(join(trees.parts.folder, firstId)) ||
          existsSync(join(trees.parts.folder, `${firstId}-going`)),
      ).toBe(false);
      expect(trees.parts.store.unfinished()).toEqual([]);
    },
  );
});
