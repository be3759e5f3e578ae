/** A rehearsal with a real overlay: what a command would change is found, and nothing of it is in the workspace. */
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { rehearsalBounds } from "./rehearse.ts";
import { makeScene, missing } from "./testing/real-overlay.ts";

function open(files: Record<string, string> = { a: "one\n" }) {
  const scene = makeScene(files);
  onTestFinished(scene.remove);
  const picture = () =>
    readdirSync(scene.workspace, { recursive: true, encoding: "utf8" })
      .sort()
      .map((name) => {
        const stat = statSync(join(scene.workspace, name));
        return [
          name,
          stat.mode,
          stat.mtimeMs,
          stat.isFile() && readFileSync(join(scene.workspace, name), "utf8"),
        ];
      });
  const rehearse = async (command: string) => {
    const before = picture();
    const done = await scene.rehearse(command);
    expect(picture()).toEqual(before);
    return done;
  };
  const why = async (command: string) => {
    const done = await rehearse(command);
    return "why" in done ? done.why : undefined;
  };
  const find = async (command: string) => {
    const done = await rehearse(command);
    if ("why" in done) throw new Error(done.why);
    const { files: found, folders, exitCode, output, refused } = done.rehearsal;
    const named = (path: string) => relative(scene.workspace, path);
    const kinds = found.map(({ path, from, to }): [string, string] => [
      named(path),
      `${from ? "was" : "new"} ${to ? to.mode?.toString(8) : "gone"}`,
    ]);
    return {
      files: Object.fromEntries(kinds),
      gone: folders.gone.map(({ path }) => named(path)).sort(),
      made: folders.made.map(({ path, mode }) => [named(path), mode.toString(8)]).sort(),
      ...{ exitCode, output, refused, name: done.name },
    };
  };
  return { ...scene, find, why };
}

