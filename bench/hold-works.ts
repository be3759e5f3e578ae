/** What the host does while its loop is measured: the largest content that a model, a person or years of use can bring. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../attack/answering-server.ts";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { Client } from "../src/shared/wire/client.ts";
import { type Scene, sendAndWait } from "./hold-scene.ts";

const sentence = "The agent reads the file and says what stands in it.\n";
const ofLength = (length: number) => sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);

export type Work = (round: number) => Promise<unknown>;

/** By what is done; the first is what the others are compared with. @param steps of the long thread */
export async function worksOf({ client, ask, workspace }: Scene, steps: number): Promise<Map<string, Work>> {
  writeFileSync(join(workspace, "large.txt"), ofLength(5_000_000));
  await client.call("settings.update", { modelCallLimit: 2 * steps });
  const long = (await client.call("threads.create", { commandId: newCommandId(), workspace })).id;
  await sendAndWait(client, long, Array.from({ length: steps }, () => "ls .").join("\n\n"));
  return new Map<string, Work>([
    ["an answer of 1 KB", () => ask({ text: ofLength(1_000) })],
    ["an answer of 5 MB", () => ask({ text: ofLength(5_000_000) })],
    ["an answer of 5 MB of Chinese", () => ask({ text: "人工智能代理。".repeat(240_000) })],
    ["a file of 500 KB, written after a yes", (round) => ask(writeFile(`new-${round}.txt`, 500_000))],
    ["a file of 5 MB, replaced after a yes", () => ask(writeFile("large.txt", 5_000))],
    ["an edit of 520 KB, made after a yes", (round) => ask(edit(workspace, `edit-${round}.txt`))],
    ["a question of 98 KB, answered", () => ask(call("ask_human", { question: ofLength(98_000) }))],
    [
      "50 calls in one answer",
      () => ask({ calls: Array.from({ length: 50 }, (_, at) => ({ id: `c${at}`, name: "ls", args: "{}" })) }),
    ],
    ["a plan of 500 steps", () => ask(call("write_todos", { todos: planOf(500) }))],
    ["a search for a word that is everywhere", () => client.call("threads.search", { query: "the" })],
    [
      "a look through the whole ledger",
      () => client.call("approvals.ledger", { limit: 200, query: "nowhere" }),
    ],
    ["a page of the ledger", () => client.call("approvals.ledger", { limit: 200 })],
    ["the snapshot of the console", () => readSnapshot(client)],
    ["a page of the long thread", () => client.call("threads.page", { threadId: long, limit: 200 })],
    ["a step in the long thread", () => sendAndWait(client, long, "ls .")],
  ]);
}

function writeFile(name: string, length: number): Answer {
  return call("write_file", { file_path: name, content: ofLength(length) });
}

/** Half of it is what stands in the file, half what shall stand there. */
function edit(workspace: string, name: string): Answer {
  const before = ofLength(260_000);
  writeFileSync(join(workspace, name), `Before.\n${before}\nAfter.\n`);
  return call("edit_file", {
    file_path: name,
    old_string: before,
    new_string: before.replaceAll("file", "page"),
  });
}

function planOf(steps: number) {
  return Array.from({ length: steps }, (_, at) => ({ content: `step ${at}`, status: "pending" }));
}

function call(name: string, args: unknown): Answer {
  return { calls: [{ id: `call-${name}`, name, args: JSON.stringify(args) }] };
}

async function readSnapshot(client: Client): Promise<void> {
  for await (const item of client.watch("console.watch", {})) if (item.kind === "ready") return;
}
