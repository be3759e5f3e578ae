/** A thread's worktree is brought home by keys in the repositories that people have, and what it may not touch stays as it was. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type App, expect, test } from "./app-fixture/app.ts";
import { agentSaid, approvePatiently, newThread, openView, send } from "./app-fixture/console-steps.ts";

const gitIn =
  (cwd: string) =>
  (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
      cwd,
      encoding: "utf8",
    }).trim();

type Git = ReturnType<typeof gitIn>;

async function put(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** The workspace as a repository with one commit. */
async function begin(app: App, files: Record<string, string> = {}): Promise<Git> {
  const git = gitIn(app.workspace);
  git("init", "-q", "-b", "main");
  await put(app.workspace, { "notes.md": "one\n", ...files });
  git("add", "-A");
  git("commit", "-qm", "one");
  return git;
}

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n";

type Case = {
  name: string;
  prepare(app: App): Promise<Git>;
  /** What the thread does, where it is more than the note. */
  command?: string;
  way?: "Apply as a patch";
  after?(git: Git, app: App): void;
};

const cases: Case[] = [
  {
    name: "a submodule",
    async prepare(app) {
      const git = await begin(app, { ".gitmodules": '[submodule "mod"]\n\tpath = mod\n\turl = ../mod\n' });
      git("update-index", "--add", "--cacheinfo", `160000,${git("rev-parse", "HEAD")},mod`);
      git("commit", "-qm", "with a module");
      return git;
    },
    after: (git) => expect(git("ls-files", "-s", "mod")).toMatch(/^160000/),
  },
  {
    name: "files of Git LFS",
    prepare: (app) => begin(app, { ".gitattributes": "*.bin filter=lfs\n", "large.bin": pointer }),
    after: (git) => expect(`${git("show", "HEAD:large.bin")}\n`).toBe(pointer),
  },
  {
    name: "a sparse checkout",
    async prepare(app) {
      const git = await begin(app, { "in/a.txt": "a\n", "out/b.txt": "b\n" });
      git("sparse-checkout", "set", "in");
      return git;
    },
    after: (_git, app) => expect(existsSync(join(app.workspace, "out"))).toBe(false),
  },
  {
    name: "a detached head",
    async prepare(app) {
      const git = await begin(app);
      git("checkout", "-q", "--detach");
      return git;
    },
    way: "Apply as a patch",
    after: (git) => expect(git("log", "--format=%s")).toBe("one"),
  },
  {
    name: "a bare repository behind it",
    async prepare(app) {
      const bare = join(dirname(app.workspace), "bare.git");
      const first = join(dirname(app.workspace), "first");
      await put(first, { "notes.md": "one\n" });
      const git = gitIn(first);
      git("init", "-q", "-b", "main");
      git("add", "-A");
      git("commit", "-qm", "one");
      git("clone", "-q", "--bare", ".", bare);
      gitIn(bare)("worktree", "add", "-q", app.workspace, "main");
      return gitIn(app.workspace);
    },
  },
  {
    name: "names with spaces and other letters",
    async prepare(app) {
      const git = await begin(app, { "ein Ordner/größe 新.md": "one\n" });
      git("checkout", "-q", "-b", "größe-新");
      return git;
    },
    command: "echo two > notes.md && echo two > 'ein Ordner/größe 新.md'",
    after: (git) =>
      expect(git("-c", "core.quotePath=false", "diff", "--name-only", "HEAD~")).toContain("größe 新.md"),
  },
];

// What git does with each of them is tried without a page, too (home.test.ts and its neighbours).
for (const { name, prepare, command = "echo two > notes.md", way, after } of cases)
  test(`a worktree comes home by keys where the repository has ${name}`, {
    tag: "@long",
  }, async ({ app }) => {
    const git = await prepare(app);
    await newThread(app);
    await openView(app, "Settings");
    await app.page.getByRole("button", { name: "Folders", exact: true }).click();
    const trust = app.page.getByRole("switch", { name: /^Trust workspace/ });
    await trust.press("Space");
    await expect(trust).toBeChecked();
    await newThread(app);
    await app.page.getByRole("switch", { name: "Work in a worktree of its own" }).press("Space");
    await send(app, `run ${command}`);
    await approvePatiently(app, "echo two");
    await expect(agentSaid(app, "1 of 1 step")).toBeVisible();
    expect(await app.read("notes.md")).toBe("one\n");

    await app.page.keyboard.press("Escape");
    await app.page.keyboard.press("Shift+H");
    const dialog = app.page.getByRole("dialog", { name: /home/ });
    if (way) await dialog.getByRole("radio", { name: way }).press("Space");
    await dialog.getByRole("button", { name: way ? "Apply" : "Merge", exact: true }).press("Enter");
    await expect(dialog).toHaveCount(0);
    expect(await app.read("notes.md")).toBe("two\n");
    after?.(git, app);
  });
