/** Which folders are left to a project's tools: what git itself says is the measure. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ignoresFolder, readIgnoreRules } from "./ignore-rules.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";

const folders = [
  "dist",
  "src",
  "src/dist",
  "src/deep",
  "src/deep/dist",
  "a b",
  "{x}",
  "build.1",
  "logs",
  "src/logs",
  "#no",
];

/** What git ignores of the folders, none of which is in another that is ignored. */
function askGit(root: string): string[] {
  const input = folders.join("\n");
  const { stdout } = spawnSync("git", ["check-ignore", "--no-index", "--stdin"], {
    cwd: root,
    input,
    encoding: "utf8",
  });
  return stdout.split("\n").flatMap((line) => (line ? [line.replace(/^"|"$/g, "")] : []));
}

function isBelowIgnored(folder: string, ignored: readonly string[]): boolean {
  return ignored.some((other) => folder.startsWith(`${other}/`));
}

describe("a folder is ignored as git ignores it", () => {
  it.each([
    "dist",
    "dist/",
    "/dist",
    "src/dist",
    "**/logs",
    "src/**/dist",
    "d?st",
    "[dl]*",
    "*\n!/src",
    "*\n!*/",
    "dist\n!src/dist",
    "a b  ",
    "{x}",
    "build.*\r",
    "\\#no",
    "# dist\n\nlogs/",
    "src/*",
    "src/**",
    "!dist\ndist",
  ])("by %j", (text) => {
    const { root, put } = makeWorkspace();
    execFileSync("git", ["init", "-q", root]);
    for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
    put(".gitignore", text);
    const layers = [readIgnoreRules("", text)];
    const mine = folders.filter((folder) => ignoresFolder(folder, layers));
    const git = askGit(root);
    const reached = (ignored: string[]) => ignored.filter((folder) => !isBelowIgnored(folder, ignored));
    expect(reached(mine)).toEqual(reached(git));
  });

  it("where a nearer file has the last word", () => {
    const layers = [readIgnoreRules("", "dist\nlogs"), readIgnoreRules("src/", "!dist\n/deep/x")];
    const ignored = ["dist", "src/dist", "src/logs", "src/deep/x", "deep/x"].filter((folder) =>
      ignoresFolder(folder, layers),
    );
    expect(ignored).toEqual(["dist", "src/logs", "src/deep/x"]);
  });

  it("and a pattern that would take for ever to try ignores nothing", () => {
    const layers = [readIgnoreRules("", `${"a*".repeat(40)}b`)];
    expect(ignoresFolder(`${"a".repeat(200)}c`, layers)).toBe(false);
  });
});
