/** No part of a command reads what another part of it put in the place of what was looked at; tried with real bash. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookAtDisk } from "./disk.ts";
import { judgeCommand } from "./judge-command.ts";
import { canary, commit, git } from "./testing/git-repository.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "among-moves-")));
const [kept, app] = [join(base, "kept"), join(base, "app")];
afterAll(() => rmSync(base, { recursive: true }));

const rules =
  "cp,mv,ln,mkdir,touch,pr,fold,rename,git add,git mv,git commit,git stash,git switch,git merge,npm run build".split(
    ",",
  );

beforeAll(() => {
  mkdirSync(join(kept, "src"), { recursive: true });
  mkdirSync(join(kept, "config"));
  git(kept, "init", "--quiet", "--initial-branch=main");
  for (const name of ["README.md", "src/a.ts", "b.txt"]) writeFileSync(join(kept, name), "one\n");
  commit(kept, "first");
  git(kept, "switch", "--quiet", "-c", "other");
  rmSync(join(kept, "b.txt"));
  symlinkSync("../outside.txt", join(kept, "b.txt"));
  writeFileSync(join(kept, "deploy.pem"), `${canary}\n`);
  commit(kept, "second");
  git(kept, "switch", "--quiet", "main");
  writeFileSync(join(base, "outside.txt"), `${canary}\n`);
  symlinkSync("../../outside.txt", join(kept, "src/link.ts"));
  for (const name of [".env", "config/credentials.json"])
    writeFileSync(join(kept, name), `TOKEN=${canary}\n`);
});

function restore(): void {
  rmSync(app, { recursive: true, force: true });
  cpSync(kept, app, { recursive: true, verbatimSymlinks: true });
}

const verdictOf = (command: string) =>
  judgeCommand(
    command,
    makeContext({
      ...{ workspace: app, cwd: app, home: base, protectedDirs: [] },
      ...lookAtDisk(app),
      rules: rules.map((text) => makeRule(text, { exact: false })),
    }),
  ).verdict;

function outputOf(command: string): string {
  const identity = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const env = { PATH: process.env.PATH, HOME: base, GIT_PAGER: "cat", ...identity };
  try {
    return execFileSync("bash", ["-c", `${command} 2>&1`], {
      cwd: app,
      env,
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  }
}

const moves = [
  ...["mv src old", "cp -a src old", "mkdir old && mv src old/x && mv old/x/link.ts old", "cp -r config new"],
  ...["mv config new", "git add .", "git add . && git commit -qm x", "git stash -u", "git switch -q other"],
  ...[
    "git merge -q other",
    "git mv src old",
    "ln -s src old",
    "mv -t old README.md src/link.ts",
    "mv b.txt c.txt",
  ],
];
const readings = [
  ...["cat old/link.ts", "head -3 old/a.ts old/link.ts", "grep -r . old", "grep -rh TOKEN new", "cat b.txt"],
  ...[
    "git diff --cached",
    "git status -v",
    "git show",
    "git stash list -p",
    "git stash show -p",
    "git log -p -1",
  ],
  ...[
    "pr old/link.ts",
    "cp old/link.ts k.txt && cat k.txt",
    "find new -type f -name '*.json' | xargs cat",
    "wc README.md",
  ],
  ...["cat c.txt", "cat README.md | head -2", "git stash show -p --include-untracked"],
];

/** These print a secret when they run, each by another way. */
const leaking = [
  "mv src old && cat old/link.ts",
  "cp -a src old && cp old/link.ts k.txt && cat k.txt",
  "ln -s src old && pr old/link.ts",
  "cp -r config new && grep -rh TOKEN new",
  "git add . && git diff --cached",
  "git add . && git commit -qm x && git show",
  "git switch -q other && cat b.txt",
  "git switch -q other && git show",
  "for n in 1 2; do cat old/link.ts; mv src old; done",
  "mv sr? old && cat old/link.ts",
  "mkdir d && mv -t d config && grep -r TOKEN d",
  "cp -a src old; cat README.md | cat old/link.ts",
];

describe.skipIf(process.platform === "win32")("a part among others", () => {
  it("prints nothing that was not there when it was judged, whatever the others move", () => {
    restore();
    const all = moves.flatMap((move) => readings.map((reading) => `${move} && ${reading}`));
    const passed = all.filter((command) => verdictOf(command) === "covered");
    // What reads nothing of files, or reads them before they move, goes on as it did.
    expect(passed.length).toBeGreaterThan(20);
    for (const command of passed) {
      restore();
      expect([command, outputOf(command).includes(canary)]).toEqual([command, false]);
    }
  });

  it.each(leaking)("is asked about where it would print a secret: %s", (command) => {
    restore();
    expect(verdictOf(command)).toBe("ask");
    expect(outputOf(command)).toContain(canary);
  });

  it.each(["cat old/link.ts & mv src old", "cat old/link.ts | mv src old", "(cat old/link.ts); mv src old"])(
    "is asked about where nobody can say which part comes first: %s",
    (command) => {
      restore();
      expect(verdictOf(command)).toBe("ask");
    },
  );

  it.each([
    "cat README.md && mv src old",
    "mv README.md a.md && cat a.md",
    "cp README.md c.txt; wc c.txt",
    "npm run build && cat README.md",
    "git add . && git commit -m x && git log --oneline -3",
    "git add README.md && cat README.md",
    "git switch -c x && git diff && cat b.txt",
    "mkdir old && cp README.md old/ && ls",
    "mv src old && npm run build && git status",
  ])("goes on as before where nothing it reads could be another: %s", (command) => {
    restore();
    expect(verdictOf(command)).toBe("covered");
  });
});
