/** What a model's server can send that no model should: nothing of it is acted on, dropped or left without an end. */
import { describe, expect, it } from "vitest";
import { jsonBytes } from "../../../shared/wire/json-bytes.ts";
import type { Protocol, WiredAnswer } from "../../models/testing/answering-server.ts";
import { calling, callsOf, command, lastAsked, noticesOf, open } from "./testing/answered-thread.ts";
import type { GateThread } from "./testing/gate-thread.ts";

const protocols: Protocol[] = ["openai", "openai-compatible", "anthropic", "google", "ollama"];
it("tells whoever watches no more of a message without an end than will be kept of it", async () => {
  const { server, thread } = await open("openai-compatible");
  server.say({ reasoning: Array<string>(50).fill("so it goes ".repeat(10_000)), finish: server.words.stop });
  expect(await thread.send("go")).toEqual({ kind: "done" });
  expect(thread.toldChars).toBeGreaterThan(500_000);
  expect(thread.toldChars).toBeLessThan(800_000);
});

describe.each(protocols)("an answer over the %s protocol", (protocol) => {
  // More than any frame may have.
  const inOnePiece = 2_000_000;

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

  it.each(["", " \n", "\u200b\u2060"])("that is empty says so: %j", async (text) => {
    const { server, thread } = await open(protocol);
    server.say({ text, finish: server.words.stop });
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
