/** What was said from a message on is forgotten by the agent, folded away for the person, and brought forth again. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isBaseMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import type { Input } from "../../shared/contract/contract.ts";
import { executionIdSchema, type ThreadId, type TurnId } from "../../shared/ids.ts";
import { createCheckpointer } from "../storage/checkpointer/create-checkpointer.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

/** The texts that the agent goes on from, read past the host from what is on the disk. */
async function memoryOf(threadId: ThreadId): Promise<string[]> {
  const saver = createCheckpointer(join(folders.dataDir, "checkpoints.db"));
  try {
    const tuple = await saver.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: "" } });
    const messages: unknown = tuple?.checkpoint.channel_values.messages ?? [];
    return (messages as unknown[]).flatMap((one) => (isBaseMessage(one) ? [one.text] : []));
  } finally {
    saver.close();
  }
}

async function say(threadId: ThreadId, text: string): Promise<TurnId> {
  const { turnId } = await console.send(threadId, text);
  await console.untilTurnEnd(threadId, turnId);
  return turnId;
}

type Part = Input<"undo.carryOut">["part"];

async function takeBack(threadId: ThreadId, turnId: TurnId, part: Part) {
  const { digest } = await console.client.call("undo.preview", { threadId, turnId });
  return console.client.call("undo.carryOut", { threadId, turnId, part, digest });
}

async function last(threadId: ThreadId, turnId: TurnId) {
  return (await console.client.call("undo.preview", { threadId, turnId })).last!;
}

/** Every message with whether it is folded away. */
async function talk(threadId: ThreadId): Promise<string[]> {
  return (await console.items(threadId)).flatMap((item) =>
    item.kind === "userMessage" || item.kind === "agentMessage"
      ? [`${item.takenBack ? "- " : ""}${item.text}`]
      : [],
  );
}

it("goes on as if it had not been said, and back to as it was", async () => {
  const threadId = await console.start();
  await say(threadId, "say one");
  const second = await say(threadId, "say two");
  await say(threadId, "say three");
  const before = await memoryOf(threadId);
  expect(await takeBack(threadId, second, "conversation")).toEqual({ files: 0, messages: 2 });
  expect(await memoryOf(threadId)).toEqual(["say one", "one"]);
  expect(await talk(threadId)).toEqual(["say one", "one", "- say two", "- two", "- say three", "- three"]);
  const line = (await console.items(threadId)).at(-1);
  expect(line).toMatchObject({ kind: "takenBack", broughtBack: false, files: 0 });
  expect((await console.ledger(threadId)).at(-1)).toMatchObject({
    tool: "undo conversation",
    originalArgs: { messages: 2 },
    by: { kind: "person" },
  });
  await console.client.call("undo.reverse", { threadId, id: (await last(threadId, second)).id });
  expect(await memoryOf(threadId)).toEqual(before);
  expect(await talk(threadId)).toEqual(["say one", "one", "say two", "two", "say three", "three"]);
  await say(threadId, "say four");
  expect(await memoryOf(threadId)).toEqual([...before, "say four", "four"]);
});

it("begins anew from the first message, and cannot come back once something else was said", async () => {
  const threadId = await console.start();
  const first = await say(threadId, "say one");
  await takeBack(threadId, first, "conversation");
  expect(await memoryOf(threadId)).toEqual([]);
  const other = await say(threadId, "say other");
  expect(await memoryOf(threadId)).toEqual(["say other", "other"]);
  const { id, wentOn } = await last(threadId, other);
  expect(wentOn).toBe(true);
  await expect(console.client.call("undo.reverse", { threadId, id })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("went on since"),
  });
  // What came after is taken back by itself, and what was taken back before stays so.
  await takeBack(threadId, other, "conversation");
  expect(await talk(threadId)).toEqual(["- say one", "- one", "- say other", "- other"]);
  await console.client.call("undo.reverse", { threadId, id: (await last(threadId, other)).id });
  expect(await talk(threadId)).toEqual(["- say one", "- one", "say other", "other"]);
  expect(await memoryOf(threadId)).toEqual(["say other", "other"]);
});

