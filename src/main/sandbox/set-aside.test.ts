import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mostGuardedPlaces } from "./guarded-places.ts";
import { noteBefore, setAside } from "./set-aside.ts";
import { setAsideLeft } from "./set-aside-left.ts";

function makeFolder(...files: string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-aside-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, "w");
  mkdirSync(workspace);
  const put = (name: string, text = "x") => {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  };
  for (const file of files) put(file);
  const note = join(root, "note");
  const before = noteBefore(note, [workspace]);
  return { root, workspace, put, note, aside: () => setAside(before).toSorted() };
}

const repository = (root: string) =>
  ["objects/x", "refs/x", "HEAD", "config"].map((name) => `${root}/${name}`);

describe.skipIf(process.platform !== "linux")("what a command newly made that steers others", () => {
  it("is moved aside also in a folder that took the place of the one that was there", () => {
    const { workspace, put, aside } = makeFolder(".github/workflows/ci.yml", ...repository("deep/er/.git"));
    for (const name of [".github", "deep"]) renameSync(join(workspace, name), join(workspace, `${name}2`));
    put(".github/workflows/ci.yml", "evil");
    for (const file of repository("deep/er/.git")) put(file, "evil");
    expect(aside()).toEqual([".github/workflows.made-confined", "deep/er/.git/config.made-confined"]);
    expect(existsSync(join(workspace, ".github2/workflows/ci.yml"))).toBe(true);
  });

  it.each(["hooks", "config.worktree", "commondir", "info/attributes", "modules", "remotes", "branches"])(
    "is moved aside in git's own folder where it makes git run or read something: %s",
    (name) => {
      const { put, aside } = makeFolder(".git/objects/x", ".git/refs/x", ".git/HEAD", ".git/config");
      put(`.git/${name}${/hooks|modules|remotes|branches/.test(name) ? "/x" : ""}`, "evil");
      expect(aside()).toEqual([`.git/${name}.made-confined`]);
    },
  );

  it("is moved aside below as well where agents and shells obey it there, and nothing that builds run when they are started", () => {
    const { put, aside } = makeFolder("a/AGENTS.md", "a/b/x");
    for (const file of [
      "a/AGENTS.md",
      "a/b/AGENTS.md",
      "a/b/c/d/e/f/CLAUDE.md",
      "a/b/.envrc",
      "a/.cursor/rules",
      "a/.vscode/tasks.json",
    ])
      put(file, "evil");
    for (const file of ["Makefile", "package.json", "conftest.py", "build.rs", "tox.ini", "justfile"])
      put(file);
    expect(aside()).toEqual([
      "a/.cursor.made-confined",
      "a/b/.envrc.made-confined",
      "a/b/AGENTS.md.made-confined",
      "a/b/c/d/e/f/CLAUDE.md.made-confined",
    ]);
  });

  it("is none of what was there, however it was changed or put in its place by a person", () => {
    const { workspace, put, aside } = makeFolder("AGENTS.md", ".vscode/tasks.json", ...repository(".git"));
    put("AGENTS.md.new");
    renameSync(join(workspace, "AGENTS.md.new"), join(workspace, "AGENTS.md"));
    put(".vscode/more.json");
    put(".git/objects/y");
    expect(aside()).toEqual([]);
  });

  it("is what another command changed where this one had moved its folder, and not what git itself writes there", () => {
    const { workspace, put, aside } = makeFolder(
      ...[...repository("deep/er/.git"), "deep/er/.git/hooks/post-merge"],
      ...[...repository("other/.git"), "other/.git/hooks/post-merge", "other/.git/modules/sub/HEAD"],
    );
    const [there, elsewhere] = ["deep", "node_modules"].map((name) => join(workspace, name)) as [
      string,
      string,
    ];
    renameSync(there, elsewhere);
    put("node_modules/er/.git/hooks/pre-commit", "evil");
    renameSync(elsewhere, there);
    renameSync(join(workspace, "other"), join(workspace, "moved"));
    for (const name of ["index", "objects/y", "modules/sub/index"]) put(`moved/.git/${name}`);
    expect(aside()).toEqual(["deep/er/.git/hooks.made-confined"]);
  });

  it("is what agents obey below where another command could write that, or this one because there is too much to guard", () => {
    const obeyed = ["a/AGENTS.md", "a/.claude/commands/go.md", "b/CLAUDE.md", "c/mise.toml"];
    const { workspace, put } = makeFolder(...obeyed, ".github/workflows/ci.yml", "AGENTS.md");
    const [alone, among] = [setAsideOf(workspace), setAsideOf(workspace, true)];
    renameSync(join(workspace, "c"), join(workspace, "c2"));
    for (const name of [...obeyed.slice(0, 2), ".github/workflows/ci.yml", "AGENTS.md"]) put(name, "evil");
    expect(alone()).toEqual([]);
    const changed = [".github/workflows", "a/.claude", "a/AGENTS.md"];
    expect(among()).toEqual(changed.map((name) => `${name}.made-confined`));
    for (let at = 0; at < mostGuardedPlaces; at += 1) put(`p${at}/AGENTS.md`);
    const many = setAsideOf(workspace);
    put("p49/AGENTS.md", "evil");
    expect(many()).toEqual(["p49/AGENTS.md.made-confined"]);
  });

  it("is a link in git's own folder, which git would write through, and not one that was there", () => {
    const { workspace, put, aside } = makeFolder(
      ...repository(".git"),
      ".git/logs/HEAD",
      ".git/COMMIT_EDITMSG",
    );
    for (const name of ["COMMIT_EDITMSG", "logs/HEAD"]) {
      rmSync(join(workspace, ".git", name));
      symlinkSync("/dev/null", join(workspace, ".git", name));
    }
    put(".git/MERGE_MSG");
    const known = setAsideOf(workspace);
    expect(known()).toEqual([]);
    expect(aside()).toEqual([".git/COMMIT_EDITMSG.made-confined", ".git/logs/HEAD.made-confined"]);
  });

  it("are steps of a rebase that run a program, unless the same ones waited before", () => {
    const list = ".git/rebase-merge/git-rebase-todo";
    const { workspace, put, aside } = makeFolder(...repository(".git"));
    put(list, "pick 1 one\nexec npm test\npick 2 two\nexec npm test\n");
    const waited = setAsideOf(workspace);
    put(list, "exec npm test\n");
    expect(waited()).toEqual([]);
    put(list, "exec npm test\nx evil\n");
    expect(waited()).toEqual([`${list}.made-confined`]);
    put(list, "pick 1 exec\nbreak\n");
    expect(aside()).toEqual([]);
    put(list, "  x evil\n");
    expect(aside()).toEqual([`${list}.made-confined-2`]);
  });

  it("is a link in the place of another one, or of what it was", () => {
    const { workspace, put, aside } = makeFolder("docs/agents.md", "docs/other.md", "plain/tasks.json");
    expect(aside()).toEqual([]);
    symlinkSync("docs/agents.md", join(workspace, "AGENTS.md"));
    symlinkSync("plain", join(workspace, ".vscode"));
    const again = setAsideOf(workspace);
    expect(again()).toEqual([]);
    rmSync(join(workspace, "AGENTS.md"));
    symlinkSync("docs/other.md", join(workspace, "AGENTS.md"));
    rmSync(join(workspace, ".vscode"));
    put(".vscode/tasks.json", "evil");
    expect(again()).toEqual([".vscode.made-confined", "AGENTS.md.made-confined"]);
  });

  it("is whatever the tables guard of files that agents, builds, editors and CI obey", () => {
    const { put, aside } = makeFolder("src/a.ts");
    const made = [
      ".cargo/config.toml",
      ".gitlab-ci.yml",
      ".circleci/config.yml",
      "mise.toml",
      ".zshenv",
      "GEMINI.md",
    ];
    for (const name of [...made, "src/AGENTS.txt", "notes.md", "Makefile"]) put(name);
    expect(aside()).toEqual(made.map((name) => `${name.replace(/\/.*/, "")}.made-confined`).toSorted());
  });

  it("is a bare repository that lies among the files, and hooks where the settings name them", () => {
    const { put, aside } = makeFolder(...repository(".git"));
    put(".git/config", "[core]\n\thooksPath = tools/hooks\n");
    expect(aside()).toEqual([]);
    put("tools/hooks/pre-commit");
    for (const file of repository("fixtures/bare")) put(file);
    expect(aside()).toEqual(["fixtures/bare/config.made-confined", "tools/hooks.made-confined"]);
  });

  it("is nothing outside, wherever links and repositories that it made lead", () => {
    const { root, workspace, put, aside } = makeFolder("src/a.ts");
    const beside = join(root, "beside");
    for (const name of ["config", "hooks/x", "workflows/ci.yml", "attributes", "objects/x"]) {
      mkdirSync(dirname(join(beside, name)), { recursive: true });
      writeFileSync(join(beside, name), "theirs");
    }
    const there = readdirSync(beside, { recursive: true }).toSorted();
    // A work tree that claims to be one of what stands beside.
    put("claims/.git", `gitdir: ${workspace}/part\n`);
    put("part/gitdir", `${workspace}/claims/.git\n`);
    put("part/commondir", `${beside}\n`);
    symlinkSync(beside, join(workspace, ".github"));
    for (const file of repository("own/.git")) put(file);
    symlinkSync(beside, join(workspace, "own/.git/info"));
    mkdirSync(join(workspace, "led"));
    symlinkSync(beside, join(workspace, "led/.git"));
    expect(aside()).toEqual(
      [".github", "claims/.git", "led/.git", "own/.git/config", "own/.git/info"].map(
        (name) => `${name}.made-confined`,
      ),
    );
    expect(readdirSync(beside, { recursive: true }).toSorted()).toEqual(there);
  });

  it("is looked for also where a folder on the way is none, or nothing is any more", () => {
    const { put, workspace, aside } = makeFolder("src/a.ts");
    put(".github", "a file");
    symlinkSync("nowhere", join(workspace, ".vscode"));
    expect(aside()).toEqual([".vscode.made-confined"]);
  });

  it("is moved aside by whoever finds its host dead, once", () => {
    const { note, put, workspace } = makeFolder("src/a.ts");
    put(".envrc");
    expect(setAsideLeft(note)).toEqual({ workspace, names: [".envrc.made-confined"] });
    put(".envrc");
    expect(setAsideLeft(note)).toBeUndefined();
    writeFileSync(note, "{");
    expect(setAsideLeft(note)).toBeUndefined();
  });
});

function setAsideOf(workspace: string, hadCompany = false) {
  const before = noteBefore(join(workspace, "..", "note"), [workspace]);
  return () => setAside(before, hadCompany).toSorted();
}
