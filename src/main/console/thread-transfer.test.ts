import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerEntry } from "../../shared/contract/ledger.ts";
import type { TranscriptItem } from "../../shared/contract/transcript.ts";
import type { MessageId, ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { everything, tablesOf } from "../host/testing/count-rows.ts";
import {
  type Folders,
  makeFolders,
  openHost,
  type RunningHost,
  removeFolders,
  type TestConsole,
} from "../host/testing/host-fixture.ts";

type Place = { folders: Folders; running: RunningHost; console: TestConsole };

let here: Place;
let there: Place;

async function openPlace(): Promise<Place> {
  const folders = await makeFolders();
  const running = await openHost(folders);
  return { folders, running, console: running.console };
}

beforeAll(async () => {
  [here, there] = await Promise.all([openPlace(), openPlace()]);
  // Threads are numbered inside a checkpoint database; the numbers there are taken already.
  await there.console.run(await there.console.start(), "say something else");
});

afterAll(async () => {
  for (const { running, folders } of [here, there]) {
    await running.close();
    await removeFolders(folders);
  }
});

async function exportFrom({ console }: Place, threadId: ThreadId): Promise<string> {
  return (await console.client.call("threads.export", { threadId })).path;
}

async function importTo({ console, folders }: Place, path: string): Promise<ThreadId> {
  return (await console.client.call("threads.import", { path, workspace: folders.workspace })).id;
}

function fork({ console }: Place, threadId: ThreadId, messageId: string, text?: string) {
  const command = { commandId: newCommandId(), threadId, messageId: messageId as MessageId, text };
  return console.client.call("threads.fork", command);
}

let marks = 0;
const steps = ["say", "approve", "reject", "answer", "write", "delegate", "stop", "rename"] as const;

/** One turn of a thread, with whatever a person does in it. */
async function take({ console }: Place, threadId: ThreadId, step: (typeof steps)[number]): Promise<void> {
  marks += 1;
  const text = {
    say: `say word ${marks}`,
    approve: `run echo ${marks} >> ran`,
    reject: `run echo ${marks} >> ran`,
    answer: `ask Which ${marks}?`,
    write: `write file-${marks}.txt text ${marks}`,
    delegate: `delegate general-purpose: run echo ${marks} >> ran\nsay and ${marks}`,
    stop: `run echo ${marks} >> ran`,
    rename: `say renamed ${marks}`,
  }[step];
  const { turnId } = await console.send(threadId, text);
  if (step === "rename")
    await console.client.call("threads.rename", { threadId, title: `Title “${marks}” / ../x` });
  if (step !== "say" && step !== "rename") {
    const asked = await console.onePending(threadId);
    if (step === "stop") await console.stop(threadId);
    else if (step === "reject") await console.decide(asked, { type: "reject", message: "not now" });
    else if (step === "answer") await console.decide(asked, { type: "respond", answer: `this ${marks}` });
    else await console.approve(asked);
  }
  await console.untilTurnEnd(threadId, turnId);
  await console.untilRest(threadId);
}

/** What a file cannot keep: places in this log, and how what was open goes on. */
function lasting(item: TranscriptItem): unknown {
  const { position: _position, ...rest } = item;
  if (rest.kind === "toolCall" && (rest.state !== "finished" || rest.outcome === "cancelled"))
    return { id: rest.id, at: rest.at, tool: rest.tool, args: rest.args };
  if (rest.kind === "userMessage")
    return { ...rest, queued: false, cancelled: rest.cancelled || rest.queued };
  return rest;
}

function lastingLine(entry: LedgerEntry): unknown {
  const {
    id: _id,
    threadId: _t,
    approvalId: _a,
    executionId: _e,
    imported: _i,
    position: _p,
    ...rest
  } = entry;
  return rest;
}

const talkOf = (items: TranscriptItem[]) =>
  items.flatMap((item) => (item.kind === "userMessage" || item.kind === "agentMessage" ? [item.text] : []));

describe("a thread that goes through a file into another data directory", () => {
  it("is the same there: what was said and when, who decided what, and every message it can be forked at", async () => {
    const walks = fc.tuple(fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 5 }), fc.boolean());
    const property = fc.asyncProperty(walks, async ([walk, leaveOpen]) => {
      const threadId = await here.console.start();
      for (const step of walk) await take(here, threadId, step);
      if (leaveOpen) {
        await here.console.send(threadId, "run echo open >> ran");
        await here.console.onePending(threadId);
        await here.console.send(threadId, "say queued");
      }
      const before = await here.console.items(threadId);
      const id = await importTo(there, await exportFrom(here, threadId));
      const after = await there.console.items(id);
      expect(after.at(-1)).toMatchObject({ kind: "notice", text: expect.stringContaining("imported") });
      expect(after.slice(0, -1).map(lasting)).toEqual(before.map(lasting));
      expect(there.console.pending(id)).toEqual([]);

      const lines = await here.console.ledger(threadId);
      const imported = await there.console.ledger(id);
      expect(imported.map(lastingLine)).toEqual(lines.map(lastingLine));
      expect(imported.map((line) => ({ ...line.imported, at: undefined }))).toEqual(
        lines.map(({ id: line, approvalId, executionId }) => ({ threadId, line, approvalId, executionId })),
      );

      const sent = after.filter((item) => item.kind === "userMessage" && !item.cancelled);
      for (const message of sent) {
        const forked = await fork(there, id, message.id);
        const kept = after.slice(0, after.indexOf(message));
        expect(talkOf(await there.console.items(forked.id))).toEqual(talkOf(kept));
        await there.console.client.call("threads.delete", { threadId: forked.id });
      }
      const again = await importTo(there, await exportFrom(there, id));
      expect((await there.console.items(again)).slice(0, -1).map(lasting)).toEqual(after.map(lasting));
      expect((await there.console.ledger(again)).map(({ imported: mark }) => mark?.threadId)).toEqual(
        lines.map(() => threadId),
      );
      await here.console.client.call("threads.delete", { threadId });
    });
    await fc.assert(property, { numRuns: runsOf(6), endOnFailure: true });
  });

  it("goes on there with what the agent knew, also from an old message, and asks anew about what was allowed", async () => {
    const threadId = await here.console.start();
    await take(here, threadId, "approve");
    await take(here, threadId, "say");
    const id = await importTo(there, await exportFrom(here, threadId));
    await there.console.run(id, "say on");
    expect(await there.console.lastWords(id)).toBe("on");
    const [first] = await there.console.items(id);
    const forked = await fork(there, id, first!.id, "run touch from-the-fork");
    const asked = await there.console.onePending(forked.id);
    await there.console.approve(asked);
    await there.console.untilStatus(forked.id, "done");
    expect(await readFile(join(there.folders.workspace, "from-the-fork"), "utf8")).toBe("");
  });

  it("counts for nothing that this machine allowed, ran or paid", async () => {
    const threadId = await here.console.start();
    await take(here, threadId, "approve");
    const id = await importTo(there, await exportFrom(here, threadId));
    const rule = { text: "echo", effect: "allow" as const, scope: "thread" as const, threadId: id };
    expect(await there.console.client.call("rules.preview", rule)).toMatchObject({ wouldApprove: 0 });
    const rows = tablesOf(there.folders, id);
    expect(rows).toMatchObject({ ledger: 1, executions: 0, approvals: 0, tool_calls: 0, token_use: 0 });
  });

  it("does not bring along the address its model was reached at, and says so", async () => {
    const threadId = await here.console.start("say hello");
    await here.console.untilStatus(threadId, "done");
    const path = await exportFrom(here, threadId);
    const file = JSON.parse(await readFile(path, "utf8"));
    file.thread.model = { provider: "openai", model: "gpt", baseUrl: "https://elsewhere.example/v1" };
    await writeFile(path, JSON.stringify(file));
    const id = await importTo(there, path);
    await there.console.until(() => there.console.threads.has(id), "the thread is shown");
    expect(there.console.threads.get(id)?.model).toEqual({ provider: "openai", model: "gpt" });
    expect((await there.console.notices(id)).at(-1)?.text).toContain("https://elsewhere.example/v1");
  });
});