describe.skipIf(missing !== undefined)("a rehearsal", () => {
  it("finds what is changed, made, deleted and renamed, with modes and binaries, and leaves the folder as it is", async () => {
    const { find, rehearsals } = open({
      a: "one\n",
      "gone/b": "b\n",
      "gone/deep/c": "c\n",
      "s p,:é": "x",
      run: "r",
    });
    const command =
      "echo two >> a; rm -r gone; mkdir -m 750 -p new/empty; printf '\\0\\1' > new/bin; chmod 755 run; mv 's p,:é' moved; touch moved; echo said; exit 3";
    const found = await find(command);
    expect(found).toMatchObject({
      files: {
        ...{ a: "was 644", run: "was 755", moved: "new 644", "new/bin": "new 644" },
        ...{ "gone/b": "was gone", "gone/deep/c": "was gone", "s p,:é": "was gone" },
      },
      gone: ["gone", "gone/deep"],
      made: [
        ["new", "755"],
        ["new/empty", "750"],
      ],
      ...{ exitCode: 3, output: "said\n" },
    });
    const kept = await rehearsals.open(found.name);
    expect(kept?.rehearsal.exitCode).toBe(3);
    expect(await rehearsals.open({ ...found.name, digest: "0".repeat(64) })).toBeUndefined();
  });

  it("tells a folder that was emptied and filled anew, and a file in the place of a folder, from what stayed", async () => {
    const { find } = open({ "d/a": "a\n", "d/b": "b\n", "e/c": "c\n", f: "f\n" });
    expect(await find("rm -r d; mkdir d; echo a > d/a; rm -r e; echo e > e; rm f; mkdir f")).toMatchObject({
      files: { "d/b": "was gone", "e/c": "was gone", e: "new 644", f: "was gone" },
      gone: ["e"],
      made: [["f", "755"]],
    });
  });

  it("keeps attributes of files from being set, which a commit would lose", async () => {
    const { find } = open({ a: "one\n" });
    const { output, files } = await find(
      `python3 -c 'import os; os.setxattr("a", b"user.mark", b"1")'; echo two > a`,
    );
    expect(output).toContain("Operation not supported");
    expect(files).toEqual({ a: "was 644" });
  });

  it("has the masks of a confined command, no network, and leaves no process", async () => {
    const { find, home, dataDir } = open({ a: "one\n", ".env": "SECRET=1\n", ".gitignore": ".env\n" });
    const command = `cat ${home}/.ssh/key ${home}/beside .env; ls ${dataDir}; echo x > ${home}/x; echo x > /dev/x; setsid sleep 1000 & curl -sS https://example.org || echo 'Could not resolve host: example.org'`;
    const { output, refused, files } = await find(command);
    expect(output).not.toMatch(/PRIVATE|SECRET|rehearsals/);
    expect(output).toMatch(/home\/x: Read-only file system/);
    expect(refused.join()).toContain("Could not resolve host: example.org");
    expect([files, existsSync(join(home, "x")), existsSync("/dev/x")]).toEqual([{}, false, false]);
  });

  it("is bounded in bytes and processes, also where the command kills what it can", async () => {
    const { find } = open();
    // What is full takes no output either.
    const fill = "head -c 400000000 /dev/zero > /tmp/full; n=$(stat -c %s /tmp/full); rm /tmp/full; echo $n";
    const many = `perl -e '$n=0; while($n<1000){$p=fork; last if !defined $p; if(!$p){sleep 60; exit} $n++} print $n < 400 ? "few" : "many"'`;
    const { output } = await find(`${fill}; ${many}; kill -9 -1`);
    const [, bytes, processes] = /^(\d+)\n(\w+)/.exec(output) ?? [];
    expect([Number(bytes) < rehearsalBounds.bytes, processes]).toEqual([true, "few"]);
  });

  it.each([
    ["a link", "ln -s a l", /^It makes or changes the link l\.$/],
    ["a link that goes", "rm was", /^It takes was away/],
    ["a second name", "ln a b", /second name \(a hard link\)/],
    ["what has a second name", "echo x >> hard", /^It changes hard, which has a second name/],
    ["a pipe", "mkfifo p", /^It makes p, which is a pipe/],
    ["a sparse file", "truncate -s 100G huge", /^It changes huge, which is too large/],
    ["many files", "for i in $(seq 310); do : > f$i; done", /more than 300 files/],
    ["permissions of a folder", "chmod 700 .", /permissions of the folder itself/],
    ["what agents obey", "echo x > AGENTS.md", /^It makes AGENTS\.md, which agents or programs would obey/],
    [
      "names that look alike",
      "for n in '\\377' '\\357\\277\\275'; do echo x > $(printf a$n); done",
      /is no text/,
    ],
    ["what nobody may write in", "mkdir -m 500 d", /in which not even you may write/],
  ])("says why it cannot be: %s", async (_, command, said) => {
    const { why, workspace } = open({ a: "one\n", hard: "h\n" });
    linkSync(join(workspace, "hard"), join(workspace, "..", "other name"));
    execFileSync("ln", ["-s", "a", "was"], { cwd: workspace });
    expect(await why(command)).toMatch(said);
  });

  it("says so of a linked worktree that git would write outside of", async () => {
    const { why, workspace, home } = open();
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd });
    const origin = join(home, "origin");
    mkdirSync(origin);
    git(origin, "init", "-q");
    git(origin, "commit", "-qm", "one", "--allow-empty");
    git(origin, "worktree", "add", "-q", "--force", join(workspace, "tree"));
    expect(await why("git -C tree status")).toBe(
      "Its repository lies outside of the folder, and git would write there.",
    );
  });

  it("forgets all but what is still needed", async () => {
    const { rehearsals, rehearse, dataDir } = open();
    const done = [await rehearse("echo x > b"), await rehearse("echo x > b")];
    const [first, second] = done.map((one) => ("name" in one ? one.name : undefined));
    await rehearsals.keepOnly(() => new Set([first!.id]));
    expect(
      [await rehearsals.open(first!), await rehearsals.open(second!)].map((one) => one !== undefined),
    ).toEqual([true, false]);
    expect(readdirSync(join(dataDir, "rehearsals"))).toEqual([first!.id]);
  });
});
