/** Measures how long the host's loop is held by the largest content that a model, a person or years of use can bring. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, openAnsweringServer } from "../attack/answering-server.ts";
import { createLedger } from "../src/main/approvals/ledger.ts";
import { openDatabase } from "../src/main/storage/open-database.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import type { Client } from "../src/shared/wire/client.ts";
import { fillDataDir } from "./filled-data-dir.ts";
import { type HostSide, newCommandId, startHostSide } from "./load-sides.ts";
import { type BenchOptions, type BenchResult, figure } from "./result.ts";
import { buildHost } from "./served-host.ts";

const history = { threads: 1_000, events: 100_000, pending: 500 };
const ledgerLines = 10_000;
const rounds = { quick: 2, full: 5 };
const longThreadSteps = { quick: 40, full: 1_000 };
/** A stream's piece as servers send it at their fastest. */
const pieceLength = 4_000;
/** What goes on after the answer that was waited for, such as the last checkpoint. */
const afterMs = 300;
const longestHoldMs = 16;

const sentence = "The agent reads the file and says what stands in it.\n";
const ofLength = (length: number) => sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);

/** A real host with years of history, its client and a model that says what it is told to. */
type Scene = { side: HostSide; client: Client; ask(answer: Answer): Promise<ThreadId>; workspace: string };

