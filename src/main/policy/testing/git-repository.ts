/** Real repositories in temporary folders, for tests of what git holds. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { lookAtDisk } from "../disk.ts";
import { findTrackedSecrets } from "../git-contents.ts";
import { judgeCommand } from "../judge-command.ts";
import { makeContext } from "./make-context.ts";

export const canary = "canary-4711";

export function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" });
}

export function commit(folder: string, message: string): void {
  git(folder, "add", "--all", "--force");
  git(folder, "commit", "--quiet", "--allow-empty", "--message", message);
}

export function makeRepository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-git-")));
  git(folder, "init", "--quiet");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.ts"), "export {};\n");
  return folder;
}

/** A command in that repository, judged as the host would on this disk. */
export const verdictIn = (workspace: string, command: string) =>
  judgeCommand(
    command,
    makeContext({
      ...{ workspace, cwd: workspace, home: homedir(), rules: [], protectedDirs: [] },
      ...lookAtDisk(workspace),
    }),
  ).verdict;

export const secretsOf = (folder: string, ...versions: string[]) =>
  findTrackedSecrets(folder, { changedOnDisk: false, versions, back: 0, everywhere: false });
