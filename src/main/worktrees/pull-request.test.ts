/** The command of a pull request, and a message, with names and titles that a repository and a model made up. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { makeWorkspace } from "../files/testing/test-workspace.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import { makeContext } from "../policy/testing/make-context.ts";
import { proposeMessage, pullRequestOf } from "./pull-request.ts";
import { safeGit } from "./safe-git.ts";
import { git } from "./testing/test-worktrees.ts";

const hostile = ["it's", "$(touch x)", "`touch x`", "a;touch>x", "-x", "--web", "a&&b", "a|b>x", "#a", "!!"];

it("is two commands that leave this machine and no more, whatever branch and title are called", async () => {
  const { root } = makeWorkspace();
  git(root, "init", "-q");
  git(root, "remote", "add", "--", "origin", "https://example.com/a.git");
  git(root, "config", "remote.--upload-pack=touch x.url", "https://example.com/b.git");
  const place = { cwd: root };
  for (const name of hostile) {
    const sides = { tree: { place, ref: `refs/heads/${name}` }, folder: { ref: `refs/heads/${name}` } };
    const plan = { sides, snapshot: { uncommitted: [] }, ahead: 1 } as unknown as Parameters<
      typeof pullRequestOf
    >[1];
    const title = `${name}\n\u202e"; ${name}\t\u001b]0;`;
    const asked = await pullRequestOf(safeGit, plan, title);
    if (!("command" in asked)) throw new Error(asked.why);
    const { units } = judgeCommand(asked.command, makeContext());
    expect(units.map(({ verdict, class: kind }) => [verdict, kind])).toEqual([
      ["ask", "leaves"],
      ["ask", "leaves"],
    ]);
    const script = 'git() { printf "%s\\0" git "$@"; }; gh() { printf "%s\\0" gh "$@"; }; eval "$1"';
    const said = execFileSync("bash", ["-c", script, "_", asked.command], { cwd: root, encoding: "utf8" });
    expect(said.split("\0")).toEqual([
      ...["git", "push", "--set-upstream", "origin", `refs/heads/${name}:refs/heads/${name}`],
      ...["gh", "pr", "create", `--head=${name}`, `--base=${name}`, `--title=${name} "; ${name} ]0;`],
      ...["--body=", ""],
    ]);
  }
});

it("a message is proposed from the title and the files", () => {
  expect(proposeMessage("Fix\nthe rows", ["a.txt"])).toBe("Fix the rows\n\n- a.txt");
  expect(proposeMessage("", [])).toBe("Changes of a thread");
  expect(proposeMessage("日".repeat(100), []).length).toBe(72);
});
