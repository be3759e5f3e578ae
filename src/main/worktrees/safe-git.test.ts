/** What git runs by itself in a repository of somebody else: nothing. */
import { appendFileSync, chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { removeWorktree } from "./remove-worktree.ts";
import { safeGit } from "./safe-git.ts";
import { git, makeRepository, openWorktrees, put, type TestWorktrees } from "./testing/test-worktrees.ts";
import { findStanding } from "./worktree-standing.ts";

let trees: TestWorktrees;

beforeEach(() => {
  trees = openWorktrees();
});

describe("git in a repository that is not trusted", () => {
  it("runs nothing that the repository's settings name, and fetches nothing", async () => {
    makeRepository(trees.repository, { "a.txt": "a\n", ".gitattributes": "*.txt filter=odd\n" });
    const trap = join(trees.root, "trap");
    const ran = join(trees.root, "ran");
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${ran}'\ncat\n`);
    chmodSync(trap, 0o755);
    for (const name of ["post-checkout", "reference-transaction", "post-index-change"]) {
      const hook = join(trees.repository, ".git/hooks", name);
      mkdirSync(join(trees.repository, ".git/hooks"), { recursive: true });
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
      git(trees.repository, "config", key, trap);
    git(trees.repository, "config", "filter.odd.required", "true");
    const { worktree } = await trees.make();
    put(worktree.path, { "a.txt": "changed\n", "new.txt": "new\n" });
    await findStanding(safeGit, worktree);
    await removeWorktree(worktree, trees.parts);
    expect(existsSync(ran)).toBe(false);
    expect(trees.keptText("a.txt")).toBe("changed\n");
  });

  it.each([
    ["with = in its name", "o=d", undefined],
    ["without a name", "", undefined],
    ["on branches of threads only", "late", "onbranch:countersign/**"],
    ["in work trees only", "late", "gitdir:**/worktrees/**"],
  ])("runs no program for contents that is set %s", async (_, name, condition) => {
    makeRepository(trees.repository, { "a.txt": "a\n", ".gitattributes": `*.txt filter=${name}\n` });
    const [trap, ran, more] = [join(trees.root, "trap"), join(trees.root, "ran"), join(trees.root, "more")];
    writeFileSync(trap, `#!/bin/sh\necho ran >> '${ran}'\ncat\n`);
    chmodSync(trap, 0o755);
    writeFileSync(more, `[filter "${name}"]\nsmudge = ${trap}\nclean = ${trap}\nrequired = true\n`);
    const section = condition === undefined ? "include" : `includeIf "${condition}"`;
    appendFileSync(join(trees.repository, ".git/config"), `[${section}]\npath = ${more}\n`);
    const { worktree } = await trees.make();
    // As long as before, so that git compares contents.
    put(worktree.path, { "a.txt": "b\n" });
    expect(await findStanding(safeGit, worktree)).toMatchObject({ dirty: 1 });
    await removeWorktree(worktree, trees.parts);
    expect(existsSync(ran)).toBe(false);
    expect(trees.keptText("a.txt")).toBe("b\n");
    git(trees.repository, "worktree", "add", "-q", "-b", "countersign/by-hand", join(trees.root, "by-hand"));
    expect(existsSync(ran)).toBe(true);
  });

  it("is not one that lies in the folder it is asked about, wherever PATH begins", async () => {
    makeRepository(trees.repository);
    const ran = join(trees.root, "ran");
    writeFileSync(join(trees.repository, "git"), `#!/bin/sh\necho ran >> '${ran}'\n`, { mode: 0o755 });
    vi.stubEnv("PATH", `${delimiter}.${delimiter}${process.env.PATH}`);
    const { out } = await safeGit({ cwd: trees.repository }, ["symbolic-ref", "HEAD"]);
    vi.unstubAllEnvs();
    expect([out, existsSync(ran)]).toEqual(["refs/heads/main\n", false]);
  });

  it("fetches nothing, whatever a setting says of one protocol", async () => {
    makeRepository(trees.repository);
    git(trees.repository, "config", "protocol.file.allow", "always");
    const fetched = await safeGit({ cwd: trees.repository }, ["fetch", `file://${trees.repository}`]);
    expect(fetched.why).toContain("transport 'file' not allowed");
  });

  it("asks for no hook that settings name", async () => {
    makeRepository(trees.repository);
    appendFileSync(
      join(trees.repository, ".git/config"),
      '[hook "a=b"]\nevent = post-checkout\ncommand = x\n',
    );
    const { out } = await safeGit({ cwd: trees.repository }, ["config", "--get", "hook.a=b.enabled"]);
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
    makeRepository(trees.repository);
    appendFileSync(join(trees.repository, ".git/config"), Buffer.from(text, "latin1"));
    expect(await safeGit({ cwd: trees.repository }, ["version"])).toMatchObject({ ok: false, out: "" });
  });
});
