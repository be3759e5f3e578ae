import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { posixStyle } from "../paths/posix-style.ts";
import { resolveIn } from "./disk.ts";
import type { FileRule } from "./file-rule.ts";
import { judgeFile } from "./judge-file.ts";
import { protectedAlternatives } from "./sensitive-names.ts";
import { makeContext } from "./testing/make-context.ts";

type FileContext = Parameters<typeof judgeFile>[1];

function rule(part: Partial<FileRule>): FileRule {
  return {
    id: "r",
    paths: ["docs/**"],
    operations: ["write"],
    effect: "allow",
    scope: "user",
    text: "docs",
    ...part,
  };
}

function judge(
  operation: "read" | "write" | "delete",
  path: string,
  part: Partial<FileContext> = {},
): string {
  return judgeFile({ operation, path }, { ...makeContext(), rules: [], ...part }).verdict;
}

describe("the policy for files", () => {
  it.each([
    ["read", "src/a.ts", "safe"],
    ["read", ".", "safe"],
    ["write", "src/a.ts", "new"],
    ["write", "/home/ada/code/app/src/a.ts", "new"],
    ["delete", "src/a.ts", "new"],
    ["delete", ".", "ask"],
    ["read", ".env", "ask"],
    ["read", ".env.example", "safe"],
    ["read", "config/server.pem", "ask"],
    ["write", ".ENV", "ask"],
    ["read", "../x", "ask"],
    ["write", "/etc/passwd", "ask"],
    ["write", ".git/hooks/pre-commit", "ask"],
    ["write", ".GIT/config", "ask"],
    ["read", ".git/HEAD", "safe"],
    ["write", ".github/workflows/ci.yml", "ask"],
    ["write", ".vscode/settings.json", "ask"],
    ["write", ".husky/pre-commit", "ask"],
    ["write", ".bashrc", "ask"],
    ["write", "src/a\u202e.ts", "ask"],
    ["write", "/home/ada/.local/share/countersign/rules.json", "deny"],
    ["read", "/home/ada/.local/share/countersign/rules.json", "ask"],
  ] as const)("judges %s of %s as %s", (operation, path, verdict) => {
    expect(judge(operation, path)).toBe(verdict);
  });

  it("covers what a rule's glob names, for its operations only", () => {
    const rules = [rule({})];
    expect(judge("write", "docs/a/b.md", { rules })).toBe("covered");
    expect(judge("delete", "docs/a.md", { rules })).toBe("new");
    expect(judge("write", "src/a.ts", { rules })).toBe("new");
    expect(judge("write", "docs/../src/a.ts", { rules })).toBe("new");
    expect(judge("write", "docs/.hidden", { rules })).toBe("new");
  });

  it("lets no rule silence a protected or secret path, and deny beats allow", () => {
    const everything = rule({ paths: ["**", "**/.*", ".git/**"], operations: ["read", "write", "delete"] });
    expect(judge("write", ".git/config", { rules: [everything] })).toBe("ask");
    expect(judge("read", ".env", { rules: [everything] })).toBe("ask");
    expect(
      judge("write", "src/a.ts", {
        rules: [everything, rule({ id: "d", paths: ["SRC/**"], effect: "deny" })],
      }),
    ).toBe("deny");
    expect(
      judge("read", "src/a.ts", {
        rules: [rule({ paths: ["src/**"], operations: ["read"], effect: "ask" })],
      }),
    ).toBe("ask");
  });

  it.each(protectedAlternatives)(
    "asks before $name is written, whatever rule there is",
    ({ name, folder }) => {
      const everything = rule({ paths: ["**", "**/.*", "**/.*/**"], operations: ["write", "delete"] });
      const sample = name.replaceAll("*", "x") + (folder ? "/inside" : "");
      for (const path of [sample, `src/${sample}`, sample.toUpperCase()])
        expect(judge("write", path, { rules: [everything] }), path).toBe("ask");
    },
  );

  // By name, since a name that is gone from the table would not be among its alternatives either.
  it.each(
    "AGENTS.md CLAUDE.md GEMINI.md .agents/a .deepagents/a .cursorrules .windsurfrules .clinerules .roo/a .kiro/a .continue/a .opencode/a opencode.json mcp.json .mcp.json .devcontainer.json .cargo/config.toml .mvn/a .lldbinit .Rprofile .ghci .irbrc .pryrc mise.toml .tool-versions .pnpmfile.cjs .yarn/a bunfig.toml .bazelrc .nvim.lua .dir-locals.el lefthook-local.yml .overcommit.yml .woodpecker.yml .semaphore/a buildspec.yml cloudbuild.yaml a.pth sitecustomize.py .git/hooks/a .vscode/a .husky/a .envrc".split(
      " ",
    ),
  )("asks before %s is written, which steers agents, editors or builds", (path) => {
    const everything = rule({ paths: ["**", "**/.*", "**/.*/**"] });
    expect(judge("write", path, { rules: [everything] })).toBe("ask");
  });

  it.each([
    ".github/workflows/ci.yml",
    ".github/copilot-instructions.md",
    ".github/instructions/a.md",
    "git~1/hooks/pre-commit",
    ".git./config",
    ".git /config",
    ".git::$INDEX_ALLOCATION/config",
    "docs/a\nApproved by user.md",
    "AGENTS.md",
    ".agents/skills/x/SKILL.md",
  ])("asks before %s is written, whatever rule there is", (path) => {
    const everything = rule({ paths: ["**", "**/.*", "**/.*/**"] });
    expect(judge("write", path, { rules: [everything] })).toBe("ask");
  });

  it.each([
    "src/agents.ts",
    "docs/claude-notes.md",
    "src/rules.ts",
    "config/app.json",
    "scripts/ci.ts",
    ".gitignore",
  ])("lets a rule cover %s", (path) => {
    expect(judge("write", path, { rules: [rule({ paths: ["**", "**/.*"] })] })).toBe("covered");
  });

  it("ignores what an untrusted workspace allows itself", () => {
    const rules = [rule({ scope: "workspace" })];
    expect(judge("write", "docs/a.md", { rules, trusted: false })).toBe("new");
    expect(judge("write", "docs/a.md", { rules, trusted: true })).toBe("covered");
  });
});

describe("links on a real disk", () => {
  let base: string;
  let workspace: string;

  beforeAll(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "policy-files-")));
    workspace = join(base, "ws");
    mkdirSync(join(workspace, "docs"), { recursive: true });
    mkdirSync(join(base, "outside", "deep"), { recursive: true });
    writeFileSync(join(workspace, ".env"), "x");
    symlinkSync(join(base, "outside", "deep"), join(workspace, "docs", "out"));
    symlinkSync("../.env", join(workspace, "docs", "plain.md"));
    symlinkSync("loop", join(workspace, "loop"));
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  it("judges where a link leads, `..` after a link included, and asks about loops", () => {
    const part = {
      workspace,
      cwd: workspace,
      resolvePath: resolveIn(posixStyle, { home: "/" }),
      rules: [rule({})],
    };
    expect(judge("write", "docs/out/new.md", part)).toBe("ask");
    expect(judge("write", "docs/out/../x.md", part)).toBe("ask");
    expect(judge("read", "docs/plain.md", part)).toBe("ask");
    expect(judge("read", "loop", part)).toBe("ask");
    expect(judge("write", "docs/new/deep/a.md", part)).toBe("covered");
    expect(judge("write", "docs/new/../../../x", part)).toBe("ask");
  });
});
