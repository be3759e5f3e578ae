/** A card shows what its verdict was about: leaving the workspace is a fact of the verdict, not whatever asks. */
import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import type { RulesInForce } from "../rules/rule-entries.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { createToolPolicy } from "./tool-policy.ts";

function setUp(rules: RulesInForce = { commands: [], files: [] }) {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), "countersign-tool-policy-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = realpathSync.native(mkdtempSync(join(base, "app-")));
  writeFileSync(join(workspace, ".env"), "KEY=1");
  writeFileSync(join(base, "outside.txt"), "not to be seen");
  const files = createWorkspaceFiles(workspace);
  const policy = createToolPolicy({
    dataDir: join(base, "data"),
    shell: "bash",
    rulesFor: () => rules,
    isTrusted: () => true,
    filesOf: () => files,
  });
  return { base, workspace, policy, thread: { workspace } as ThreadRow };
}

it.each([
  ["write_file", { file_path: ".env", content: "KEY=2" }],
  ["read_file", { file_path: ".env" }],
])(
  "draws no card of %s for a link outside that came after a verdict about a file inside",
  async (tool, args) => {
    const { base, workspace, policy, thread } = setUp();
    const { verdict } = await policy.judge(tool, args, thread);
    expect(verdict.verdict).toBe("ask");
    const before = await policy.describe(tool, args, thread, verdict);
    expect(before.unable).toBeUndefined();
    renameSync(join(workspace, ".env"), join(workspace, "moved"));
    symlinkSync(join(base, "outside.txt"), join(workspace, ".env"));
    const after = await policy.describe(tool, args, thread, verdict);
    expect(after.unable?.why).toContain("outside the workspace");
    expect([after.baseHash, JSON.stringify(after.subject)]).toEqual([
      "unable .env",
      expect.not.stringContaining("outside.txt"),
    ]);
  },
);

it("draws the card of a file whose verdict says that it is outside, also where it is asked about for more", async () => {
  const { base, policy, thread } = setUp();
  const args = { file_path: join(base, "outside.txt"), content: "new" };
  const { verdict } = await policy.judge("write_file", args, thread);
  expect(verdict.units).toMatchObject([{ verdict: "ask", source: "path:outside" }]);
  const { subject, unable } = await policy.describe("write_file", args, thread, verdict);
  expect([unable, subject]).toEqual([undefined, expect.objectContaining({ path: args.file_path, added: 1 })]);
});

it("refuses of an outer agent what rules forbid, and lets nothing of it pass that they allow", async () => {
  const base = { scope: "user" as const, text: "" };
  const { policy, thread } = setUp({
    commands: [
      { ...base, id: "no", tokens: ["git", "push"], effect: "deny" },
      { ...base, id: "yes", tokens: ["npm", "test"], effect: "allow" },
    ],
    files: [
      { ...base, id: "kept", paths: ["kept/**"], operations: ["write", "delete"], effect: "deny" },
      { ...base, id: "free", paths: ["free/**"], operations: ["write"], effect: "allow" },
    ],
  });
  const judged = async (does: string, said: object) => {
    const args = { agent: "Fake", does, title: "t", places: [], changes: [], notes: [], ...said };
    const { verdict } = await policy.judge(`outer__${does}`, args, thread);
    return [verdict.verdict, ...verdict.units.flatMap(({ rule }) => rule ?? [])];
  };
  expect(await judged("execute", { input: { command: "cd sub && git push" } })).toEqual(["deny", "no"]);
  expect(await judged("other", { input: { command: ["git", "push"] } })).toEqual(["deny", "no"]);
  expect(await judged("execute", { input: { command: "npm test" } })).toEqual(["ask"]);
  const change = { path: "kept/a", before: null, after: "a" };
  expect(await judged("edit", { places: ["free/a"], changes: [change] })).toEqual(["deny", "kept"]);
  expect(await judged("delete", { places: ["kept/a"] })).toEqual(["deny", "kept"]);
  expect(await judged("move", { places: ["free/a", "kept/b"] })).toContain("deny");
  expect(await judged("edit", { places: ["free/a"] })).toEqual(["ask"]);
  expect(await judged("read", { places: ["kept/a"] })).toEqual(["ask"]);
});
