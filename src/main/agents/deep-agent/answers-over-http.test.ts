/** What a model's server can send that no model should: nothing of it is acted on, dropped or left without an end. */
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Decision } from "../../../shared/contract/decisions.ts";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import {
  type AnsweringServer,
  type Protocol,
  startAnsweringServer,
  type WiredAnswer,
  type WiredCall,
} from "../../models/testing/answering-server.ts";
import { GateThread } from "./testing/gate-thread.ts";

const protocols: Protocol[] = ["openai", "openai-compatible", "anthropic", "google", "ollama"];
/** Those whose arguments travel as text, so that they may be no JSON at all. */
const textual: Protocol[] = ["openai", "openai-compatible", "anthropic"];

async function open(protocol: Protocol) {
  const server = await startAnsweringServer(protocol);
  onTestFinished(() => server.close());
  const thread = new GateThread({
    model: server.model,
    judge: (call) => (call.tool === "execute" || call.tool === "write_file" ? "run" : undefined),
  });
  return { server, thread };
}

const command = (text: string, id?: string): WiredCall => ({
  id,
  name: "execute",
  args: JSON.stringify({ command: text }),
});
const calling = (server: AnsweringServer, ...calls: WiredCall[]): WiredAnswer => ({
  calls,
  finish: server.words.calls,
});

/** The calls the transcript shows, each with how it ended; `undefined` for one that never did. */
function callsOf({ journal }: GateThread): { tool: string; outcome: string | undefined; result: string }[] {
  const { events } = journal;
  return events.flatMap((event) => {
    if (event.type !== "toolCall.requested") return [];
    const end = events.find((one) => one.type === "toolCall.finished" && one.itemId === event.itemId);
    const finished = end?.type === "toolCall.finished" ? end : undefined;
    return [{ tool: event.tool, outcome: finished?.outcome, result: finished?.result ?? "" }];
  });
}

const noticesOf = ({ journal }: GateThread) =>
  journal.events.flatMap((event) => (event.type === "notice.added" ? [event.text] : []));

const lastAsked = (server: AnsweringServer) => JSON.stringify(server.asked.at(-1));

it("tells whoever watches no more of a message without an end than will be kept of it", async () => {
  const { server, thread } = await open("openai-compatible");
  server.say({ reasoning: Array<string>(50).fill("so it goes ".repeat(10_000)), finish: server.words.stop });
  expect(await thread.send("go")).toEqual({ kind: "done" });
  expect(thread.toldChars).toBeGreaterThan(500_000);
  expect(thread.toldChars).toBeLessThan(800_000);
});

