/** A read that nobody is asked about reads what was judged, whatever becomes of the links on the way meanwhile. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { WorkspaceBackend } from "../agents/deep-agent/workspace-backend.ts";
import type { Effects } from "../agents/source.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import { runAsJudged } from "../gate/run-context.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { createToolPolicy } from "../tools/tool-policy.ts";

let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "bound-reads-")));
  for (const folder of ["plain", "private", "deep/er"])
    mkdirSync(join(workspace, folder), { recursive: true });
  writeFileSync(join(workspace, "plain", "a.txt"), "nothing special");
  writeFileSync(join(workspace, "private", "a.txt"), "hunter2");
  writeFileSync(join(workspace, ".env"), "PASSWORD=hunter2");
});
afterEach(() => rmSync(workspace, { recursive: true }));

async function open() {
  const files = createWorkspaceFiles(workspace);
  const ask = { id: "r", paths: ["private/**"], operations: ["read" as const], effect: "ask" as const };
  const policy = createToolPolicy({
    dataDir: "/nowhere",
    shell: "bash",
    rulesFor: () => ({ commands: [], files: [{ ...ask, scope: "user", text: "private" }] }),
    isTrusted: () => true,
    filesOf: () => files,
  });
  // Only the reading half is used: what runs commands is never reached.
  const backend = new WorkspaceBackend({ filesOf: () => files } as unknown as Effects, workspace);
  const judge = (tool: string, args: Record<string, unknown>) =>
    policy.judge(tool, args, { id: "t", workspace } as ThreadRow);
  return { backend, judge };
}

function link(target: string): void {
  rmSync(join(workspace, "link"), { force: true, recursive: true });
  symlinkSync(target, join(workspace, "link"));
}

it.each([
  ["a file", "plain/a.txt", "link"],
  ["a folder on the way", "plain", "link/a.txt"],
  ["nothing yet", "plain/missing.txt", "link"],
])("reads nothing when the link to %s was turned after it was judged", async (_what, target, asked) => {
  const { backend, judge } = await open();
  for (const elsewhere of [".env", "private", "private/a.txt"]) {
    link(target);
    const judged = await judge("read_file", { file_path: asked });
    expect(judged.verdict.verdict).toBe("safe");
    link(elsewhere);
    const read = await runAsJudged(judged.readPath, () => Promise.resolve(backend.read(asked)));
    expect(JSON.stringify(read)).not.toContain("hunter2");
    expect(read).toHaveProperty("error");
  }
});

it("lists and searches no other folder than the judged one", async () => {
  const { backend, judge } = await open();
  const acts = {
    ls: () => backend.ls("link"),
    grep: () => backend.grep("hunter2", "link"),
    glob: () => backend.glob("*.txt", "link"),
  };
  for (const [tool, act] of Object.entries(acts)) {
    link("plain");
    const judged = await judge(tool, { path: "link", pattern: "x" });
    expect(judged.verdict.verdict, tool).toBe("safe");
    link("private");
    const result = await runAsJudged(judged.readPath, () => Promise.resolve(act()));
    expect(result, tool).toHaveProperty("error");
  }
});

it("judges what a link leads to, and reads it when it stays", async () => {
  const { backend, judge } = await open();
  link("private/a.txt");
  expect((await judge("read_file", { file_path: "link" })).verdict.verdict).toBe("ask");
  link("plain/a.txt");
  const { readPath } = await judge("read_file", { file_path: "link" });
  const read = await runAsJudged(readPath, () => Promise.resolve(backend.read("link")));
  expect(read).toMatchObject({ content: "nothing special" });
  for (const path of [undefined, "/", "."])
    expect((await judge("grep", { pattern: "x", path })).readPath).toBe(workspace);
});
