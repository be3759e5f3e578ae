/** Arbitrary frames against a served contract: it answers or hangs up, and never throws, leaks or runs ahead. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { contract } from "../../shared/contract/contract.ts";
import { anyCharacter } from "../../shared/testing/any-character.ts";
import { decodeClientFrame, decodeHostFrame } from "../../shared/wire/frames.ts";
import { connectInProcess } from "../../shared/wire/in-process.ts";
import { serveContract } from "../../shared/wire/serve-contract.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { fillHandlers } from "./testing/partial-handlers.ts";
import { count } from "./testing/streams.ts";

const odd = fc.constantFrom<unknown>("__proto__", "constructor", "", -1, 0, 1e308, 2 ** 53, null, [], {});
const name = fc.oneof(fc.constantFrom(...Object.keys(contract)), fc.string(), odd);
const id = fc.oneof(fc.integer({ min: -1, max: 6 }), fc.bigInt().map(String), fc.double(), odd);
const credits = fc.oneof(fc.integer({ min: 0, max: 5 }), odd);
const input = fc.oneof(fc.constant({}), fc.constant({ executionId: "e" }), fc.jsonValue(), odd);
const frameLike = fc.record(
  { t: fc.oneof(fc.constantFrom("call", "open", "credit", "cancel", "item"), odd), id, name, input, credits },
  { requiredKeys: ["t", "id"] },
);
const text = fc.oneof(
  frameLike.map((frame) => JSON.stringify(frame)),
  fc.json(),
  fc.string(),
  fc.string({ unit: anyCharacter }),
);
/** Frames that follow the protocol, so that the fuzz also reaches what lies behind the parser. */
const proper = fc.oneof(
  fc.record({ t: fc.constant("call"), name: fc.constantFrom("host.backup", "host.info", "nothing"), input }),
  fc.record({
    t: fc.constant("open"),
    name: fc.constant("executions.watch"),
    input: fc.constant({ executionId: "e" }),
    credits: fc.integer({ min: 1, max: 5 }),
  }),
  fc.record({ t: fc.constant("credit"), of: fc.nat(20), credits: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ t: fc.constant("cancel"), of: fc.nat(20) }),
);

it("decodes any text to a frame or to nothing, without throwing", () => {
  fc.assert(
    fc.property(text, (frame) => {
      decodeClientFrame(frame);
      decodeHostFrame(frame);
    }),
    { numRuns: runsOf(2_000) },
  );
});

it("answers arbitrary frames with well-formed frames that show no stack, or hangs up", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (frames) => {
      const { answers } = await converse(frames);
      for (const answer of answers) {
        expect(decodeHostFrame(answer)).toBeDefined();
        expect(answer).not.toMatch(/ {4}at |node_modules|kaboom/);
      }
    }),
    { numRuns: runsOf(500) },
  );
});

it("keeps every stream within its credit under arbitrary interleavings of open, credit, cancel and call", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(proper, { maxLength: 30 }), async (steps) => {
      const granted = new Map<number, number>();
      let newest = 0;
      const frames = steps.map((step) => {
        if ("of" in step) {
          const { of, ...rest } = step;
          const target = newest === 0 ? 1 : 1 + (of % newest);
          if ("credits" in rest && granted.has(target)) {
            granted.set(target, (granted.get(target) ?? 0) + rest.credits);
          }
          return JSON.stringify({ ...rest, id: target });
        }
        newest++;
        if ("credits" in step) granted.set(newest, step.credits);
        return JSON.stringify({ ...step, id: newest });
      });
      const { answers, made } = await converse(frames);
      const total = [...granted.values()].reduce((sum, credit) => sum + credit, 0);
      expect(made).toBeLessThanOrEqual(total);
      for (const [stream, credit] of granted) {
        const items = answers.filter((answer) => answer.startsWith(`{"t":"item","id":${stream},`));
        expect(items.length).toBeLessThanOrEqual(credit);
      }
    }),
    { numRuns: runsOf(500) },
  );
});

/** Sends the frames, closes, and returns every answer and how many stream items the host made in all. */
async function converse(frames: string[]): Promise<{ answers: string[]; made: number }> {
  const [host, client] = connectInProcess();
  const answers: string[] = [];
  const sources = [count(0)].slice(1);
  client.onFrame((answer) => answers.push(answer));
  serveContract(
    host,
    fillHandlers({
      "host.backup": () => {
        throw new Error("kaboom");
      },
      "executions.watch": () => {
        const source = count(1_000);
        sources.push(source);
        return source.stream();
      },
    }),
    { clientId: "fuzz", onInternalError: () => "log-1" },
  );
  for (const frame of frames) client.send(frame);
  // One turn of the event loop lets every microtask of both ends run out.
  await new Promise((resolve) => setImmediate(resolve));
  client.close();
  await new Promise((resolve) => setImmediate(resolve));
  return { answers, made: sources.reduce((sum, source) => sum + source.made(), 0) };
}
