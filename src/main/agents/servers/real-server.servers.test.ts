/** A real LangGraph server with stock agents and a scripted model; `npm run test:servers` installs and runs it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Decision } from "../../../shared/contract/decisions.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { StoppedByPerson } from "../../gate/run-context.ts";
import { ownNetwork } from "./server-request.ts";
import { installed, RealServer } from "./testing/real-server.ts";

let host: SourceHost;
let server: RealServer;
const approve = { type: "approve" } as const;

if (installed === undefined) console.log("Skipped: npm run test:servers installs the server and runs this.");

const pending = () => host.stores.approvals.pending();
const look = () => host.serverDesk.lookNow("real");
const proofs = () => [...host.stores.ledger.all()].map(({ receipt }) => receipt?.answer?.proof);
const cardOf = (thread: string) => pending().find((row) => row.server?.thread === thread)!;
/** Resolves when as many answers as this have their receipts. */
const untilProofs = (count: number) =>
  host.until(() => proofs().filter((proof) => proof !== undefined).length === count);
const decide = (row: ApprovalRow, decision: Decision = approve) => host.decide(row, decision);
/** What the server's agent said and called, in its thread here. */
const told = (threadId: ThreadId) =>
  host.stores.log
    .page(threadId, 100)
    .items.flatMap((item) =>
      item.kind === "agentMessage"
        ? [item.text]
        : item.kind === "toolCall" && item.id.includes(":said:")
          ? [item.tool, ...(item.tool === "execute_it" ? [] : [item.result ?? ""])]
          : [],
    );
const notices = (threadId: ThreadId) =>
  host.stores.log.page(threadId, 100).items.flatMap((item) => (item.kind === "notice" ? [item.text] : []));
const pendingThreadOf = (threadId: ThreadId) =>
  host.stores.database
    .prepare("SELECT thread FROM server_threads WHERE thread_id = ?")
    .pluck()
    .get(threadId) as string;

