/** Calls as a model's server can send them and no model should: each has an end, and none is acted on that was not meant. */

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Decision } from "../../../shared/contract/decisions.ts";
import { tools } from "../../../shared/tools/tools.ts";
import { runsOf } from "../../base/testing/long-run.ts";
import { type Protocol, startAnsweringServer } from "../../models/testing/answering-server.ts";
import { calling, callsOf, command, open } from "./testing/answered-thread.ts";
import { GateThread } from "./testing/gate-thread.ts";

/** Those whose arguments travel as text, so that they may be no JSON at all. */
const textual: Protocol[] = ["openai", "openai-compatible", "anthropic"];

it("ends every call in the transcript, whatever tool it names and whatever its arguments are", async () => {
  const { server, thread } = await open("openai-compatible");
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
  const call = fc.record({ name: fc.constantFrom(...Object.keys(tools), ...oddNames), args });
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
    { numRuns: runsOf(25) },
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
