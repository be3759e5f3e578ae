/** Every tool has a home: its facts, the behaviour of its kind, and nobody else who decides by its name. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { factsOf, kindOf, type ToolName, tools } from "../../shared/tools/tools.ts";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { createToolPolicy } from "./tool-policy.ts";

const names = Object.keys(tools) as ToolName[];
const made = ["made_up", "mcp_a_b", "EXECUTE", "execute ", "__proto__", "constructor", ""];
/** Arguments that fit any tool; each takes what it knows. */
const args = { command: "ls", file_path: "a.ts", path: ".", content: "x", old_string: "a", new_string: "b" };
const wide = { ...args, new_path: "b.ts", url: "https://example.com/", query: "a", pattern: "a" };

function setUp() {
  const workspace = realpathSync.native(mkdtempSync(join(tmpdir(), "countersign-tool-kinds-")));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  writeFileSync(join(workspace, "a.ts"), "a");
  const files = createWorkspaceFiles(workspace);
  const policy = createToolPolicy({
    dataDir: "/nowhere",
    shell: "bash",
    rulesFor: () => ({ commands: [], files: [] }),
    isTrusted: () => true,
    filesOf: () => files,
  });
  return { policy, thread: { workspace } as ThreadRow };
}

describe("each tool", () => {
  it.each(names)(
    "%s has facts, and a behaviour that judges it by what is known of its kind",
    async (name) => {
      const { policy, thread } = setUp();
      expect(factsOf(name)).toBeDefined();
      const { verdict, readsOnly } = await policy.judge(name, wide, thread);
      const judged = verdict.units.map(({ reason }) => reason).join();
      expect(judged).not.toContain("Nothing is known");
      const { subject } = await policy.describe(name, wide, thread, verdict);
      const kind = kindOf(name);
      expect(policy.isFree(name)).toBe(["plan", "question", "delegate"].includes(kind));
      expect(readsOnly === true).toBe(kind === "read");
      if (kind === "change" || kind === "read") expect(subject.kind).toBe("file");
      if (kind === "command") expect(subject.kind).toBe("command");
    },
  );

  it.each(made)("that is not listed, like %j, is foreign and always asks", async (name) => {
    const { policy, thread } = setUp();
    expect([factsOf(name), kindOf(name), policy.isFree(name)]).toEqual([undefined, "foreign", false]);
    expect((await policy.judge(name, wide, thread)).verdict.verdict).toBe("ask");
    expect((await policy.describe(name, wide, thread, { verdict: "ask", units: [] })).subject.kind).toBe(
      "arguments",
    );
  });

  it.each(["execute", "fetch_url", "web_search"])(
    "asks about a call of %s whose arguments it cannot read",
    async (name) => {
      const { policy, thread } = setUp();
      expect((await policy.judge(name, { command: ["rm"], url: 1 }, thread)).verdict.verdict).toBe("ask");
    },
  );
});

/** Where tools are made or their calls written, a name has to stand; what each is for. */
const namers: Record<string, string> = {
  "agents/acp/answer-elicitation.ts": "puts what an agent asks by a form as a call of that tool",
  "agents/deep-agent/gated-call.ts": "a habit of the packages' own delete tool",
  "agents/deep-agent/tools/own-tools.ts": "makes the tools",
  "agents/deep-agent/tools/web-tools.ts": "makes the tools",
  "agents/langgraph-project/project.ts": "knows which tools an agent has on a server",
  "models/demo/instruction.ts": "writes calls",
  "models/demo/script.ts": "writes calls",
  "storage/packing-dictionary.ts": "words that stored texts are packed against, in no statement",
  "tools/kinds/change.ts": "one entry for each tool of the kind, asked for by the compiler",
  "tools/kinds/read.ts": "one entry for each tool of the kind, asked for by the compiler",
  "tools/kinds/web.ts": "one entry for each tool of the kind, asked for by the compiler",
};

it("lets no other file of the host name a tool", () => {
  const main = join(import.meta.dirname, "..");
  const plain = names.filter((name) => name.includes("_"));
  const common = names.filter((name) => !name.includes("_"));
  // A word like "delete" means many things; next to a tool it means that tool.
  const named = new RegExp(
    `["'\`](?:${plain.join("|")})["'\`]|\\b(?:tool|toolName)\\s*[!=]==\\s*["'\`](?:${common.join("|")})["'\`]|: ToolName = "`,
  );
  const found = readdirSync(main, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|(?:^|[\\/])testing[\\/]/.test(path))
    .filter((path) => named.test(readFileSync(join(main, path), "utf8")))
    .map((path) => relative(main, join(main, path)).replaceAll("\\", "/"));
  expect(found.filter((path) => !Object.hasOwn(namers, path))).toEqual([]);
});
