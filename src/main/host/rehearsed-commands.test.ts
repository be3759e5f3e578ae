/** A command that waits is rehearsed, and a yes puts just what that found into the folder: undoable, or not at all. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { missing } from "../rehearsal/testing/real-overlay.ts";
import type { Probe } from "../sandbox/probe.ts";
import { program } from "../sandbox/testing/real-sandbox.ts";
import { makeFolders, openHost, removeFolders, type TestConsole } from "./testing/host-fixture.ts";

const usable: Probe = { usable: true, program, tries: 1 };
/** What ran twice would have printed and written two things. */
const command = "x=$RANDOM$RANDOM$RANDOM; echo $x > made; echo two >> notes; echo $x";

async function open() {
  const folders = await makeFolders();
  const at = (name: string) => join(folders.workspace, name);
  writeFileSync(at("notes"), "one\n");
  const start = () => openHost(folders, { sandbox: { mode: "auto", parts: { probe: async () => usable } } });
  let running = await start();
  onTestFinished(async () => {
    await running.close();
    await removeFolders(folders);
  });
  const rehearse = (console: TestConsole, { id, digest }: Approval, rehearsed = true) =>
    console.client.call("approvals.rehearse", { id, digest, rehearsed });
  return {
    folders,
    read: (name: string) => readFileSync(at(name), "utf8"),
    write: (name: string, text: string) => writeFileSync(at(name), text),
    is: (name: string) => existsSync(at(name)),
    rehearse,
    get console() {
      return running.console;
    },
    /** @param between on the database, while no host runs */
    async reopen(between: (database: Database.Database) => void = () => undefined) {
      await running.close();
      const database = new Database(join(folders.dataDir, "countersign.db"));
      between(database);
      database.close();
      running = await start();
    },
  };
}

/** What the card says of its rehearsal. */
function foundOf({ subject }: Approval) {
  const found = subject.kind === "command" ? subject.rehearsed : undefined;
  return found?.could ? found : undefined;
}

const changes = [
  { path: "made", what: "makes", folder: false, lines: { added: 1, removed: 0 } },
  { path: "notes", what: "changes", folder: false, lines: { added: 1, removed: 0 } },
];

