/** The words of a run on a server while they are written, over real HTTP: the server replays the events of a real one. */
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delta } from "../../../shared/contract/thread-reading.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { StoppedByPerson } from "../../gate/run-context.ts";
import { ScriptedServer } from "./testing/scripted-server.ts";

const key = "secret-key-of-the-server";
let host: SourceHost;
let server: ScriptedServer;
let told: Delta[];
/** What joined, by the last event that it knew. */
let joined: { response: ServerResponse; after: unknown }[];

beforeEach(async () => {
  host = new SourceHost();
  server = new ScriptedServer();
  await Promise.all([host.open(), server.start()]);
  const { changes } = host;
  const tell = () => changes.tell({ kind: "host" });
  server.onHeard = tell;
  told = [];
  joined = [];
  changes.listen((change) => void (change.kind === "delta" && told.push(change.delta)));
  server.instead.set("words", (response, _go, { headers }) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    response.once("close", tell);
    joined.push({ response, after: headers["last-event-id"] });
    tell();
  });
  await host.serverDesk.save({ id: "one", name: "Farm", url: server.url, auth: "x-api-key" }, key);
});
afterEach(async () => {
  await host.close();
  await server.stop();
  host.remove();
});

/** As the server in JavaScript writes it, what is not read left out. */
function chunk(id: number, message: object, place = "model_request:1", name = "messages"): string {
  const told = { tool_calls: [], additional_kwargs: {}, type: "ai", id: "run-1", ...message };
  const data = [told, { langgraph_node: "model_request", langgraph_checkpoint_ns: place }];
  return `event: ${name}\ndata: ${JSON.stringify(data)}\nid: ${id}\n\n`;
}
const words = (id: number, content: unknown) => chunk(id, { content });
const begin = 'event: metadata\ndata: {"run_id":"r","attempt":1}\nid: 0\n\n';
const text = () => told.map((delta) => delta.text ?? "").join("");
const untilText = (expected: string) => host.until(() => text() === expected);
const messages = (id: ThreadId) =>
  host.stores.log
    .page(id, 100)
    .items.flatMap((item) => (item.kind === "agentMessage" ? [[item.text, item.partial]] : []));

/** A thread whose run is at work and joined. @returns its id here and there */
async function start(): Promise<{ id: ThreadId; name: string; line: ServerResponse }> {
  const id = host.serverDesk.createThread("one", "assistant-1", "build");
  host.send(id, "build");
  await host.until(() => joined.length === 1);
  return { id, name: [...server.threads.keys()].at(-1)!, line: joined[0]!.response };
}
function finish(name: string, said: string): void {
  const done = { id: "run-1", type: "ai", content: said };
  server.finish(name, { messages: [...server.threads.get(name)!.messages!, done] });
}

