/** The list of files that git holds, read as git reads it, or unknown. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGitIndex } from "./git-index.ts";
import { commit, git, makeRepository, secretsOf, verdictIn } from "./testing/git-repository.ts";

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
    expect(readGitIndex(folder)?.entries.map(({ name }) => name)).toEqual(listed);
    expect(secretsOf(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it("is read of a second work tree, and sees secrets in folders and in conflicts", () => {
    const folder = makeRepository();
    mkdirSync(join(folder, ".ssh"));
    writeFileSync(join(folder, ".ssh/config"), "x");
    commit(folder, "one");
    const second = join(folder, "../", `${folder.split("/").at(-1)}-second`);
    git(folder, "worktree", "add", "--quiet", second);
    expect(secretsOf(second)).toEqual([".ssh/config"]);
    rmSync(folder, { recursive: true });
    rmSync(second, { recursive: true });
  });

  it("is unknown where it is split, sparse, cut or of another kind, and then git asks", () => {
    const folder = makeRepository();
    commit(folder, "one");
    expect(verdictIn(folder, "git diff HEAD")).toBe("safe");
    git(folder, "update-index", "--split-index");
    writeFileSync(join(folder, "src/b.ts"), "");
    git(folder, "add", "src/b.ts");
    expect(secretsOf(folder)).toBe("unknown");
    expect(verdictIn(folder, "git diff HEAD")).toBe("ask");
    git(folder, "update-index", "--no-split-index");
    git(folder, "sparse-checkout", "set", "--cone", "--sparse-index", "other");
    expect(secretsOf(folder)).toBe("unknown");
    git(folder, "sparse-checkout", "disable");
    const whole = readFileSync(join(folder, ".git/index"));
    expect(secretsOf(folder)).toEqual([]);
    for (const bytes of [
      Buffer.concat([whole, Buffer.alloc(3)]),
      "",
      "DIRC",
      "DIRC\0\0\0\u0005\0\0\0\0",
      "DIRC\0\0\0\u0002\0\0\0\u0009",
    ]) {
      writeFileSync(join(folder, ".git/index"), bytes);
      expect(secretsOf(folder)).toBe("unknown");
    }
    rmSync(folder, { recursive: true });
  });
});
