/**
 * VS Code's default approvals for agents, after its documentation (code.visualstudio.com/docs/agents/approvals) and the
 * published defaults of its settings, read as of August 2026: `chat.tools.terminal.autoApprove`, `chat.tools.edits.autoApprove`,
 * `chat.tools.terminal.autoApproveWorkspaceNpmScripts`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import picomatch from "picomatch";
import { kindOf } from "../../../src/shared/tools/tools.ts";
import { asks, runs, type Side } from "../side.ts";
import type { Call } from "../trace.ts";
import type { BenchWorkspace } from "../workspace.ts";
import { insideOf, type Part, partsOf } from "./command-parts.ts";

/** Programs that run whatever their words are. */
const always = new Set(
  "cd echo ls dir pwd cat head tail findstr wc tr cut cmp which basename dirname realpath readlink stat file od du df sleep nl grep uniq whoami uname hostname".split(
    " ",
  ),
);
/** Programs that run but for these words. */
const unless: Record<string, RegExp> = {
  column: /^-c$/,
  date: /^(?:-s|--set)/,
  find: /^-(?:delete|exec|execdir|fprint|fprintf|fls|ok|okdir)$/,
  rg: /^--(?:pre|hostname-bin)/,
  sed: /^(?:-[a-z]*[ife]|--(?:in-place|file|expression)|.*\/[ew]$)/,
  sort: /^(?:-[a-z]*[oS]|--(?:output|compress-program))/,
  tree: /^-o/,
  xxd: /^-r/,
};
const readingGit = new Set("status log show diff ls-files grep branch".split(" "));
const readingNpm = new Set(
  "ls list outdated view info show audit why explain fund search root prefix bin".split(" "),
);
/** An edit of these is asked about, any other inside of the workspace is not; it can be taken back afterwards. */
const askedEdits = [
  "**/.git/**",
  "**/{package.json,server.xml,build.rs,web.config,.gitattributes,.env,Cargo.toml}",
  "**/{.npmrc,.yarnrc,.yarnrc.yml,pnpm-workspace.yaml}",
  "**/*.{code-workspace,csproj,proj,targets,props,gradle}",
  "**/*.lock",
  "**/*-lock.{yaml,json}",
  "**/.mcp.json",
  "**/.vscode/*.json",
  "**/.github/{agents,hooks}/**",
  "**/.claude/agents/**",
  "**/.claude/{settings,settings.local}.json",
  "**/.codex/**",
];
const isAskedEdit = picomatch(askedEdits, { dot: true });

export function vsCode(place: BenchWorkspace): Side {
  const manifest = JSON.parse(readFileSync(join(place.workspace, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const mayWriteTo = (path: string) => insideOf(path, place) !== undefined;

  function isFreePart({ words, writes }: Part): boolean {
    if (!writes.every(mayWriteTo)) return false;
    const [name = "", first = "", second = "", ...rest] = words;
    const others = words.slice(1);
    if (always.has(name)) return true;
    if (Object.hasOwn(unless, name)) return !others.some((word) => unless[name]!.test(word));
    if (name === "git") return readingGit.has(first) && !(first === "branch" && /^-[dDmM]/.test(second));
    if (!["npm", "yarn", "pnpm"].includes(name)) return false;
    if (first === "run") return Object.hasOwn(manifest.scripts, second);
    if (first === "test") return Object.hasOwn(manifest.scripts, "test");
    return readingNpm.has(first) || first === "ci" || [second, ...rest].includes("--frozen-lockfile");
  }

  function isFree({ tool, args, reads }: Call): boolean {
    const kind = kindOf(tool);
    const path = typeof args.file_path === "string" ? insideOf(args.file_path, place) : undefined;
    if (kind === "command") return partsOf(String(args.command), place)?.every(isFreePart) === true;
    if (kind === "read") return path !== undefined || args.file_path === undefined;
    if (kind === "change") return tool !== "delete" && path !== undefined && !isAskedEdit(path);
    // What a server says of its tools is believed.
    if (kind === "foreign") return reads === true;
    return kind === "plan" || kind === "question" || kind === "delegate";
  }

  return {
    name: "VS Code, its defaults",
    basis: "re-implemented from its documentation and published defaults",
    judge: async (call) => (isFree(call) ? runs : asks(call)),
  };
}
