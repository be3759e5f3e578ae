import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findWorkspaceContext, listContextPaths, sizesOf } from "./workspace-context.ts";

let base: string;
let workspace: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "countersign-context-"));
  workspace = join(base, "project");
  await mkdir(workspace);
});
afterEach(() => rm(base, { recursive: true }));

async function put(path: string): Promise<void> {
  await mkdir(dirname(join(base, path)), { recursive: true });
  await writeFile(join(base, path), "text");
}

describe("what a workspace tells agents", () => {
  it("is the AGENTS.md files and the folders with skills that are there", async () => {
    await put("project/AGENTS.md");
    await put("project/.deepagents/AGENTS.md");
    await put("project/.agents/skills/release/SKILL.md");
    await put("project/.claude/skills/notes.txt");
    expect(findWorkspaceContext(workspace, true)).toEqual({
      files: ["AGENTS.md", ".deepagents/AGENTS.md"],
      skills: [".agents/skills"],
    });
  });

  it("is CLAUDE.md files as well, and none of two names of one file twice", async () => {
    await put("project/CLAUDE.md");
    await put("project/.claude/CLAUDE.md");
    expect(findWorkspaceContext(workspace, true).files).toEqual(["CLAUDE.md", ".claude/CLAUDE.md"]);
    await symlink(join(workspace, "CLAUDE.md"), join(workspace, "AGENTS.md"));
    const { files } = findWorkspaceContext(workspace, true);
    expect(files).toEqual(["AGENTS.md", ".claude/CLAUDE.md"]);
    expect(findWorkspaceContext(workspace, true, ["AGENTS.md"]).files).toEqual([".claude/CLAUDE.md"]);
    expect(sizesOf(workspace, [...files, "gone.md"])).toEqual([4, 4, 0]);
  });

  it("is nothing while the person does not trust the workspace", async () => {
    await put("project/AGENTS.md");
    await put("project/CLAUDE.md");
    await put("project/.agents/skills/release/SKILL.md");
    expect(findWorkspaceContext(workspace, false)).toEqual({ files: [], skills: [] });
  });

  it("is nothing that really lies outside, and nothing that is no file", async () => {
    await put("outside/secret.md");
    await put("outside/skills/release/SKILL.md");
    await symlink(join(base, "outside/secret.md"), join(workspace, "AGENTS.md"));
    await mkdir(join(workspace, ".agents/AGENTS.md"), { recursive: true });
    await symlink(join(base, "outside/skills"), join(workspace, ".agents/skills"));
    await mkdir(join(workspace, ".deepagents/skills"), { recursive: true });
    await symlink(join(base, "outside/skills/release"), join(workspace, ".deepagents/skills/release"));
    expect(findWorkspaceContext(workspace, true)).toEqual({ files: [], skills: [] });
  });

  it("may be linked from elsewhere inside the workspace", async () => {
    await put("project/docs/agents.md");
    await symlink(join(workspace, "docs/agents.md"), join(workspace, "AGENTS.md"));
    expect(findWorkspaceContext(workspace, true).files).toEqual(["AGENTS.md"]);
  });

  it("is nothing when the folder is gone", () => {
    expect(findWorkspaceContext(join(base, "gone"), true)).toEqual({ files: [], skills: [] });
  });
});

describe("what a workspace would tell agents", () => {
  it("is named file by file and skill by skill, and nothing that lies outside is", async () => {
    await put("project/AGENTS.md");
    await put("project/.agents/skills/release/SKILL.md");
    await put("project/.agents/skills/audit/SKILL.md");
    await put("project/.agents/skills/notes/README.md");
    await put("outside/skills/steal/SKILL.md");
    await symlink(join(base, "outside/skills/steal"), join(workspace, ".agents/skills/steal"));
    expect(await listContextPaths(workspace)).toEqual({
      files: ["AGENTS.md"],
      skills: [".agents/skills/audit", ".agents/skills/release"],
    });
    expect(await listContextPaths(join(base, "gone"))).toEqual({ files: [], skills: [] });
  });
});
