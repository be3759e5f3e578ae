/** A card shows all that was said of a call, and where nothing can be seen it says so. */

import type { ToolCallContent } from "@agentclientprotocol/sdk";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isBlank } from "../../../shared/contract/outer-agents.ts";
import { runsOf } from "../../base/testing/long-run.ts";
import { answersAmong, mergeCall, nothingSaid, toOuterCall } from "./merge-call.ts";

const text = (of: string): ToolCallContent => ({ type: "content", content: { type: "text", text: of } });
const diff = (path: string): ToolCallContent => ({ type: "diff", path, newText: "" });
const link = (uri: string): ToolCallContent => ({
  type: "content",
  content: { type: "resource_link", name: "a file", uri },
});
const image = (data: string): ToolCallContent => ({
  type: "content",
  content: { type: "image", mimeType: `image/${data}`, data },
});

it("keeps each word, however many there are, and names what is no text", () => {
  const kinds = [text, diff, link, image];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 3 }), (count, first) => {
      const words = Array.from({ length: count }, (_, index) => `word-${index}.`);
      const content = words.map((word, index) => kinds[(first + index) % kinds.length]!(word));
      const title = words.join(" ");
      const locations = words.map((word) => ({ path: `place-${word}` }));
      const said = mergeCall(nothingSaid, { toolCallId: "a", title, content, locations });
      const call = toOuterCall("Fake", said, "Yes");
      expect(call.title).toBe(title);
      const shown = JSON.stringify({ ...call, title: "" });
      for (const word of words) {
        expect(shown).toContain(`place-${word}`);
        expect(shown.replaceAll(`place-${word}`, "")).toContain(word);
      }
    }),
    { numRuns: runsOf(10) },
  );
});

it("takes nothing back that was said by an empty word, whichever comes first", () => {
  const word = fc.constantFrom<unknown>(undefined, null, "", {}, []);
  const told = {
    toolCallId: "a",
    title: "t",
    rawInput: { command: "ls" },
    content: [text("x")],
    locations: [{ path: "p" }],
  };
  fc.assert(
    fc.property(word, fc.boolean(), (rawInput, isFirst) => {
      const empty = { toolCallId: "a", title: "", rawInput, content: [], locations: [] };
      const [one, other] = isFirst ? [empty, told] : [told, empty];
      const said = mergeCall(mergeCall(nothingSaid, one), other);
      expect(toOuterCall("Fake", said, "Yes")).toEqual(
        toOuterCall("Fake", mergeCall(nothingSaid, told), "Yes"),
      );
    }),
    { numRuns: runsOf(20) },
  );
});

it("takes for nothing what cannot be seen, and for something whatever can", () => {
  const unseen = fc.stringMatching(/^[ \n\t\0\u200b\u202e\u2800\u3164\u{e0020}]*$/u);
  const none = fc.record({
    input: fc.oneof(unseen, fc.constant(null), fc.constant({}), fc.array(fc.record({ "": unseen }))),
    places: fc.array(unseen),
    changes: fc.array(fc.record({ path: unseen, before: fc.option(unseen), after: unseen })),
    notes: fc.array(unseen),
  });
  const of = { agent: "Fake", does: "other" as const, title: "Tidy up" };
  fc.assert(
    fc.property(none, (said) => {
      expect(isBlank({ ...of, ...said })).toBe(true);
      expect(isBlank({ ...of, ...said, places: [...said.places, "/"] })).toBe(false);
      expect(isBlank({ ...of, ...said, input: { force: false } })).toBe(false);
    }),
    { numRuns: runsOf(50) },
  );
});

it("answers with what allows or refuses this once and nothing more, also where only an answer for ever is offered", () => {
  const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
  const option = fc.record({
    optionId: fc.constantFrom("a", "b", "c"),
    name: fc.constant("Yes"),
    kind: fc.constantFrom(...kinds),
  });
  fc.assert(
    fc.property(fc.array(option, { maxLength: 4 }), (options) => {
      const { yes, no } = answersAmong(options);
      for (const [answer, kind] of [
        [yes, "allow_once"],
        [no, "reject_once"],
      ] as const) {
        const meant = options.filter((one) => one.kind === kind);
        const named = options.filter(({ optionId }) => optionId === meant[0]?.optionId);
        expect(answer).toBe(meant.length === 1 && named.length === 1 ? meant[0] : undefined);
      }
    }),
    { numRuns: runsOf(300) },
  );
  for (const kind of ["allow_always", "reject_always"] as const)
    expect(answersAmong([{ optionId: "a", name: "Always", kind }])).toEqual({
      yes: undefined,
      no: undefined,
    });
});
