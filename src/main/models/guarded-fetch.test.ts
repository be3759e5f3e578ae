/** What an answer's stream costs everybody else. */
import { afterEach, expect, it, vi } from "vitest";
import { createGuardedFetch, defaultTransport, guardStream } from "./guarded-fetch.ts";

afterEach(() => void vi.restoreAllMocks());

const piece = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ delta: { role: "assistant", content } }] })}\n\n`;
const ending = `data: ${JSON.stringify({ choices: [{ finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

async function readGuarded(text: string, readLength: number): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += readLength)
        controller.enqueue(bytes.subarray(at, at + readLength));
      controller.close();
    },
  });
  const guarded = guardStream(body, {
    protocol: "openai",
    noteEnd: () => {},
    callerSignal: undefined,
    silenceLimitMs: 100_000,
    wholeLimitMs: 100_000,
  });
  return new Response(guarded).text();
}

it("passes on what came, however it was cut into reads", async () => {
  const text = ["a", "", "字".repeat(40), "\n\n", "x".repeat(300)].map(piece).join("") + ending;
  for (let length = 1; length < 40; length += 1) expect(await readGuarded(text, length)).toBe(text);
});

it("lets others have their turn between two pieces of an answer that is there already", async () => {
  // Every look at the clock finds that the turn has taken long.
  let now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 10;
    return now;
  });
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  const pieces = Array.from({ length: 50 }, (_, at) => piece(`${at}`));
  await readGuarded(pieces.join("") + ending, pieces[10]!.length);
  over = true;
  expect(turns).toBeGreaterThanOrEqual(50);
});

it("sends no half of a character, which a provider would refuse with the whole conversation, and nothing else otherwise", async () => {
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent.push(init?.body);
    return new Response("{}");
  };
  const guarded = createGuardedFetch("openai", undefined, { ...defaultTransport, fetch });
  const halves = ["a\ud83d", "\udc00b", "\\\ud83d", "🙂\ude42"];
  const whole = ["🙂", "\\ud83d", "\\\\ud83d", '\n\u0001"\\', "\ufffd"];
  await guarded("https://a.example", { method: "POST", body: JSON.stringify([...halves, ...whole]) });
  expect(JSON.parse(String(sent[0]))).toEqual([...halves.map((text) => text.toWellFormed()), ...whole]);
  await guarded("https://a.example", { method: "POST", body: JSON.stringify(whole) });
  expect(sent[1]).toBe(JSON.stringify(whole));
});
