/** Calls of the file tools on a disk full of links: what runs unasked stays in its folder, and reads no secret. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { createWorkspaceFiles } from "../src/main/files/workspace-files.ts";
import type { ThreadRow } from "../src/main/threads/thread-store.ts";
import { createToolPolicy } from "../src/main/tools/tool-policy.ts";
import { startAttack } from "./attack-run.ts";

const isWindows = process.platform === "win32";
const folders = [".", "src", "src/deep", "docs", ".git", ".git/hooks", ".github/workflows"];
const files = [
  "a.ts",
  "src/b.ts",
  "src/deep/c.ts",
  "docs/d.md",
  ".env",
  "docs/id_rsa",
  ".git/config",
  ".git/hooks/x",
  ".github/workflows/w.yml",
  "AGENTS.md",
];
/** What of these asks whatever rule there is: to be read, and to be changed. */
const secret = /(^|\/)(\.env|id_rsa)$|(^|\/)\.git\/config$/;
const guarded = /(^|\/)\.git(\/|$)|^\.github\/workflows(\/|$)|^AGENTS\.md$|(^|\/)(\.env|id_rsa)$/;
const parts = [
  ".",
  "..",
  "",
  "src",
  "deep",
  "docs",
  ".git",
  "config",
  "hooks",
  "x",
  ".env",
  "a.ts",
  "b.ts",
].concat([
  "id_rsa",
  "AGENTS.md",
  "new.ts",
  "l0",
  "l1",
  "l2",
  "l3",
  "outside",
  "app",
  "tree",
  "o.txt",
  ".github",
  "%2e%2e",
]);
const tools = ["read_file", "ls", "glob", "grep", "write_file", "edit_file", "delete", "move_file"];

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "attack-files-")));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Pick = <T>(list: readonly T[]) => T;

/** A folder, a worktree of it that lies elsewhere, what lies outside of both, and links among all of them. */
function makeWorld(round: string, pick: Pick): string[] {
  const at = join(base, round);
  for (const root of ["app", "tree"]) {
    for (const folder of folders) mkdirSync(join(at, root, folder), { recursive: true });
    for (const file of files) writeFileSync(join(at, root, file), "text\n");
  }
  mkdirSync(join(at, "outside"));
  writeFileSync(join(at, "outside", "o.txt"), "text\n");
  const targets = [
    "..",
    "../..",
    "/",
    "l0",
    "l1",
    "l2",
    "nowhere",
    "../outside",
    join(at, "outside/o.txt"),
  ].concat(
    [
      join(at, "tree/src"),
      join(at, "app"),
      ".",
      "src",
      "../.env",
      ".git",
      "../.git/config",
      "docs/id_rsa",
      "a.ts",
    ],
    ["../AGENTS.md", "../src/deep", "deep/../../../outside", "/etc"],
  );
  for (const root of ["app", "tree"])
    for (let link = 0; link < 4; link += 1)
      try {
        symlinkSync(pick(targets), join(at, root, pick(folders), `l${link}`));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
  return [join(at, "app"), join(at, "tree")];
}

/** Where a path leads as the system follows it, or what is known of that where its end is not there. */
function realOf(path: string, followsLast: boolean): string | undefined {
  try {
    if (followsLast) return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP" || code === "ENOTDIR") return undefined;
  }
  if (path === dirname(path)) return path;
  const above = realOf(dirname(path), true);
  return above && join(above, basename(path));
}

function makePath(workspace: string, random: () => number, pick: Pick): string {
  const count = 1 + Math.floor(random() * 5);
  const path = Array.from({ length: count }, () => pick(parts)).join("/");
  const chance = random();
  if (chance < 0.15) return `${workspace}/${path}`;
  if (chance < 0.2) return `${dirname(workspace)}/${path}`;
  return chance < 0.22 ? `~/${path}` : path || ".";
}

/** Why a path that nobody was asked about should have been. */
function findFault(path: string, workspace: string, does: "reads" | "changes", follows: boolean) {
  const whole = resolve(workspace, path);
  // Bare `..` behind a link means another place to the system than to who reads the words: both count.
  const spelled = path.startsWith("/") ? path : `${workspace}/${path}`;
  for (const real of [realOf(whole, follows), realOf(spelled, follows)]) {
    if (real === undefined) continue;
    const inside = relative(workspace, real);
    if (inside === ".." || inside.startsWith(`..${sep}`)) return `it leads to ${real}`;
    if ((does === "reads" ? secret : guarded).test(inside)) return `it is ${inside}`;
  }
  return undefined;
}

describe.skipIf(isWindows)("a call of a file tool that nobody is asked about", () => {
  it("stays in its folder, reads no secret and changes nothing that is guarded, wherever links lead", async () => {
    const attack = startAttack("file-calls");
    const pick: Pick = (list) => list[Math.floor(attack.random() * list.length)]!;
    const rule = {
      id: "r",
      paths: ["**", "**/.*", "**/.*/**"],
      effect: "allow",
      scope: "user",
      text: "**",
    } as const;
    let unasked = 0;
    for (const round of attack.rounds(isLongRun ? 12 : 6)) {
      const roots = makeWorld(`${attack.seed}-${round}`, pick);
      const policy = createToolPolicy({
        dataDir: join(base, "data"),
        shell: "bash",
        rulesFor: () => ({
          commands: [],
          files: [{ ...rule, paths: [...rule.paths], operations: ["read", "write", "delete"] }],
        }),
        isTrusted: () => true,
        filesOf: createWorkspaceFiles,
      });
      for (let call = 0; call < 150; call += 1) {
        const workspace = pick(roots);
        const tool = pick(tools);
        const path = makePath(workspace, attack.random, pick);
        const to = makePath(workspace, attack.random, pick);
        const args = {
          file_path: path,
          path,
          new_path: to,
          pattern: "x",
          content: "x",
          old_string: "t",
          new_string: "u",
        };
        const { verdict, readPath } = await policy.judge(tool, args, { workspace } as ThreadRow);
        if (!["safe", "covered"].includes(verdict.verdict)) continue;
        unasked += 1;
        const reads = tools.indexOf(tool) < 4;
        const follows = tool !== "delete" && tool !== "move_file";
        const fault =
          findFault(readPath ?? path, workspace, reads ? "reads" : "changes", follows) ??
          (tool === "move_file" ? findFault(to, workspace, "changes", true) : undefined);
        const told = `${tool} ${path}${tool === "move_file" ? ` to ${to}` : ""} in ${workspace}`;
        expect(fault, told).toBeUndefined();
      }
      rmSync(dirname(roots[0]!), { recursive: true });
    }
    expect(unasked).toBeGreaterThan(150);
  });
});