describe("words of a run", () => {
  it("are told as they come, wherever the line cuts them, and become the message that stands there in the end", async () => {
    const { id, name, line } = await start();
    const bytes = Buffer.from(begin + words(1, "Grüße ") + words(2, [{ type: "text", text: "from 東京" }]));
    for (const byte of bytes) line.write(Uint8Array.of(byte));
    await untilText("Grüße from 東京");
    expect(host.engine.liveText.of(id).map((delta) => delta.text)).toEqual(["Grüße from 東京"]);
    line.write(chunk(3, { content: "", tool_call_chunks: [{ name: "execute", args: "{" }] }));
    await host.until(() => told.at(-1)?.toolName === "execute");
    finish(name, "Grüße from 東京");
    await host.untilStatus(id, "done");
    expect([messages(id), host.engine.liveText.of(id)]).toEqual([[["Grüße from 東京", false]], []]);
    expect(new Set(told.map(({ messageId }) => host.stores.log.item(id, messageId)?.kind))).toEqual(
      new Set(["agentMessage"]),
    );
    await host.until(() => line.destroyed);
  });

  it("go on where the line broke, and nothing is told twice by a server that begins anew", async () => {
    const { id, name, line } = await start();
    line.write(begin + words(1, "one ") + words(2, "two "));
    await untilText("one two ");
    line.destroy();
    await host.until(() => joined.length === 2);
    expect(joined.map(({ after }) => after)).toEqual(["-1", "2"]);
    joined[1]!.response.write(begin + words(1, "one ") + words(2, "two ") + words(3, "three"));
    await untilText("one two three");
    finish(name, "one two three");
    await host.untilStatus(id, "done");
  });

  it("that an answer began are told, too", async () => {
    const { id, name, line } = await start();
    line.end(begin);
    const value = { action: "?" };
    server.finish(name, { status: "interrupted", interrupts: { task: [{ id: "int-1", value }] } });
    const row = await host.onePending(id);
    server.instead.set("answer", (_response, go) => {
      go();
      server.move(name, { status: "busy" });
      server.threads.get(name)!.runs.at(-1)!.status = "running";
    });
    const before = joined.length;
    await host.decide(row, { type: "respond", answer: "yes" });
    await host.until(() => joined.length > before);
    const run = server.threads.get(name)!.runs.at(-1)!.run_id;
    expect(server.heardOf("words").at(-1)?.path).toBe(`/threads/${name}/runs/${run}/stream`);
    joined.at(-1)!.response.write(begin + words(1, "after it"));
    await untilText("after it");
    server.threads.get(name)!.runs.at(-1)!.status = "success";
    finish(name, "after it");
    await host.untilStatus(id, "done");
  });

  it("that Stop cut off stand there as far as they came, and whole once the server tells of them", async () => {
    const { id, name, line } = await start();
    line.write(begin + words(1, "half "));
    await untilText("half ");
    await host.engine.actors.stop(id, new StoppedByPerson("stop"));
    await host.until(() => line.destroyed);
    expect(messages(id)).toEqual([["half ", true]]);
    finish(name, "half a loaf");
    host.send(id, "go on");
    await host.until(() => messages(id).length === 1 && messages(id)[0]?.[1] === false);
    expect(messages(id)).toEqual([["half a loaf", false]]);
  });

  it("of sub-agents, of people, of tools and of other kinds are not told, nor what is none", async () => {
    const { line } = await start();
    const others = ["human", "tool", "constructor", "__proto__"].map((type, index) =>
      chunk(index + 1, { type, content: "no " }),
    );
    const odd = [
      "event: messages\ndata: [\nid: 7\n\n",
      "event: messages\ndata: [{},{}]\nid: 8\n\n",
      "id\n\n",
    ];
    const lower = chunk(9, { content: "no " }, "tools:1|model_request:2");
    const named = chunk(10, { content: "no " }, "", "messages/partial");
    line.write([begin, ...others, ...odd, lower, named, ": ping\n\n", words(11, "yes")].join(""));
    await untilText("yes");
  });

  it("hold no piece of the server's key, wherever they are cut", async () => {
    const { line } = await start();
    const threes = key.match(/.{3}/g)!;
    const pieces = ["the key is ", key.slice(0, 5), key.slice(5, 17), `${key.slice(17)}, `, ...threes, "."];
    line.write(begin + pieces.map((piece, index) => words(index + 1, piece)).join(""));
    await untilText(`the key is <its key>, ${key.slice(0, 3)}<its key>.`);
  });

  it.each([
    ["that numbers nothing", "text/event-stream", () => words(1, "no").replace("id: 1\n", "")],
    ["that answers with a page", "text/html", () => begin + words(1, "no")],
    ["whose line does not end", "text/event-stream", () => `data: ${"x".repeat(1_100_000)}`],
  ])("of a server %s are not read, and its thread goes on", async (_what, type, body) => {
    server.instead.set("words", (response) => response.writeHead(200, { "content-type": type }).end(body()));
    const id = host.serverDesk.createThread("one", "assistant-1", "build");
    host.send(id, "build");
    const looked = () => server.heardOf("state").length;
    await host.until(() => server.heardOf("words").length === 1);
    const before = looked();
    await host.until(() => looked() > before + 1);
    finish([...server.threads.keys()].at(-1)!, "built");
    await host.untilStatus(id, "done");
    expect([server.heardOf("words").length, told]).toEqual([1, []]);
    expect(messages(id)).toEqual([["built", false]]);
  });

  it("are told to an end: of one message as much as is kept of it", async () => {
    const { line } = await start();
    const long = "x".repeat(40_000);
    line.write(begin + words(1, long) + words(2, long) + words(3, long));
    line.write(chunk(4, { id: "run-2", content: "next" }));
    await host.until(() => text().endsWith("next"));
    expect(text().length).toBe(64_004);
  });
});
