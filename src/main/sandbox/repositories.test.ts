import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { entriesOf } from "./remembered-entries.ts";
import { findRepositories } from "./repositories.ts";

function makeFolder() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-repositories-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, "w");
  const put = (path: string, text = "x\n") => {
    const whole = join(root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
  };
  const repository = (path: string) => {
    for (const name of ["objects/x", "refs/x", "HEAD", "config", "hooks/x"]) put(`${path}/${name}`);
  };
  mkdirSync(workspace);
  const opened = () => findRepositories(workspace).flatMap(({ git }) => git ?? []);
  const content = () => findRepositories(workspace).flatMap((each) => each.content);
  return { root, workspace, put, repository, opened, content };
}

describe.skipIf(process.platform === "win32")("the repositories of a workspace", () => {
  it("are opened outside of it only where they keep a part for this very work tree, in git's own place", () => {
    const { root, put, repository, opened } = makeFolder();
    repository("elsewhere/.git");
    const claim = (part: string, common: string) => {
      put("w/.git", `gitdir: ${join(root, part)}\n`);
      put(`${part}/gitdir`, `${root}/w/.git\n`);
      put(`${part}/commondir`, `${common}\n`);
    };
    claim("w/part", `${root}/elsewhere/.git`);
    expect(opened()).toEqual([]);
    claim("w/part/worktrees/w", `${root}/elsewhere/.git`);
    expect(opened()).toEqual([]);
    symlinkSync(join(root, "w/part/worktrees"), join(root, "elsewhere/.git/worktrees"));
    claim("elsewhere/.git/worktrees/w", "../..");
    expect(opened()).toEqual([]);
    rmSync(join(root, "elsewhere/.git/worktrees"));
    claim("elsewhere/.git/worktrees/w", "../..");
    expect(opened()).toEqual([`${root}/elsewhere/.git`]);
    put("elsewhere/.git/worktrees/w/gitdir", `${root}/other/.git\n`);
    expect(opened()).toEqual([]);
  });

  it("are opened behind a link only inside of it", () => {
    const { root, repository, opened } = makeFolder();
    for (const place of ["beside.git", "w/kept"]) repository(place);
    for (const [name, to] of [
      ["a", "beside.git"],
      ["b", "w/kept"],
    ] as const) {
      mkdirSync(join(root, "w", name));
      symlinkSync(join(root, to), join(root, "w", name, ".git"));
    }
    expect(opened()).toEqual([`${root}/w/kept`]);
  });

  it("guard what their settings name of the workspace, and what a bare one among its files obeys", () => {
    const { root, put, repository, content } = makeFolder();
    repository("w/.git");
    repository("w/test/bare");
    for (const name of ["w/tools/hooks/x", "w/team.conf", "beside/x"]) put(name);
    put(
      "w/.git/config",
      '[core]\n\tHooksPath = "tools/hooks" ; ours\n[include]\n\tpath = ../team.conf\n\tpath = ../../beside/x\n\tpath = ~/x\n[a]\n\tpath = ..\n',
    );
    expect(content().toSorted()).toEqual(
      ["team.conf", "test/bare/config", "test/bare/hooks", "tools/hooks"].map((name) => `${root}/w/${name}`),
    );
  });

  it("guard what a person's own settings name of it, in whatever words, and what settings take in from others", () => {
    const { root, put, repository, content } = makeFolder();
    vi.stubEnv("HOME", root);
    onTestFinished(() => void vi.unstubAllEnvs());
    repository("w/.git");
    repository("w/below/.git");
    for (const name of ["own/x", "hooks/x", "team/hooks/x", "below/own/x", "more.conf"]) put(`w/${name}`);
    put(".gitconfig", "[core]\n\thooksPath = own\n[include]\n\tpath = .gitconfig\n");
    put("w/.git/config", "[core]\n\thooksPath = ~/w/hooks\n[include]\n\tpath = ../team.conf\n");
    put("w/team.conf", "[core]\n\thooksPath = team/hooks\n[include]\n\tpath = more.conf\n");
    expect(content().toSorted()).toEqual(
      ["below/own", "hooks", "more.conf", "own", "team.conf", "team/hooks"].map(
        (name) => `${root}/w/${name}`,
      ),
    );
  });

  it("guard each file of it that some command among the settings starts or hands on", () => {
    const { root, put, repository, content } = makeFolder();
    vi.stubEnv("HOME", root);
    onTestFinished(() => void vi.unstubAllEnvs());
    repository("w/.git");
    const names = ["tools/clean.sh", "bin/tc.py", "m/driver", "deep/monitor", "all/pager", "a.txt"];
    for (const name of [...names, "src/x.ts", "beside", "refs/heads/m"]) put(`w/${name}`);
    put(".gitconfig", "[core]\n\tpager = ~/w/all/pager -R\n[alias]\n\tco = checkout\n");
    put(
      "w/.git/config",
      '[filter "x"]\n\tclean = ./tools/clean.sh %f\n[diff "x"]\n\ttextconv = "python3 bin/tc.py"\n[merge "x"]\n\tdriver = "sh -c \'m/driver %A\'"\n[alias]\n\tgo = "!f() { $(git rev-parse --show-toplevel)/deep/monitor; }; f"\n\tsrc = log src\n[remote "o"]\n\turl = a@b:src/y.git\n\tfetch = +refs/heads/*:refs/remotes/o/*\n[branch "m"]\n\tmerge = refs/heads/m\n[commit]\n\ttemplate = a.txt\n',
    );
    expect(content().toSorted()).toEqual(
      ["all/pager", "bin/tc.py", "deep/monitor", "m/driver", "tools/clean.sh"].map(
        (name) => `${root}/w/${name}`,
      ),
    );
  });

  it("are none where nobody may look", () => {
    expect(entriesOf(join(tmpdir(), "countersign-no-such-folder"))).toEqual([]);
    expect(findRepositories(join(tmpdir(), "countersign-no-such-folder"))).toEqual([]);
  });

  it("are those too that its own one takes in, however far below, and none behind a link", () => {
    const { root, workspace, put, opened } = makeFolder();
    const git = (at: string, ...words: string[]) =>
      execFileSync("git", ["-C", at, "-c", "user.name=p", "-c", "user.email=p", ...words]);
    const deep = join(workspace, "a/b/c/d/e");
    put("w/a/b/c/d/e/x");
    git(workspace, "init", "-q");
    git(deep, "init", "-q");
    git(deep, "commit", "-q", "--allow-empty", "-m", "x");
    git(workspace, "add", "a");
    expect(opened()).toEqual([join(workspace, ".git"), join(deep, ".git")]);
    renameSync(join(workspace, "a"), join(root, "away"));
    symlinkSync(join(root, "away"), join(workspace, "a"));
    expect(opened()).toEqual([join(workspace, ".git")]);
  });
});