export async function run({ quick }: BenchOptions): Promise<Pick<BenchResult, "figures" | "notes">> {
  await buildHost();
  const size = quick ? "quick" : "full";
  const folder = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  const workspace = join(folder, "workspace");
  const dataDir = join(folder, "data");
  mkdirSync(workspace);
  mkdirSync(dataDir);
  fillDataDir(dataDir, workspace, history);
  fillLedger(dataDir, workspace);
  const server = await openAnsweringServer(pieceLength);
  const side = await startHostSide(folder, workspace);
  try {
    const scene = { side, client: side.client, workspace, ask: asker(side.client, workspace, server) };
    const works = await worksOf(scene, longThreadSteps[size]);
    const holds = new Map<string, number>();
    // The first round makes what every process makes once, and is not counted.
    for (let round = 0; round <= rounds[size]; round += 1)
      for (const [name, work] of works) {
        const hold = await longestHold(side, () => work(round));
        if (round > 0) holds.set(name, Math.min(hold, holds.get(name) ?? Number.POSITIVE_INFINITY));
      }
    const [[baseline, value], ...measured] = [...holds] as [[string, number], ...[string, number][]];
    return {
      figures: measured.map(([name, hold]) =>
        figure({
          name: `longest hold of the host's loop, ${name}`,
          unit: "ms",
          value: hold,
          baseline: { name: baseline, version: "this tree", value },
          maxValue: longestHoldMs,
        }),
      ),
      notes: [
        `The longest turn of the host's loop, in processor time of its thread, the best of ${rounds[size]} rounds after one that is not counted. The host has ${history.threads.toLocaleString("en")} threads, ${history.events.toLocaleString("en")} events, ${history.pending} waiting approvals and a ledger of ${ledgerLines.toLocaleString("en")} lines; a client follows the console and four threads.`,
        `Answers come over HTTP in pieces of ${pieceLength.toLocaleString("en")} characters. Of more than 600,000 bytes the beginning is kept; arguments of calls are taken up to as much.`,
        `The long thread has ${longThreadSteps[size].toLocaleString("en")} steps.`,
        `Load of the machine when it was measured: ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors.`,
      ],
    };
  } finally {
    await side.end();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Work = (round: number) => Promise<unknown>;

/** By what is done; the first is what the others are compared with. */
async function worksOf({ client, ask, workspace }: Scene, steps: number): Promise<Map<string, Work>> {
  writeFileSync(join(workspace, "large.txt"), ofLength(5_000_000));
  const writeFile = (name: string, length: number) =>
    call("write_file", { file_path: name, content: ofLength(length) });
  await client.call("settings.update", { modelCallLimit: 2 * steps });
  const long = (await client.call("threads.create", { commandId: newCommandId(), workspace })).id;
  await sendAndWait(client, long, Array.from({ length: steps }, () => "ls .").join("\n\n"));
  return new Map<string, Work>([
    ["an answer of 1 KB", () => ask({ text: ofLength(1_000) })],
    ["an answer of 5 MB", () => ask({ text: ofLength(5_000_000) })],
    ["an answer of 5 MB of Chinese", () => ask({ text: "人工智能代理。".repeat(240_000) })],
    ["a file of 500 KB, written after a yes", (round) => ask(writeFile(`new-${round}.txt`, 500_000))],
    [
      "a file of 5 MB, replaced after a yes",
      () => ask(call("write_file", { file_path: "large.txt", content: ofLength(5_000) })),
    ],
    [
      "50 calls in one answer",
      () => ask({ calls: Array.from({ length: 50 }, (_, at) => ({ id: `c${at}`, name: "ls", args: "{}" })) }),
    ],
    [
      "a plan of 500 steps",
      () =>
        ask(
          call("write_todos", {
            todos: Array.from({ length: 500 }, (_, at) => ({ content: `step ${at}`, status: "pending" })),
          }),
        ),
    ],
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

async function longestHold({ process }: HostSide, work: () => Promise<unknown>): Promise<number> {
  await process.ask("watchTurns");
  await work();
  await wait(afterMs);
  return process.ask<number>("longestTurn");
}

function call(name: string, args: unknown): Answer {
  return { calls: [{ id: `call-${name}`, name, args: JSON.stringify(args) }] };
}

/** A new thread in which the model says this; what it asks is approved, and it ends. */
function asker(client: Client, workspace: string, server: Awaited<ReturnType<typeof openAnsweringServer>>) {
  let asked = 0;
  return async (answer: Answer): Promise<ThreadId> => {
    asked += 1;
    const model = `m-${asked}`;
    server.script(model, [answer]);
    const { id } = await client.call("threads.create", {
      commandId: newCommandId(),
      workspace,
      model: { provider: "openai-compatible", model, baseUrl: server.baseUrl },
    });
    await sendAndWait(client, id, "go");
    return id;
  };
}

async function sendAndWait(client: Client, threadId: ThreadId, text: string): Promise<void> {
  const { turnId } = await client.call("threads.send", { commandId: newCommandId(), threadId, text });
  for await (const item of client.watch("threads.watch", { threadId, since: 0 })) {
    const events = item.kind === "events" ? item.events.map(({ data }) => data) : [];
    for (const data of events) if (data.type === "approval.requested") await approve(client, data.approvalId);
    const ends = [
      ...events.filter((data) => data.type === "turn.finished"),
      ...(item.kind === "page" ? item.items.filter((one) => one.kind === "turnEnd") : []),
    ];
    const end = ends.find((one) => one.turnId === turnId);
    if (end?.outcome === "done") return;
    if (end) throw new Error(`A turn of the measure ended as ${end.outcome}: ${end.problem}`);
  }
}

async function approve(client: Client, id: Parameters<typeof client.call<"approvals.get">>[1]["id"]) {
  const { approval } = await client.call("approvals.get", { id });
  if (approval.status !== "pending") return;
  const items = [{ id, digest: approval.digest }];
  await client.call("approvals.decide", {
    commandId: newCommandId(),
    items,
    decision: { type: "approve" },
  });
}

async function readSnapshot(client: Client): Promise<void> {
  for await (const item of client.watch("console.watch", {})) if (item.kind === "ready") return;
}

function fillLedger(dataDir: string, cwd: string): void {
  const { database } = openDatabase(dataDir, Date.now);
  database.pragma("synchronous = OFF");
  const ledger = createLedger(database, Date.now);
  database.transaction(() => {
    for (let line = 0; line < ledgerLines; line += 1)
      ledger.add({
        threadId: `thread-${line % history.threads}` as ThreadId,
        threadTitle: `Work on part ${line % history.threads} of the project`,
        agentPath: [],
        tool: "execute",
        originalArgs: { command: `npm test -- --run src/parser/${line} ` },
        cwd,
        verdict: {
          verdict: "new",
          units: [{ text: "npm test", verdict: "new", reason: "no rule covers it" }],
        },
        decision: { type: "approve" },
        by: { kind: "person" },
      });
  })();
  database.close();
}
