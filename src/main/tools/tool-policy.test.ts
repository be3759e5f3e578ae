/** A card shows what its verdict was about: leaving the workspace is a fact of the verdict, not whatever asks. */
import { mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createWorkspaceFiles } from "../files/workspace-files.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { createToolPolicy } from "./tool-policy.ts";

function setUp() {
  const base = realpathSync.native(mkdtempSync(join(tmpdir(), "countersign-tool-policy-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const workspace = realpathSync.native(mkdtempSync(join(base, "app-")));
  writeFileSync(join(workspace, ".env"), "KEY=1");
  writeFileSync(join(base, "outside.txt"), "not to be seen");
  const files = createWorkspaceFiles(workspace);
  const policy = createToolPolicy({
    dataDir: join(base, "data"),
    shell: "bash",
    rulesFor: () => ({ commands: [], files: [] }),
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
