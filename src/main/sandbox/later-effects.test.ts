/** What a confined command leaves behind for programs of the person that run later, with nothing around them: none of it may act. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isLongRun } from "../base/testing/long-run.ts";
import { fencesOf } from "./confinement.ts";
import { runConfined } from "./run-confined.ts";
import { seccompProgram } from "./seccomp-program.ts";
import { noteBefore, setAside } from "./set-aside.ts";
import { laterTries } from "./testing/later-tries.ts";
import { missing, program } from "./testing/real-sandbox.ts";

/** What a person does in such a folder on an ordinary day, in git's own words. */
const everyday = [
  ...[
    "status",
    "add -A",
    "commit -qm words",
    "commit -q --amend --no-edit",
    "log -p -2",
    "diff HEAD",
    "stash",
  ],
  ...["stash pop", "checkout -q -b other", "branch -q -f third", "merge -q third", "gc -q", "blame a.txt"],
  ...["fetch -q --all", "rebase --continue", "am --continue", "cherry-pick --continue", "submodule status"],
  ...["submodule update --init", "describe --always --dirty", "grep -q one", "archive HEAD", "worktree list"],
];

/** A repository with two commits in a home of its own; not below `/tmp`, which a sandbox has of its own. */
function makeHome() {
  const root = realpathSync(mkdtempSync("/var/tmp/countersign-later-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [home, workspace, dataDir] = [join(root, "home"), join(root, "home/project"), join(root, "data")];
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  mkdirSync(dataDir);
  put(".profile", "mine\n");
  put(".gitconfig", "[user]\n\tname = P\n\temail = p@x\n[init]\n\tdefaultBranch = main\n");
  put("project/a.txt", "one\n");
  const env = { PATH: "/usr/bin:/bin", HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_EDITOR: "true" };
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", workspace, ...words], { env, stdio: "ignore" });
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "one"],
  ])
    git(...words);
  put("project/a.txt", "two\n");
  git("commit", "-qam", "two");
  return { root, home, workspace, dataDir, env, marked: join(home, "acted") };
}

/** Each costs some thirty starts of git. */
const tried = laterTries.filter((_, at) => isLongRun || at % 4 === 0);

describe.skipIf(missing !== undefined)("what a confined command leaves for later", () => {
  it.each(tried.map(({ name, script }) => [name, script]))("does nothing: %s", async (_, script) => {
    const { root, home, workspace, dataDir, env, marked } = makeHome();
    const before = noteBefore(join(root, "note"), [workspace]);
    const args = fencesOf({ home, workspace, dataDir, width: "workspace and git", cwd: workspace }).flat();
    const inside = { ...env, W: workspace, ACT: `touch ${marked}`, PROFILE: join(home, ".profile") };
    const text = `cd "$W"\n${script}\ntrue`;
    const run = await runConfined(text, {
      program,
      args,
      seccomp: seccompProgram()!,
      env: inside,
      timeoutMs: 60_000,
    });
    expect(run.exitCode).toBe(0);
    setAside(before);
    for (const words of everyday) spawnSync("git", ["-C", workspace, ...words.split(" ")], { env });
    expect([existsSync(marked), readFileSync(join(home, ".profile"), "utf8")]).toEqual([false, "mine\n"]);
  });
});
