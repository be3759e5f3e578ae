/** One suite over every transport for what must not pass: malformed frames, too many, too large, out of turn. */
import { describe, expect, it } from "vitest";
import { threadIdSchema } from "../../shared/ids.ts";
import { createClient } from "../../shared/wire/client.ts";
import { maxAnswerBytes, maxFrameBytes, maxLiveCalls, maxLiveStreams } from "../../shared/wire/frames.ts";
import { servePairs } from "./testing/serve-pair.ts";
import { executionId, failure, openWatch, takeAll, waitForever } from "./testing/streams.ts";
import { wirePairs } from "./testing/wire-pairs.ts";

const threadId = threadIdSchema.parse("t1");

describe.each(Object.entries(wirePairs))("the limits over %s", (_kind, connectPair) => {
  const { openPair, serve, connect } = servePairs(connectPair);

  it.each([
    ["no JSON", "{"],
    ["JSON of no frame", "[]"],
    ["an unknown kind", '{"t":"shout","id":1}'],
    ["an undeclared field", '{"t":"call","id":1,"name":"host.info","input":{},"admin":true}'],
    ["a fractional id", '{"t":"call","id":1.5,"name":"host.info","input":{}}'],
    ["an id too large to be exact", '{"t":"call","id":9007199254740993,"name":"host.info","input":{}}'],
    ["a prototype key", '{"t":"call","id":1,"name":"host.info","input":{"__proto__":{"admin":true}}}'],
    [
      "bottomless nesting",
      `{"t":"call","id":1,"name":"host.info","input":${"[".repeat(9e4)}${"]".repeat(9e4)}}`,
    ],
    ["no credit at all", '{"t":"open","id":1,"name":"console.watch","input":{},"credits":0}'],
    ["endless credit", '{"t":"open","id":1,"name":"console.watch","input":{},"credits":1e9}'],
    ["credit for nothing", '{"t":"credit","id":7,"credits":1}'],
    ["a frame too large", `{"t":"call","id":1,"name":"host.info","input":"${"x".repeat(maxFrameBytes)}"}`],
  ])("hangs up on %s", async (_what, frame) => {
    const { pair, hungUp } = await serve({});
    pair.client.send(frame);
    expect(await hungUp).toBeTypeOf("string");
  });

  it("hangs up on an id that was used before", async () => {
    const { pair, hungUp } = await serve({});
    const frame = JSON.stringify({ t: "call", id: 1, name: "host.info", input: {} });
    pair.client.send(frame);
    pair.client.send(frame);
    expect(await hungUp).toBeTypeOf("string");
  });

  it("hangs up on credit piled beyond the cap", async () => {
    const waiting = waitForever();
    const { pair, hungUp } = await serve({ "executions.watch": waiting.stream });
    pair.client.send(
      JSON.stringify({ t: "open", id: 1, name: "executions.watch", input: { executionId }, credits: 1_024 }),
    );
    await waiting.started;
    pair.client.send(JSON.stringify({ t: "credit", id: 1, credits: 1_024 }));
    expect(await hungUp).toBeTypeOf("string");
    await waiting.ended;
  });

  it("refuses more calls and streams than its caps, and serves again when some have ended", async () => {
    const release = Promise.withResolvers<{ path: string }>();
    const { client } = await connect({
      "host.backup": () => release.promise,
      "executions.watch": waitForever().stream,
    });
    const calls = Array.from({ length: maxLiveCalls }, () => client.call("host.backup", {}));
    expect(await failure(client.call("host.backup", {}))).toMatchObject({ code: "unavailable" });
    const watches = Array.from({ length: maxLiveStreams }, () => openWatch(client));
    await Promise.all(watches.map((watch) => watch.first));
    const oneMore = failure(takeAll(client.watch("executions.watch", { executionId })));
    expect(await oneMore).toMatchObject({ code: "unavailable" });
    release.resolve({ path: "/b" });
    await Promise.all(calls);
    expect(await client.call("host.backup", {})).toEqual({ path: "/b" });
    for (const watch of watches) watch.stop();
  });

  it("carries an answer larger than a frame in parts, whatever is in it", async () => {
    for (const unit of ["ü", "天", "\u0000", "\ud83d", "😀", '"\\']) {
      const path = unit.repeat(Math.ceil(1_300_000 / unit.length));
      const { client, pair } = await connect({ "host.backup": () => ({ path }) });
      const sizes: number[] = [];
      pair.client.onFrame((frame) => void sizes.push(Buffer.byteLength(frame)));
      expect((await client.call("host.backup", {})).path === path, JSON.stringify(unit)).toBe(true);
      expect(sizes.length).toBeGreaterThan(1);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(maxFrameBytes);
    }
  });

  it("says that an answer is too large for the wire and stays connected", async () => {
    const { client } = await connect({
      "host.backup": () => ({ path: "天".repeat(maxAnswerBytes / 3) }),
      "threads.export": () => ({ path: "/small" }),
    });
    expect(await failure(client.call("host.backup", {}))).toMatchObject({ code: "unavailable" });
    expect(await client.call("threads.export", { threadId })).toEqual({ path: "/small" });
  });

  it("refuses to send an input the host would hang up on", async () => {
    const { client } = await connect({ "threads.export": () => ({ path: "/small" }) });
    const query = "ü".repeat(600_000);
    expect(await failure(client.call("threads.search", { query }))).toMatchObject({ code: "invalid-input" });
    expect(await client.call("threads.export", { threadId })).toEqual({ path: "/small" });
  });

  it("hangs up on a host that sends more than was asked for, or something else", async () => {
    const item = '{"t":"item","id":1,"item":{"data":"","state":"running"}}';
    for (const reply of [item, '{"t":"result","id":9,"output":{}}', "nonsense"]) {
      const pair = await openPair();
      const client = createClient(pair.client);
      pair.host.onFrame(() => {
        for (let copies = 0; copies < 2; copies++) pair.host.send(reply);
      });
      const hungUp = new Promise<string>((resolve) => pair.host.onClose(resolve));
      const reading = client.watch("executions.watch", { executionId }, { credits: 2 });
      const first = reading[Symbol.asyncIterator]().next();
      if (reply === item) {
        await first;
        pair.host.send(reply);
      } else {
        expect(await failure(first)).toMatchObject({ code: "closed" });
      }
      await hungUp;
    }
  });
});
