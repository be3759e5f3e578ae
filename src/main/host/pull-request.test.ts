/** A pull request for a thread's branch: two commands that its agent is asked to run, as a card, with the person's own `gh`. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ToolCallItem } from "../../shared/contract/transcript.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("test");

const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], { cwd, encoding: "utf8" });

/** Stands for GitHub's own program: it says no to whom it does not know, and to a branch that is not on the remote. */
async function putGh(): Promise<{ signIn(): void; said: string }> {
  const [bin, said] = [join(folders.root, "bin"), join(folders.root, "said")];
  const signedIn = join(folders.root, "signed-in");
  await mkdir(bin);
  const script = `#!/bin/bash
[ -e '${signedIn}' ] || { echo 'To get started with GitHub CLI, please run: gh auth login' >&2; exit 4; }
[ "$1 $2 $4" = 'pr create --base=main' ] || { echo "unknown command: $*" >&2; exit 1; }
git --git-dir='${folders.root}/remote' show-ref -q --verify "refs/heads/\${3#--head=}" || { echo 'Head ref must be a branch' >&2; exit 1; }
printf '%s\\n' "$@" > '${said}'; echo https://example.com/pull/1
`;
  writeFileSync(join(bin, "gh"), script, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = [bin, path].join(delimiter);
  onTestFinished(() => {
    process.env.PATH = path;
  });
  return { signIn: () => writeFileSync(signedIn, ""), said };
}

async function lastCall(id: ThreadId): Promise<ToolCallItem> {
  return (await console.items(id)).filter((item): item is ToolCallItem => item.kind === "toolCall").at(-1)!;
}

it.skipIf(process.platform === "win32")(
  "waits for a person, tells the no of `gh` with its words, and can be asked for again",
  async () => {
    const gh = await putGh();
    await reopen();
    gitIn(folders.workspace, "init", "-q", "-b", "main");
    writeFileSync(join(folders.workspace, "notes.md"), "one\n");
    gitIn(folders.workspace, "add", "-A");
    gitIn(folders.workspace, "commit", "-q", "-m", "one");
    const remote = join(folders.root, "remote");
    gitIn(folders.root, "clone", "-q", "--bare", folders.workspace, remote);
    gitIn(folders.workspace, "remote", "add", "origin", remote);
    await console.trust(folders.workspace);
    const id = await console.start();
    await console.client.call("threads.chooseWorktree", { threadId: id, wanted: true });
    await console.send(id, "run echo two > notes.md");
    await console.approveAll(id);
    const preview = () => console.client.call("home.preview", { threadId: id, answers: [] });
    expect((await preview()).pullRequest).toEqual({ why: "uncommitted" });
    const branch = console.threads.get(id)!.worktree!;
    gitIn(console.threads.get(id)!.workspace, "commit", "-q", "-am", "two");
    const { pullRequest } = await preview();
    const command = "command" in pullRequest ? pullRequest.command : "";
    expect(command).toMatch(/^git push --set-upstream origin .* && gh pr create /);

    await console.send(id, `run ${command}`);
    const asked = await console.onePending(id);
    expect(asked.subject).toMatchObject({ command });
    expect(asked.verdict.verdict).toBe("ask");
    expect(gitIn(remote, "branch", "--format=%(refname:short)")).toBe("main\n");
    await console.approve(asked);
    await console.untilRest(id);
    expect((await lastCall(id)).receipt).toMatchObject({ exitCode: 4 });
    expect(JSON.stringify(await lastCall(id))).toContain("gh auth login");
    expect([existsSync(gh.said), (await preview()).pullRequest]).toEqual([false, pullRequest]);

    gh.signIn();
    await console.send(id, `run ${command}`);
    await console.approve(await console.onePending(id));
    await console.untilRest(id);
    const agreed = await lastCall(id);
    expect(agreed.receipt?.exitCode, JSON.stringify(agreed)).toBe(0);
    expect(readFileSync(gh.said, "utf8")).toContain(`--head=${"branch" in branch ? branch.branch : ""}\n`);
    expect(gitIn(remote, "branch", "--format=%(refname:short)").split("\n")).toHaveLength(3);
  },
);