describe.skipIf(missing !== undefined)("a rehearsed command", () => {
  it("is shown with what it would do, commits just that without running, and is undone as any", async () => {
    const { console, rehearse, read, is, folders } = await open();
    const threadId = await console.start(`run ${command}`);
    const asked = await console.onePending(threadId);
    const { approval } = await rehearse(console, asked);
    expect([foundOf(approval!)?.changes, read("notes"), is("made")]).toEqual([changes, "one\n", false]);
    expect(await console.approve(asked)).toMatchObject({ ok: false });
    const { id, digest } = approval!;
    const differenceOf = (path: string, of = digest) =>
      console.client.call("approvals.rehearsedDiff", { id, digest: of, path });
    const notes = { path: "notes", before: "one\n", after: "one\ntwo\n", tooLarge: false };
    expect(await differenceOf("notes")).toEqual({ diff: notes });
    expect(await differenceOf("made")).toMatchObject({ diff: { before: null } });
    expect([await differenceOf("../notes"), await differenceOf("notes", asked.digest)]).toEqual([{}, {}]);
    await console.approve(approval!);
    await console.untilRest(threadId);
    expect([read("made"), read("notes")]).toEqual([foundOf(approval!)?.output, "one\ntwo\n"]);
    const [call] = await console.toolCalls(threadId);
    expect(call).toMatchObject({ outcome: "ok", receipt: { exitCode: 0 } });
    expect(call?.result).toContain(read("made"));
    expect(readdirSync(join(folders.dataDir, "rehearsals"))).toEqual([]);
    const { items } = await console.client.call("threads.page", { threadId, limit: 100 });
    const [turnId] = items.flatMap((item) => (item.kind === "userMessage" ? [item.turnId] : []));
    const place = { threadId, turnId: turnId! };
    const preview = await console.client.call("undo.preview", place);
    await console.client.call("undo.carryOut", { ...place, part: "files", digest: preview.digest });
    expect([read("notes"), is("made")]).toEqual(["one\n", false]);
  });

  it("changes nothing where a file is another by then, and asks again", async () => {
    const { console, rehearse, read, write, is } = await open();
    const threadId = await console.start(`run ${command}`);
    const { approval } = await rehearse(console, await console.onePending(threadId));
    write("notes", "mine\n");
    await console.approve(approval!);
    await console.until(
      () => console.pending(threadId).some(({ id }) => id !== approval!.id),
      "it is asked again",
    );
    const again = await console.onePending(threadId);
    expect([foundOf(again), read("notes"), is("made")]).toEqual([undefined, "mine\n", false]);
    expect((await console.notices(threadId)).map(({ text }) => text).join()).toMatch(
      /was not put into the folder\. .*notes was changed.*asked about again/s,
    );
    await console.approve(again);
    await console.untilRest(threadId);
    expect([read("notes"), is("made")]).toEqual(["mine\ntwo\n", true]);
  });

  it("stays over a restart, and runs for real where the person wants that instead", async () => {
    const opened = await open();
    const threadId = await opened.console.start(`run ${command}`);
    const { approval } = await opened.rehearse(opened.console, await opened.console.onePending(threadId));
    await opened.reopen();
    const kept = await opened.console.onePending(threadId);
    expect([kept.digest, foundOf(kept)]).toEqual([approval!.digest, foundOf(approval!)]);
    const plain = await opened.rehearse(opened.console, kept, false);
    expect(foundOf(plain.approval!)).toBeUndefined();
    await opened.console.approve(plain.approval!);
    await opened.console.untilRest(threadId);
    expect(opened.read("made")).not.toBe(foundOf(approval!)?.output);
  });

  it("counts as not begun where the app ended before anything of it was there, and goes on by the same yes", async () => {
    const opened = await open();
    const threadId = await opened.console.start(`run ${command}`);
    const { approval } = await opened.rehearse(opened.console, await opened.console.onePending(threadId));
    const { id, digest } = approval!;
    await opened.reopen((database) => {
      const row = database
        .prepare("SELECT call_key, turn_id, item_id FROM approvals WHERE id = ?")
        .get(id) as Record<string, string>;
      database
        .prepare(
          'UPDATE approvals SET status = \'decided\', decision = \'{"type":"approve"}\', decided_by = \'{"kind":"person"}\', decided_at = 1, effective_at = 1, consumed_at = 1 WHERE id = ? AND digest = ?',
        )
        .run(id, digest);
      database
        .prepare(
          "INSERT INTO executions (id, call_key, thread_id, turn_id, item_id, tool, state, what, width, args, started_at) VALUES ('cut', ?, ?, ?, ?, 'execute', 'started', 'x', 'workspace', '{}', 1)",
        )
        .run(row.call_key, threadId, row.turn_id, row.item_id);
    });
    await opened.console.untilRest(threadId);
    expect(opened.read("made")).toBe(foundOf(approval!)?.output);
    expect(opened.console.pending(threadId)).toEqual([]);
  });

  it("is none that a rule forbids, nor what is no command, and none is decided with others", async () => {
    const { console, rehearse } = await open();
    const threadId = await console.start(`run ${command}`);
    const asked = await console.onePending(threadId);
    const { approval } = await rehearse(console, asked);
    const { id, digest } = approval!;
    const items = [
      { id, digest },
      { id: "other" as typeof id, digest },
    ];
    const commandId = "bulk" as never;
    const { outcomes } = await console.client.call("approvals.decide", {
      ...{ commandId, items, decision: { type: "approve" as const } },
    });
    expect(outcomes[0]).toMatchObject({ ok: false, reason: "What was rehearsed is decided one by one." });
    const { passes, stays } = await console.client.call("threads.previewAutoApprove", { threadId });
    expect([passes, stays]).toEqual([[], [{ id, why: expect.stringContaining("rehearsed") }]]);
    const switched = { threadId, on: true, approve: [{ id, digest }] };
    expect(await console.client.call("threads.setAutoApprove", switched)).toMatchObject({ approved: [] });
    await console.client.call("rules.add", { text: "echo", effect: "deny", scope: "user" });
    const now = await console.onePending(threadId);
    expect(await rehearse(console, now)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("forbids"),
    });
  });
});

it("says where commands cannot be confined that none can be rehearsed", async () => {
  const folders = await makeFolders();
  const none: Probe = { usable: false, why: "it is not installed" };
  const { console, close } = await openHost(folders, {
    sandbox: { mode: "auto", parts: { probe: async () => none } },
  });
  onTestFinished(async () => {
    await close();
    await removeFolders(folders);
  });
  const threadId = await console.start("run echo x > made");
  const { id, digest } = await console.onePending(threadId);
  const { approval } = await console.client.call("approvals.rehearse", { id, digest, rehearsed: true });
  expect(approval).toMatchObject({
    digest,
    subject: {
      rehearsed: { could: false, why: "Commands cannot be confined here, so none can be rehearsed." },
    },
  });
});