describe("a file that is not a whole thread", () => {
  // biome-ignore lint/suspicious/noExplicitAny: the file is bent at will
  const bent: [string, string, (file: any) => unknown][] = [
    ["text", "not JSON", () => "{"],
    ["another format", "format", (file) => ({ ...file, format: "other" })],
    ["a newer version", "newer version", (file) => ({ ...file, version: 4 })],
    ["an unknown member", "surprise", (file) => ({ ...file, surprise: 1 })],
    [
      "an unknown kind of event",
      "events.1.data.type",
      (file) => (file.events[1].data.type = "message.forged"),
    ],
    ["an event without a time", "events.0.at", (file) => delete file.events[0].at],
    ["a turn without its message", "turns.1.messageId", (file) => (file.turns[1].messageId = "msg-none")],
    ["two turns of one message", "turns.1", (file) => (file.turns[1].messageId = file.turns[0].messageId)],
    ["a strange state of a turn", "turns.0.status", (file) => (file.turns[0].status = "great")],
    ["a ledger line without who decided", "ledger.0.by", (file) => delete file.ledger[0].by],
    [
      "an unknown table",
      "checkpoints.sqlite_master",
      (file) => (file.checkpoints.sqlite_master = [{ a: 1 }]),
    ],
    ["an unknown column", "checkpoints.checkpoints.0.x", (file) => (file.checkpoints.checkpoints[0].x = 1)],
    [
      "a row without what it needs",
      "checkpoints.checkpoints.0",
      (file) => delete file.checkpoints.checkpoints[0].checkpoint_id,
    ],
    [
      "a memory that cannot be read",
      "checkpoint",
      (file) => {
        for (const row of file.checkpoints.checkpoints) row.checkpoint = { base64: "AAAA" };
      },
    ],
  ];
  let good: string;

  beforeAll(async () => {
    const threadId = await here.console.start();
    await take(here, threadId, "approve");
    await take(here, threadId, "say");
    good = await readFile(await exportFrom(here, threadId), "utf8");
  });

  it.each(bent)("with %s is refused by name (%s), and nothing of it stays", async (_what, name, bend) => {
    const before = everything(there.folders);
    const file = JSON.parse(good);
    const result = bend(file);
    const isWhole = typeof result === "object" && result !== null && "format" in result;
    const path = join(there.folders.root, "bent.json");
    await writeFile(path, result === "{" ? "{" : JSON.stringify(isWhole ? result : file));
    await expect(importTo(there, path)).rejects.toMatchObject({
      code: "invalid-input",
      field: "path",
      message: expect.stringContaining(name),
    });
    expect(everything(there.folders)).toEqual(before);
  });

  it("and that breaks off only in the last step leaves nothing either", async () => {
    const before = everything(there.folders);
    const file = JSON.parse(good);
    // The schema takes this line; the database does not know how to keep it.
    file.ledger[0].at = 1.5;
    const path = join(there.folders.root, "late.json");
    await writeFile(path, JSON.stringify(file));
    await expect(importTo(there, path)).rejects.toThrow();
    expect(everything(there.folders)).toEqual(before);
  });
});

describe("a file of the first version", () => {
  it("still brings its talk, its times, its ledger lines and the agent's memory; forks need the second", async () => {
    const threadId = await here.console.start();
    await take(here, threadId, "approve");
    const { turns: _turns, ...file } = JSON.parse(await readFile(await exportFrom(here, threadId), "utf8"));
    const path = join(there.folders.root, "first.json");
    await writeFile(path, JSON.stringify({ ...file, version: 1 }));
    const id = await importTo(there, path);
    const after = await there.console.items(id);
    expect(after.slice(0, -1).map(lasting)).toEqual((await here.console.items(threadId)).map(lasting));
    expect(await there.console.ledger(id)).toHaveLength(1);
    await expect(fork(there, id, after[0]!.id)).rejects.toMatchObject({ code: "not-found" });
    await there.console.run(id, "say on");
  });
});
