import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readPatterns } from "./include-files.ts";
import { git, makeRepository, openWorktrees, put, type TestWorktrees } from "./testing/test-worktrees.ts";

let trees: TestWorktrees;

beforeEach(() => {
  trees = openWorktrees();
});

describe("a worktree", () => {
  it("gets the ignored files that the repository names, and none through a link that leads out", async () => {
    makeRepository(trees.repository, {
      ".gitignore": ".env*\ncache/\nbuild/\n",
      ".worktreeinclude": ".env*\na.txt\nout/x\n# link\ncache/\n",
      "a.txt": "a\n",
    });
    put(trees.repository, { ".env": "S=1\n", ".env.local": "L=1\n", "cache/big": "big\n", "build/b": "b\n" });
    const { worktree, made } = await trees.make();
    expect(readFileSync(join(worktree.path, ".env"), "utf8")).toBe("S=1\n");
    expect(readFileSync(join(worktree.path, ".env.local"), "utf8")).toBe("L=1\n");
    expect(realpathSync(join(worktree.path, "cache"))).toBe(join(trees.repository, "cache"));
    expect(existsSync(join(worktree.path, "build"))).toBe(false);
    expect(made.missed).toBe(0);
    expect(readPatterns("# a remark\n*.a\n#link\n*.b\n# copy\n*.c\n")).toEqual({
      copy: ["*.a", "*.c"],
      link: ["*.b"],
    });
  });

  it("puts no file where a link of the repository leads out", async () => {
    const outside = join(trees.root, "outside");
    mkdirSync(outside);
    makeRepository(trees.repository, { ".gitignore": "dir/x\n", ".worktreeinclude": "dir/x\n" });
    symlinkSync(outside, join(trees.repository, "dir"));
    git(trees.repository, "add", "dir");
    git(trees.repository, "commit", "-q", "-m", "link");
    rmSync(join(trees.repository, "dir"));
    put(trees.repository, { "dir/x": "x\n" });
    const { made } = await trees.make();
    expect(existsSync(join(outside, "x"))).toBe(false);
    expect(made.missed).toBe(1);
  });
});