describe.skipIf(installed === undefined)("a real server", () => {
  beforeAll(async () => {
    server = new RealServer();
    await server.start();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    host = new SourceHost({}, ownNetwork);
    await host.open();
    await host.serverDesk.save({ id: "real", name: "Real", url: server.url, auth: "none" }, undefined);
  });
  afterEach(async () => {
    await host.close();
    host.remove();
  });

  it("takes the answer to two actions in their order, once, and its history proves it", async () => {
    const thread = await server.begin("agent", "run A;B");
    await look();
    const [first, second] = pending().filter((row) => row.server?.thread === thread);
    const sent = server.answers;
    await decide(first!, { type: "edit", args: { command: "A2" } });
    await decide(second!);
    await untilProofs(2);
    await server.settle(thread);
    expect([proofs(), server.answers - sent]).toEqual([["applied", "applied"], 1]);
    expect(server.newEffects().sort()).toEqual(["end A2", "end B", "start A2", "start B"]);
  });

  it("is told nothing when a message came first", async () => {
    const thread = await server.begin("agent", "run A");
    await look();
    const row = cardOf(thread);
    await server.say(thread, "agent", "never mind");
    await decide(row);
    await untilProofs(1);
    expect([proofs(), server.newEffects()]).toEqual([["gone"], []]);
  });

  it("asks twice under one id and beside another node, and each answer finds its question", async () => {
    const thread = await server.begin("ask", "");
    await look();
    const find = (value: string) => pending().find((row) => row.value === value);
    await decide(find("left first?")!, { type: "respond", answer: "one" });
    await host.until(() => find("left second?") !== undefined);
    await decide(find("left second?")!, { type: "respond", answer: "two" });
    await untilProofs(2);
    await look();
    expect(
      pending()
        .filter((row) => row.server?.thread === thread)
        .map(({ value }) => value),
    ).toEqual(["right?"]);
    await decide(find("right?")!, { type: "respond", answer: "R" });
    await untilProofs(3);
    await server.settle(thread);
    expect(new Set(proofs())).toEqual(new Set(["applied"]));
    expect(server.newEffects().sort()).toEqual(["left one two", "right R"]);
  });

  it("asks for two sub-agents, and a yes to one leaves the other", async () => {
    const thread = await server.begin("deep", "delegates run left;run right");
    await look();
    const of = () => pending().filter((row) => row.server?.thread === thread);
    const [left] = of();
    await decide(left!);
    await untilProofs(1);
    await look();
    expect([of().length, server.newEffects().length]).toEqual([1, 2]);
    await decide(of()[0]!, { type: "reject" });
    await untilProofs(2);
    expect([proofs(), server.newEffects()]).toEqual([["applied", "applied"], []]);
  });

  it("gets one answer although the line breaks behind it", async () => {
    const thread = await server.begin("agent", "run L");
    await look();
    const sent = server.answers;
    server.cutNext = true;
    await decide(cardOf(thread));
    await untilProofs(1);
    await server.settle(thread);
    expect([proofs(), server.answers - sent, server.newEffects()]).toEqual([
      ["applied"],
      1,
      ["start L", "end L"],
    ]);
  });

  it("that another client has answered wrongly shows its thread as failed, with the reason", async () => {
    const thread = await server.begin("agent", "run P;Q");
    await look();
    const { interrupt } = cardOf(thread).server!;
    const resume = { [interrupt]: { decisions: [approve] } };
    await server.ask(`/threads/${thread}/runs`, { assistant_id: "agent", command: { resume } });
    await server.settle(thread);
    await look();
    expect(pending().filter((row) => row.server?.thread === thread)).toEqual([]);
    const failed = host.stores.threads.list().find(({ status }) => status === "failed");
    expect(failed?.problem).toContain("does not match number of hanging tool calls");
  });

  it("keeps the same question over its own end, and an answer that it lost is never repeated", async () => {
    const thread = await server.begin("agent", "slow K");
    await look();
    const { digest } = cardOf(thread);
    await server.end("SIGTERM");
    await look();
    expect(cardOf(thread).server?.standing.kind).toBe("unseen");
    await server.start();
    await look();
    expect([cardOf(thread).digest, cardOf(thread).server?.standing.kind]).toEqual([digest, "waits"]);
    const sent = server.answers;
    const isOut = server.nextAnswer();
    await decide(cardOf(thread));
    await isOut;
    await server.end("SIGKILL");
    await server.start();
    await untilProofs(1);
    expect(server.answers - sent).toBe(1);
    // Whatever the server kept of it, nobody can know that it counted.
    expect(["unknown", "lost"]).toContain(proofs()[0]);
  });

  it("takes a message that begins a thread, holds the next one while it asks, and tells what came of both", async () => {
    const [assistant] = (await host.serverDesk.assistants("real")).filter(({ graph }) => graph === "agent");
    const id = host.serverDesk.createThread("real", assistant!.id, "t");
    host.send(id, "run M");
    const row = await host.onePending(id);
    host.send(id, "hello");
    expect(host.stores.threads.queued(id)).toHaveLength(1);
    await decide(row);
    await host.until(() => host.stores.threads.queued(id).length === 0);
    await host.until(() => host.stores.threads.get(id).status === "done");
    expect([proofs()[0], server.newEffects()]).toEqual(["applied", ["start M", "end M"]]);
    expect(told(id)).toEqual(["execute_it", "said ran M", "said hello"]);
  });

  it("tells the words of a run that an answer began while they are written, and they are the message in the end", async () => {
    const id = host.serverDesk.createThread("real", "agent", "t");
    const words: string[] = [];
    host.changes.listen((change) => void (change.kind === "delta" && words.push(change.delta.text ?? "")));
    host.send(id, "slow W");
    await decide(await host.onePending(id));
    await host.untilStatus(id, "done");
    expect([words.join(""), told(id), server.newEffects()]).toEqual([
      "said ran W",
      ["execute_it", "said ran W"],
      ["start W", "end W"],
    ]);
  });

  it("is told to end what was begun here, and its tool runs to its end all the same", async () => {
    const id = host.serverDesk.createThread("real", "agent", "t");
    host.send(id, "slow S");
    await decide(await host.onePending(id));
    await host.until(() => host.stores.threads.get(id).status === "running");
    await host.until(() => proofs().length > 0);
    await host.engine.actors.stop(id, new StoppedByPerson("stop"));
    await host.until(() => notices(id).some((text) => text.includes("was told to end it")));
    await server.settle(pendingThreadOf(id));
    expect(server.newEffects()[0]).toBe("start S");
  });

  it("loads an exported agent as it is: changes ask, what the agent was not given is not there, and a yes counts", async () => {
    const id = host.serverDesk.createThread("real", "exported", "t");
    host.send(id, 'write_file {"file_path":"/a.txt","content":"hi"}');
    const row = await host.onePending(id);
    expect([row.tool, row.server?.dialect, row.allowed]).toEqual([
      "write_file",
      "javascript",
      ["approve", "edit", "reject"],
    ]);
    await decide(row);
    await host.untilStatus(id, "done");
    host.send(id, 'read_file {"file_path":"/a.txt"}');
    await host.until(() => told(id).some((text) => text.includes("hi")));
    host.send(id, 'read_file {"file_path":"/secret.txt"}');
    const secret = await host.onePending(id);
    expect([secret.tool, secret.allowed]).toEqual(["read_file", ["approve", "reject"]]);
    await decide(secret, { type: "reject" });
    await host.untilStatus(id, "done");
    host.send(id, 'grep {"pattern":"hi"}');
    await host.until(() => told(id).some((text) => text.includes("There is no tool grep")));
    host.send(
      id,
      'task {"description":"write_file {\\"file_path\\":\\"/s.txt\\",\\"content\\":\\"x\\"}","subagent_type":"general-purpose"}',
    );
    expect((await host.onePending(id)).tool).toBe("write_file");
  });

  it("loads an exported agent with its MCP servers, skills and sub-agents, each of which asks", async () => {
    const id = host.serverDesk.createThread("real", "exported", "t");
    const calls = async (text: string) => {
      host.send(id, text);
      return host.onePending(id);
    };
    const note = await calls('mcp__notes__note {"text":"one"}');
    expect([note.tool, note.args, server.notes.notes]).toEqual(["mcp__notes__note", { text: "one" }, []]);
    await decide(note, { type: "edit", args: { text: "two" } });
    await host.untilStatus(id, "done");
    expect(server.notes.notes).toEqual(["two"]);
    const task = { description: 'mcp__notes__note {"text":"three"}', subagent_type: "scribe" };
    const ofScribe = await calls(`task ${JSON.stringify(task)}`);
    expect([ofScribe.tool, ofScribe.args]).toEqual(["mcp__notes__note", { text: "three" }]);
    await decide(ofScribe);
    await host.untilStatus(id, "done");
    expect(server.notes.notes).toEqual(["two", "three"]);
    for (const word of ["tabs-not-spaces", "sweeping-the-shed"]) {
      host.send(id, `knows ${word}`);
      await host.until(() => told(id).at(-1) === "knows true");
      host.send(id, "knows nothing-of-this");
      await host.until(() => told(id).at(-1) === "knows false");
    }
    host.send(id, 'read_file {"file_path":"/context/skills/tidy/SKILL.md"}');
    await host.until(() => told(id).some((text) => text.includes("Sweep from the back")));
    await decide(await calls('write_file {"file_path":"/context/skills/tidy/SKILL.md","content":"obey"}'));
    await host.until(() => told(id).some((text) => text.includes("permission denied")));
    await decide(await calls('write_file {"file_path":"/context/new.md","content":"obey"}'));
    await host.until(() => told(id).filter((text) => text.includes("permission denied")).length === 2);
  });
});
