/** How what a governed agent calls for is decided: together, side by side over one file, and by nothing but what was shown. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { approve, createOuterScene, linesOf } from "./testing/outer-scene.ts";

const scene = createOuterScene("governed");
const { start, pending } = scene;
const call = (tool: string, args: object) => `${tool} ${JSON.stringify(args)}`;
const write = (path: string) => call("write_file", { file_path: path, content: path });
const inWorkspace = (name: string) => join(scene.host.workspace, name);

const decideTogether = (rows: readonly ApprovalRow[], digestOf: (row: ApprovalRow) => string) =>
  scene.host.engine.decisions.decide({
    items: rows.map((row) => ({ id: row.id, digest: digestOf(row) })),
    decision: approve,
    graceMs: 0,
    by: { kind: "person" },
  });

it("runs what was approved together, each once, and leaves what was decided by another digest", async () => {
  const threadId = start(`call ${["a.txt", "b.txt", "c.txt"].map(write).join(" ; ")}`);
  await scene.host.until(() => pending(threadId).length === 3);
  const wrong = pending(threadId)[1]!;
  const outcomes = await decideTogether(pending(threadId), ({ id, digest }) =>
    id === wrong.id ? `${digest}0` : digest,
  );
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
  await scene.host.until(() => pending(threadId).length === 1);
  expect(pending(threadId)[0]!.id).toBe(wrong.id);
  await scene.host.until(
    () => linesOf(inWorkspace("a.txt")).length + linesOf(inWorkspace("c.txt")).length === 2,
  );
  expect(linesOf(inWorkspace("b.txt"))).toEqual([]);
  await scene.host.decide(wrong, approve);
  await scene.host.untilStatus(threadId, "done");
  expect(linesOf(inWorkspace("b.txt"))).toEqual(["b.txt"]);
  const lines = scene.host.stores.ledger.ofThread(threadId);
  expect(new Set(lines.map(({ executionId }) => executionId)).size).toBe(3);
  expect(lines).toHaveLength(3);
});

it("makes each of two changes of one file once, and shows the second on what the first left", async () => {
  const path = inWorkspace("notes.md");
  writeFileSync(path, "one\ntwo\n");
  const edit = (from: string, to: string) =>
    call("edit_file", { file_path: path, old_string: from, new_string: to });
  const threadId = start(`call ${edit("one", "1")} ; ${edit("two", "2")}`);
  await scene.host.until(() => pending(threadId).length === 2);
  const shown = pending(threadId);
  expect(await decideTogether(shown, ({ digest }) => digest)).toMatchObject([{ ok: true }, { ok: true }]);
  // What was decided on the file as it was is asked anew when the other was made first, and by another digest.
  for (;;) {
    const isDone = () => scene.host.stores.threads.get(threadId).status === "done";
    await scene.host.until(() => isDone() || pending(threadId).length > 0);
    if (isDone()) break;
    const [again] = pending(threadId);
    expect(shown.map(({ digest }) => digest)).not.toContain(again!.digest);
    await scene.host.decide(again!, approve);
  }
  expect(readFileSync(path, "utf8")).toBe("1\n2\n");
});

it("asks about each of two calls with the same words that are made at once, and a yes for one is for that alone", async () => {
  const twice = call("execute", { command: "echo x >> done.txt" });
  const threadId = start(`call ${twice} ; ${twice}`);
  await scene.host.until(() => pending(threadId).length === 2);
  const [first, second] = pending(threadId);
  expect(first!.callKey).not.toBe(second!.callKey);
  await scene.host.decide(first!, approve);
  await scene.host.until(() => scene.written().length === 1);
  expect(pending(threadId).map(({ id }) => id)).toEqual([second!.id]);
  await scene.host.decide(second!, { type: "reject" });
  await scene.host.untilStatus(threadId, "done");
  expect(scene.written()).toEqual(["x"]);
});

it("is let through or refused by a person's rules, and a yes that is taken back in its grace has begun nothing", async () => {
  const { rules, approvals } = scene.host.stores;
  for (const [text, effect] of [
    ["touch let", "allow"],
    ["touch forbidden", "deny"],
  ] as const)
    rules.add({ text, effect, scope: "user", target: "command" });
  const touch = (name: string) => call("execute", { command: `touch ${name}` });
  const threadId = start(`call ${touch("let")}\ncall ${touch("forbidden")}\ncall ${touch("asked")}`);
  const card = await scene.host.onePending(threadId);
  expect(card.args).toEqual({ command: "touch asked" });
  const { decisions } = scene.host.engine;
  const decided = { items: [card], decision: approve, graceMs: 60_000, by: { kind: "person" as const } };
  expect(await decisions.decide(decided)).toMatchObject([{ ok: true }]);
  expect(decisions.undo([card.id])).toMatchObject([{ ok: true }]);
  expect(approvals.get(card.id)?.status).toBe("pending");
  await scene.host.decide(card, { type: "reject" });
  await scene.host.untilStatus(threadId, "done");
  expect(["let", "forbidden", "asked"].map((name) => existsSync(inWorkspace(name)))).toEqual([
    true,
    false,
    false,
  ]);
  expect(scene.host.stores.ledger.ofThread(threadId).map(({ by }) => by?.kind)).toEqual([
    "rule",
    "policy",
    "person",
  ]);
});