it("takes files and conversation as one, and neither when a file cannot move", async () => {
  const notes = join(folders.workspace, "notes.md");
  await writeFile(notes, "one\n");
  const threadId = await console.start("run echo two > notes.md");
  await console.approveAll(threadId);
  const [item] = await console.items(threadId);
  const turnId = item!.turnId as TurnId;
  const { digest } = await console.client.call("undo.preview", { threadId, turnId });
  const known = await memoryOf(threadId);
  await writeFile(notes, "a person's own\n");
  const refused = console.client.call("undo.carryOut", { threadId, turnId, part: "both", digest });
  await expect(refused).rejects.toMatchObject({ code: "conflict" });
  expect(await memoryOf(threadId)).toEqual(known);
  await writeFile(notes, "two\n");
  expect(await takeBack(threadId, turnId, "both")).toEqual({ files: 1, messages: 1 });
  expect(await readFile(notes, "utf8")).toBe("one\n");
  expect(await memoryOf(threadId)).toEqual([]);
  await console.client.call("undo.reverse", { threadId, id: (await last(threadId, turnId)).id });
  expect(await readFile(notes, "utf8")).toBe("two\n");
  expect(await memoryOf(threadId)).toEqual(known);
});

it("from a call on takes its files, and with them all that the agent knows of the turn", async () => {
  const read = (name: string) => readFile(join(folders.workspace, name), "utf8");
  const threadId = await console.start("run echo one > first.md\n\nrun echo two > second.md");
  await console.approveAll(threadId);
  const known = await memoryOf(threadId);
  const call = (await console.toolCalls(threadId)).at(-1)!;
  const place = {
    threadId,
    turnId: call.turnId as TurnId,
    executionId: executionIdSchema.parse(call.receipt?.executionId),
  };
  const { digest, back, conversation } = await console.client.call("undo.preview", place);
  expect([back.map(({ path }) => path), conversation]).toEqual([["second.md"], { messages: 1 }]);
  await console.client.call("undo.carryOut", { ...place, part: "both", digest });
  expect([await read("first.md"), await memoryOf(threadId)]).toEqual(["one\n", []]);
  await expect(read("second.md")).rejects.toMatchObject({ code: "ENOENT" });
  const { id } = (await console.client.call("undo.preview", place)).last!;
  await console.client.call("undo.reverse", { threadId, id });
  expect([await read("second.md"), await memoryOf(threadId)]).toEqual(["two\n", known]);
});

it("is not offered while something waits for a person or in line, and loses neither", async () => {
  const threadId = await console.start("run echo waits > held.txt");
  const asked = await console.onePending(threadId);
  const [item] = await console.items(threadId);
  const place = { threadId, turnId: item!.turnId as TurnId };
  const seen = await console.client.call("undo.preview", place);
  expect(seen.conversation).toEqual({ why: "not-over" });
  const { turnId } = await console.send(threadId, "say later", "queue");
  const anyway = console.client.call("undo.carryOut", {
    ...place,
    part: "conversation",
    digest: seen.digest,
  });
  await expect(anyway).rejects.toMatchObject({ code: "conflict" });
  expect(console.pending(threadId).map(({ id }) => id)).toEqual([asked.id]);
  await console.stop(threadId);
  expect((await console.client.call("undo.preview", place)).conversation).toEqual({ why: "in-line" });
  const resting = await console.client.call("undo.preview", { threadId, turnId });
  expect(resting.conversation).toEqual({ why: "taken-back" });
});

it("can be brought forth again after a restart and a pruning", async () => {
  const threadId = await console.start();
  await say(threadId, "say one");
  const second = await say(threadId, "say two");
  const before = await memoryOf(threadId);
  await takeBack(threadId, second, "conversation");
  await reopen();
  expect(await memoryOf(threadId)).toEqual(["say one", "one"]);
  await console.client.call("threads.prune", { threadId, keepTurns: 1, preview: false });
  await console.client.call("undo.reverse", { threadId, id: (await last(threadId, second)).id });
  expect(await memoryOf(threadId)).toEqual(before);
});