describe.each(protocols)("an answer over the %s protocol", (protocol) => {
  // More than any frame may have.
  const inOnePiece = 5_000_000;

  it("that is whole is acted on, several calls of it too", async () => {
    const { server, thread } = await open(protocol);
    server.say(calling(server, command("first", "a"), command("second", "b")));
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(thread.commands.toSorted()).toEqual(["first", "second"]);
    expect(callsOf(thread).map(({ outcome }) => outcome)).toEqual(["ok", "ok"]);
  });

  it("that reached its limit is not acted on: the model is told, and mends it", async () => {
    const { server, thread } = await open(protocol);
    const cut = {
      ...calling(server, command("rm -rf build"), command("touch half")),
      finish: server.words.length,
    };
    server.say(cut, calling(server, command("touch whole")));
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["touch whole"]);
    expect(thread.journal.judged.map(({ args }) => args.command)).toEqual(["touch whole"]);
    expect(callsOf(thread).map(({ outcome }) => outcome)).toEqual(["failed", "failed", "ok"]);
    expect(JSON.stringify(server.asked[1])).toContain("limit of length");
    expect(noticesOf(thread)).toEqual([expect.stringContaining("broke off")]);
  });

  it.each([200, 10_000, 200_000])("whose arguments are nested %d deep is not acted on", async (levels) => {
    const { server, thread } = await open(protocol);
    const deep = `{"command":"touch deep","more":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    server.say(calling(server, { name: "execute", args: deep }), calling(server, command("touch flat")));
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["touch flat"]);
    const [call] = callsOf(thread);
    expect(call).toMatchObject({ outcome: "failed", result: expect.stringContaining("levels deep") });
    expect(JSON.stringify(server.asked[1])).toContain("levels deep");
  });

  it("that reached its limit twice in a row stops the turn and tells the person", async () => {
    const { server, thread } = await open(protocol);
    const cut = { ...calling(server, command("touch half")), finish: server.words.length };
    server.say(cut, cut, cut);
    expect(await thread.send("go")).toMatchObject({
      kind: "failed",
      error: { message: expect.stringMatching(/twice in a row.*limit of length/) },
    });
    expect([thread.commands, server.asked.length]).toEqual([[], 2]);
    server.say(calling(server, command("touch whole")));
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["touch whole"]);
  });

  it("whose end has a reason nobody knows is not acted on", async () => {
    const { server, thread } = await open(protocol);
    server.say({ ...calling(server, command("touch unknown")), finish: "budget_gone" });
    await thread.send("go");
    expect(thread.commands).toEqual([]);
    expect(lastAsked(server)).toContain("budget_gone");
  });

  it("that is text and reached its limit says so", async () => {
    const { server, thread } = await open(protocol);
    server.say({ text: "Once upon a", finish: server.words.length });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(noticesOf(thread)).toEqual([expect.stringContaining("limit of length")]);
    const said = thread.journal.events.find((event) => event.type === "message.finished");
    expect(said).toMatchObject({ text: "Once upon a", partial: true });
  });

  it("that says more than anybody can carry is kept to its beginning, and says so", async () => {
    const { server, thread } = await open(protocol);
    const text = "so it goes on and on ".repeat(48_000);
    server.say({ text, finish: server.words.stop });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(noticesOf(thread)).toEqual([expect.stringContaining("longer than 600000 bytes")]);
    const said = thread.journal.events.find((event) => event.type === "message.finished");
    expect(said).toMatchObject({ text: text.slice(0, 600_000), partial: true });
  });

  it("that says too much in one piece is kept to its beginning too", async () => {
    const { server, thread } = await open(protocol);
    const text = `${'人 "quoted" and\ton. '.repeat(10_000)}${"z".repeat(inOnePiece)}`;
    server.say({ text, finish: server.words.stop });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(noticesOf(thread)).toEqual([expect.stringContaining("longer than 600000 bytes")]);
    const said = thread.journal.events.find((event) => event.type === "message.finished");
    const kept = said?.type === "message.finished" ? said.text : "";
    expect(text.startsWith(kept)).toBe(true);
    expect(jsonBytes(kept)).toBeGreaterThan(599_990);
  });

  it("that calls with too much in one piece does not make that call, and the model is told", async () => {
    const { server, thread } = await open(protocol);
    const long = { name: "execute", args: JSON.stringify({ command: `echo ${"z".repeat(inOnePiece)}` }) };
    server.say(calling(server, command("touch first"), long), calling(server, command("touch short")));
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["touch first", "touch short"]);
    expect(JSON.stringify(server.asked[1])).toContain("600000 bytes together");
  });

  it("that is empty says so", async () => {
    const { server, thread } = await open(protocol);
    server.say({ text: "", finish: server.words.stop });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(noticesOf(thread)).toEqual([expect.stringContaining("without a word")]);
  });

  it("keeps every call when its server gives all answers and calls the same ids, or none", async () => {
    const { server, thread } = await open(protocol);
    const same = (text: string): WiredAnswer => ({
      ...calling(server, command(`${text}-1`, "same"), command(`${text}-2`, "same")),
      messageId: "same",
    });
    const none = calling(server, command("none-1"), command("none-2", ""));
    server.say(same("one"), same("two"), none, {
      text: "Done.",
      finish: server.words.stop,
      messageId: "same",
    });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(thread.commands.toSorted()).toEqual(["none-1", "none-2", "one-1", "one-2", "two-1", "two-2"]);
    expect(callsOf(thread).map(({ outcome }) => outcome)).toEqual(Array(6).fill("ok"));
    for (const ran of ["one-1", "two-2", "none-2"]) expect(lastAsked(server)).toContain(`ran ${ran}`);
  });

  it.each([
    ["__proto__", { x: 1 }],
    ["toString", {}],
    ["constructor", { name: "x" }],
    ["not a name at all", {}],
    ["rocket_launch", { now: true }],
    ["task", { subagent_type: "nobody", description: "work" }],
    ["task", { subagent_type: 7 }],
    ["write_file", { file_path: 3, content: ["x"] }],
    ["read_file", {}],
    ["execute", { command: null }],
    ["write_todos", { todos: "all" }],
  ])("that calls %s with %j ends the call in the transcript, and the model hears why", async (name, args) => {
    const { server, thread } = await open(protocol);
    server.say(calling(server, { id: "c", name, args: JSON.stringify(args) }));
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect([thread.commands, thread.journal.pending]).toEqual([[], []]);
    expect(callsOf(thread).map(({ outcome }) => outcome)).toEqual(["failed"]);
    expect(server.asked).toHaveLength(2);
    expect((await thread.results()).map(({ isError }) => isError)).toEqual([true]);
  });
});

it("ends every call in the transcript, whatever tool it names and whatever its arguments are", async () => {
  const { server, thread } = await open("openai-compatible");
  const ownNames = [
    ...["ls", "read_file", "write_file", "edit_file", "move_file", "delete_file", "glob", "grep", "execute"],
    ...["write_todos", "task", "ask_human", "fetch_url", "web_search"],
  ];
  const oddNames = ["valueOf", "hasOwnProperty", "__defineGetter__", "prototype", "Execute", "execute ", ""];
  const fields = [
    ...[
      "file_path",
      "path",
      "new_path",
      "content",
      "old_string",
      "new_string",
      "pattern",
      "command",
      "todos",
    ],
    ...["subagent_type", "description", "question", "url", "query", "__proto__", "constructor"],
  ];
  // No field has a text, so that no call means anything.
  const wrong = fc.oneof(fc.constantFrom(null, true, -1, 1e300), fc.array(fc.constantFrom(null, {}, [])));
  const args = fc.oneof(
    fc.dictionary(fc.constantFrom(...fields), wrong).map((given) => JSON.stringify(given)),
    fc
      .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
      .map((given) => JSON.stringify({ ...given, path: 7 })),
  );
  const call = fc.record({ name: fc.constantFrom(...ownNames, ...oddNames), args });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
      const before = callsOf(thread).length;
      server.say(calling(server, ...calls.map((one, at) => ({ ...one, id: `c${at}` }))));
      expect(await thread.send("go")).toEqual({ kind: "done" });
      const ends = callsOf(thread).slice(before);
      expect(ends.map(({ outcome }) => outcome)).not.toContain(undefined);
      expect(ends).toHaveLength(calls.length);
      expect([thread.commands, thread.journal.pending]).toEqual([[], []]);
    }),
    { numRuns: 25 },
  );
});

describe.each(textual)("arguments over the %s protocol", (protocol) => {
  it.each([
    ['{"command":"rm -rf bu'],
    ['{"command":"touch half"'],
    ["[1,2]"],
    ['"str"'],
    ["null"],
    ["{command: x}"],
    ['{"command":"a"}{"command":"b"}'],
  ])("that are %s are answered with an error beside a good call, and the model mends them", async (args) => {
    const { server, thread } = await open(protocol);
    const broken = { id: "broken", name: "execute", args };
    server.say(
      calling(server, broken, command("touch good", "good")),
      calling(server, command("touch mended")),
    );
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["touch good", "touch mended"]);
    expect(
      callsOf(thread)
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(["failed", "ok", "ok"]);
    expect(JSON.stringify(server.asked[1])).toContain("not a complete JSON object");
  });

  it("that are left out are none", async () => {
    const { server, thread } = await open(protocol);
    server.say(calling(server, { id: "a", name: "ls", args: "" }));
    await thread.send("go");
    expect(callsOf(thread)).toMatchObject([{ tool: "ls", outcome: expect.not.stringMatching("^$") }]);
  });
});

describe("what a server that speaks like OpenAI reasons", () => {
  const saidBy = ({ journal }: GateThread) =>
    journal.events.flatMap((event) => (event.type === "message.finished" ? [event] : []));

  it("is recorded beside what it says, and not sent back to it", async () => {
    const { server, thread } = await open("openai-compatible");
    const reasoning = ["The limit ", "comes first."];
    server.say({ ...calling(server, command("one")), reasoning }, { text: "Done.", finish: "stop" });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(saidBy(thread)).toMatchObject([{ text: "", reasoning: reasoning.join("") }, { text: "Done." }]);
    expect(lastAsked(server)).not.toContain("The limit");
  });

  it.each([[null], [7], [{ text: "no" }], [["no"]], [""]])("is nothing when it is %j", async (piece) => {
    const { server, thread } = await open("openai-compatible");
    server.say({ text: "Done.", reasoning: [piece], finish: "stop" });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    expect(saidBy(thread).map(({ text, reasoning }) => [text, reasoning])).toEqual([["Done.", undefined]]);
  });

  it("is cut in the middle when it is too long to be kept", async () => {
    const { server, thread } = await open("openai-compatible");
    server.say({ text: "Done.", reasoning: Array(40).fill("x".repeat(10_000)), finish: "stop" });
    expect(await thread.send("go")).toEqual({ kind: "done" });
    const [said] = saidBy(thread);
    expect(said?.reasoning?.length).toBeLessThan(210_000);
    expect(said?.reasoning).toContain("characters left out");
  });
});

it("a cut call is not put to a person either, and what is asked has the ids of its own", async () => {
  const server = await startAnsweringServer("openai-compatible");
  onTestFinished(() => server.close());
  const thread = new GateThread({ model: server.model });
  const twice = [command("one", "same"), command("two", "same")];
  server.say({ ...calling(server, ...twice), finish: server.words.length }, calling(server, ...twice));
  const end = thread.send("go");
  await thread.journal.until(() => thread.journal.pending.length === 2);
  expect(thread.journal.questions).toHaveLength(2);
  const approve: Decision = { type: "approve" };
  await thread.journal.decide("one", approve);
  await thread.journal.decide("two", approve);
  expect(await end).toEqual({ kind: "done" });
  expect(thread.commands.toSorted()).toEqual(["one", "two"]);
});
