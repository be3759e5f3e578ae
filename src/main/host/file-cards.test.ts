import { existsSync } from "node:fs";
import { mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { ApprovalDetail } from "../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../shared/ids.ts";
import { console, folders, roomyMs, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

const at = (file: string) => join(folders.workspace, file);
const textOf = (file: string) => readFile(at(file), "utf8");

function detailOf(id: ApprovalId): Promise<ApprovalDetail> {
  return console.client.call("approvals.get", { id });
}

/** Puts a link to a folder outside where a folder of the workspace was. */
async function leadOutside(folder: string): Promise<string> {
  const outside = join(folders.root, `outside-${folder}`);
  await mkdir(outside);
  await rename(at(folder), at(`${folder}-moved`));
  await symlink(outside, at(folder));
  return outside;
}

describe("the card of a file change", () => {
  it("goes stale with the file: the old digest decides nothing, the new diff and digest do", async () => {
    await writeFile(at("note"), "one\n");
    const threadId = await console.start("edit note one => two");
    const asked = await console.onePending(threadId);
    await writeFile(at("note"), "zero\none\n");
    expect(await console.approve(asked)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("changed"),
    });
    const { approval, diff } = await detailOf(asked.id);
    expect(approval.digest).not.toBe(asked.digest);
    expect(diff).toMatchObject({ path: "note", before: "zero\none\n", after: "zero\ntwo\n" });
    expect(await textOf("note")).toBe("zero\none\n");
    expect(await console.approve(approval)).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect(await textOf("note")).toBe("zero\ntwo\n");
  });

  it("asks again when the file changes between the approval and the effect, and says what became of the first", async () => {
    await writeFile(at("raced"), "one\n");
    const threadId = await console.start("edit raced one => two");
    const asked = await console.onePending(threadId);
    await console.approve(asked, roomyMs);
    await writeFile(at("raced"), "one\nmore\n");
    await console.until(
      () => console.pending(threadId).some(({ id }) => id !== asked.id),
      "it is asked again",
    );
    expect(await textOf("raced")).toBe("one\nmore\n");
    await console.approve(await console.onePending(threadId));
    await console.untilStatus(threadId, "done");
    expect(await textOf("raced")).toBe("two\nmore\n");
    const lines = await console.ledger(threadId);
    expect(lines.map(({ receipt }) => receipt?.path)).toEqual([undefined, "raced"]);
    expect(new Set(lines.map(({ executionId }) => executionId)).size).toBe(2);
  });

  it("cannot be approved any more when the change no longer fits, and a rejection reaches the model", async () => {
    await writeFile(at("gone"), "one\n");
    const threadId = await console.start("edit gone one => two");
    const asked = await console.onePending(threadId);
    await writeFile(at("gone"), "something else\n");
    const { approval } = await detailOf(asked.id);
    expect(approval.subject).toMatchObject({ added: 0, removed: 0, stale: true });
    expect(await console.approve(approval)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("Reject"),
    });
    await console.decide(asked, { type: "reject", message: "read it again" });
    await console.untilStatus(threadId, "done");
    expect(await textOf("gone")).toBe("something else\n");
  });

  it("does not carry a yes outside the workspace when a link takes a folder's place while it waits", async () => {
    await mkdir(at("waiting"));
    const threadId = await console.start("write waiting/x hello");
    const asked = await console.onePending(threadId);
    expect(asked.verdict.verdict).toBe("new");
    const outside = await leadOutside("waiting");
    expect(await console.approve(asked)).toMatchObject({ ok: false });
    const { approval } = await detailOf(asked.id);
    expect(await console.approve(approval)).toMatchObject({ ok: false });
    await console.decide(approval, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect(existsSync(join(outside, "x"))).toBe(false);
  });

  it("does not carry it outside when the link comes between the approval and the effect", async () => {
    await mkdir(at("approved"));
    const threadId = await console.start("write approved/x hello");
    await console.approve(await console.onePending(threadId), roomyMs);
    const outside = await leadOutside("approved");
    await console.untilStatus(threadId, "done");
    expect(existsSync(join(outside, "x"))).toBe(false);
    const [line] = await console.ledger(threadId);
    expect([line?.executionId !== undefined, line?.receipt?.path]).toEqual([true, undefined]);
    expect((await console.toolCalls(threadId))[0]?.result).toMatch(/outside/);
  });

  it("says so when a path leads outside from the start, always asks, and then writes there", async () => {
    const outside = join(folders.root, "elsewhere");
    await mkdir(outside);
    const threadId = await console.start(`write ${outside}/y hello`);
    const asked = await console.onePending(threadId);
    expect(asked).toMatchObject({
      risk: "high",
      verdict: { verdict: "ask" },
      subject: { path: `${outside}/y` },
    });
    await console.approve(asked);
    await console.untilStatus(threadId, "done");
    expect(await readFile(join(outside, "y"), "utf8")).toBe("hello");
  });
});

describe("a file change that a crash cut off", () => {
  it("is written when the person says run again", async () => {
    const threadId = await console.start("write again hello");
    const asked = await console.onePending(threadId);
    await reopen(() => {
      pretendItStarted(asked.id);
    });
    const recovery = await console.onePending(threadId);
    expect(recovery).toMatchObject({ kind: "recovery", tool: "write_file" });
    await console.approve(recovery);
    await console.untilStatus(threadId, "done");
    expect(await textOf("again")).toBe("hello");
  });
});

/** The rows as a crash between start and receipt leaves them. */
function pretendItStarted(id: ApprovalId): void {
  const database = new Database(join(folders.dataDir, "countersign.db"));
  database
    .prepare(
      "INSERT INTO executions (id, call_key, thread_id, turn_id, item_id, tool, state, what, args, started_at) SELECT 'exec-crashed', call_key, thread_id, turn_id, item_id, tool, 'started', 'write again', args, requested_at FROM approvals WHERE id = ?",
    )
    .run(id);
  database
    .prepare(
      `UPDATE approvals SET status = 'decided', decision = '{"type":"approve"}', decided_by = '{"kind":"person"}', decided_at = 1, effective_at = 1, consumed_at = 1 WHERE id = ?`,
    )
    .run(id);
  database.close();
}
