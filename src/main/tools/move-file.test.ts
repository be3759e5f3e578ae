/** A move is judged on both of its paths, by whatever speaks against either, and its card shows both. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import type { FileOperation, FileRule } from "../policy/file-rule.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { createToolPolicy } from "./tool-policy.ts";

type Rule = [effect: FileRule["effect"], operation: FileOperation, glob: string];

function setUp(...rules: Rule[]) {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), "countersign-move-file-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = join(base, "app");
  for (const folder of [workspace, join(base, "data"), join(workspace, "docs"), join(workspace, "src")])
    mkdirSync(folder);
  writeFileSync(join(workspace, "src/a.ts"), "a");
  writeFileSync(join(workspace, ".env"), "KEY=1");
  writeFileSync(join(base, "outside.txt"), "outside");
  const files = createWorkspaceFiles(workspace);
  const policy = createToolPolicy({
    dataDir: join(base, "data"),
    shell: "bash",
    rulesFor: () => ({
      commands: [],
      files: rules.map(([effect, operation, glob], index) => ({
        id: `r${index}`,
        paths: [glob],
        operations: [operation],
        effect,
        scope: "user",
        text: glob,
      })),
    }),
    isTrusted: () => true,
    filesOf: () => files,
  });
  const thread = { workspace } as ThreadRow;
  const argsOf = (from: string, to: string) => ({ file_path: from, new_path: to });
  return {
    base,
    workspace,
    judge: async (from: string, to: string) =>
      (await policy.judge("move_file", argsOf(from, to), thread)).verdict,
    describe: async (from: string, to: string) => {
      const { verdict } = await policy.judge("move_file", argsOf(from, to), thread);
      return { verdict, draw: () => policy.describe("move_file", argsOf(from, to), thread, verdict) };
    },
  };
}

describe("a move is judged on both paths", () => {
  const plain = "src/a.ts";
  it.each<[path: string, verdict: string]>([
    ["src/b.ts", "new"],
    [".env", "ask"],
    ["src/key.pem", "ask"],
    [".git/config", "ask"],
    ["AGENTS.md", "ask"],
    ["../outside.txt", "ask"],
    ["~/somewhere", "ask"],
    ["way/outside.txt", "ask"],
    ["src/a\u202e.ts", "ask"],
    [".", "ask"],
    ["../data/rules.json", "deny"],
  ])("of which %s is one", async (path, verdict) => {
    const { base, workspace, judge } = setUp();
    symlinkSync(base, join(workspace, "way"));
    expect((await judge(path, plain)).verdict).toBe(verdict);
    expect((await judge(plain, path)).verdict).toBe(verdict);
  });

  it.each<[rules: Rule[], verdict: string]>([
    [[], "new"],
    [[["allow", "write", "docs/**"]], "new"],
    [[["allow", "delete", "src/**"]], "new"],
    [[["allow", "write", "**"]], "new"],
    [[["allow", "delete", "**"]], "new"],
    [
      [
        ["allow", "delete", "src/**"],
        ["allow", "write", "docs/**"],
      ],
      "covered",
    ],
    [
      [
        ["allow", "delete", "**"],
        ["allow", "write", "**"],
        ["deny", "delete", "src/**"],
      ],
      "deny",
    ],
    [
      [
        ["allow", "delete", "**"],
        ["allow", "write", "**"],
        ["deny", "write", "docs/**"],
      ],
      "deny",
    ],
    // What may not be read must not be moved to where it may be.
    [
      [
        ["allow", "delete", "**"],
        ["allow", "write", "**"],
        ["deny", "read", "src/**"],
      ],
      "deny",
    ],
    [
      [
        ["allow", "delete", "**"],
        ["allow", "write", "**"],
        ["ask", "read", "src/**"],
      ],
      "ask",
    ],
    [
      [
        ["allow", "delete", "**"],
        ["allow", "write", "**"],
        ["ask", "write", "docs/**"],
      ],
      "ask",
    ],
  ])("with the rules %j", async (rules, verdict) => {
    expect((await setUp(...rules).judge("src/a.ts", "docs/a.ts")).verdict).toBe(verdict);
  });
});

describe("the card of a move", () => {
  it("shows both places and is drawn against both", async () => {
    const { workspace, describe: look } = setUp();
    symlinkSync("docs", join(workspace, "way"));
    const { draw } = await look("src/a.ts", "way/b.ts");
    const { subject, shape, baseHash, unable } = await draw();
    expect(unable).toBeUndefined();
    expect(subject).toMatchObject({
      operation: "move",
      path: "src/a.ts",
      movedTo: "docs/b.ts",
      movedToAskedAs: "way/b.ts",
    });
    expect(shape).toBe("move_file src/a.ts docs/b.ts");
    expect(baseHash).toContain(`${workspace}/src/a.ts\0${workspace}/docs/b.ts`);
    rmSync(join(workspace, "way"));
    symlinkSync("src", join(workspace, "way"));
    expect((await draw()).baseHash).not.toBe(baseHash);
  });

  it("says that nothing is replaced", async () => {
    const { workspace, describe: look } = setUp();
    writeFileSync(join(workspace, "src/b.ts"), "b");
    const { unable, subject } = await (await look("src/a.ts", "src/b.ts")).draw();
    expect([unable?.why, unable?.tellable]).toEqual([
      expect.stringContaining("src/b.ts is there already"),
      true,
    ]);
    expect(subject).toMatchObject({ path: "src/a.ts", movedTo: "src/b.ts" });
  });

  it("tells of a place outside only whoever is asked, and nothing of what is there", async () => {
    const { base, describe: look } = setUp();
    const { unable } = await (await look("src/a.ts", join(base, "outside.txt"))).draw();
    expect(unable).toMatchObject({ tellable: false });
  });

  it.each(["source", "target"])(
    "draws no %s outside under a verdict that said so of the other",
    async (turned) => {
      const { base, workspace, describe: look } = setUp();
      mkdirSync(join(workspace, "way"));
      writeFileSync(join(workspace, "way/a.ts"), "a");
      const [from, to] =
        turned === "target" ? ["../outside.txt", "way/b.ts"] : ["way/a.ts", "../elsewhere.txt"];
      const { verdict, draw } = await look(from, to);
      expect(verdict.units.map(({ source }) => source)).toContain("path:outside");
      expect((await draw()).unable).toBeUndefined();
      rmSync(join(workspace, "way"), { recursive: true });
      symlinkSync(base, join(workspace, "way"));
      writeFileSync(join(base, "a.ts"), "not to be moved");
      expect((await draw()).unable?.why).toContain("outside the workspace");
    },
  );
});
