/** What an agent asks by a form or an address: read whole, or not put to a person at all. */
import { readFileSync } from "node:fs";
import type { CreateElicitationRequest } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { whyNotFitting } from "../../../shared/contract/form-fields.ts";
import { toFormSubject, toQuestionSubject } from "../../tools/question-subject.ts";
import { opened, readElicitation } from "./elicitation-form.ts";

const form = (properties: object, more: object = {}, message = "Which?") =>
  readElicitation({
    ...{ mode: "form", sessionId: "s", message },
    requestedSchema: { type: "object", properties, ...more },
  } as CreateElicitationRequest);
const address = (url: string) =>
  readElicitation({ mode: "url", sessionId: "s", elicitationId: "e", message: "Sign up", url });

it("makes a question with answers to press of what Claude Code asks", () => {
  const wire = readFileSync(new URL("./testing/wires/claude.jsonl", import.meta.url), "utf8");
  const line = wire.split("\n").find((one) => one.includes("elicitation/create"))!;
  const read = readElicitation(JSON.parse(line).message.params);
  if ("unasked" in read) throw new Error(read.unasked);
  expect(toQuestionSubject(read.args)).toEqual({
    kind: "question",
    question: "Which colour?",
    wants: "text",
    choices: [
      { answer: "Red", about: "r" },
      { answer: "Blue", about: "b" },
    ],
  });
  expect([read.toContent("Blue"), read.toContent("Green"), read.toContent(5)]).toEqual([
    { question_0: "Blue" },
    { question_0_custom: "Green" },
    undefined,
  ]);
});

const several = { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, maxItems: 1 };
const all = {
  name: { type: "string", minLength: 2, maxLength: 3, title: "Your name", description: "short" },
  mail: { type: "string", format: "email" },
  day: { type: "string", format: "date" },
  count: { type: "integer", minimum: 1, maximum: 9 },
  share: { type: "number" },
  sure: { type: "boolean", default: true },
  one: { type: "string", oneOf: [{ const: "x", title: "The x", description: "first" }] },
  some: several,
  more: { type: "array", items: { anyOf: [{ const: "y", title: "The y" }] } },
};

it("types each field, and takes no answer that does not fit it", () => {
  const read = form(all, { required: ["name"] });
  if ("unasked" in read) throw new Error(read.unasked);
  const subject = toFormSubject(read.args);
  expect(subject).toMatchObject({ wants: "json", question: "Which?" });
  expect(subject!.fields!.map(({ kind }) => kind).join()).toBe(
    "text,text,text,number,number,yesNo,one,several,several",
  );
  const right = { name: "Ann", mail: "a@b.example", day: "2026-01-31", count: 9, share: 0.5 };
  const answer = { ...right, sure: false, one: "x", some: ["a"], more: ["y"] };
  expect([read.toContent(answer), read.toContent({ name: "Ann" })]).toEqual([answer, { name: "Ann" }]);
  const wrong: [object, RegExp][] = [
    [{}, /^“Your name” is missing/],
    [{ name: "A" }, /“Your name” has to be 2/],
    [{ name: "Anna" }, /“Your name” has to be 3/],
    [{ name: 5 }, /“Your name” is a text/],
    [{ mail: "nobody" }, /“mail” is no email/],
    [{ day: "tomorrow" }, /“day” is no date/],
    [{ count: 1.5 }, /“count” is a whole/],
    [{ count: 10 }, /“count” has to be 9/],
    [{ count: 0 }, /“count” has to be 1/],
    [{ share: "much" }, /“share” is a number/],
    [{ sure: "yes" }, /“sure” is true/],
    [{ one: "y" }, /“one” is none/],
    [{ some: ["c"] }, /“some” has what is none/],
    [{ some: ["a", "a"] }, /“some” is a list/],
    [{ some: ["a", "b"] }, /“some” has to be 1/],
    [{ some: [] }, /“some” has to be 1/],
    [{ extra: 1 }, /no field “extra”/],
    [JSON.parse('{"__proto__": 1}'), /no field/],
  ];
  for (const [change, why] of wrong) {
    const given = Object.keys(change).length > 0 ? { name: "Ann", ...change } : {};
    const told = Object.hasOwn(change, "__proto__") ? change : given;
    expect(whyNotFitting(subject!.fields!, told), JSON.stringify(change)).toMatch(why);
    expect(read.toContent(told)).toBeUndefined();
  }
  for (const none of [null, 5, "x", []]) expect(read.toContent(none)).toBeUndefined();
});

const text = { type: "string" };
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, text]));

it.each([
  ["of a megabyte", form({ a: { ...text, description: "x".repeat(1_000_000) } }), "too large"],
  ["of thousands of fields", form(many(3_000)), "too large"],
  ["of a field too many", form(many(21)), "more than 20"],
  ["of no field", form({}), "not understood"],
  ["of a type that nobody knows", form({ a: { type: "file" } }), "not understood"],
  ["of a word that nobody knows", form({ a: { ...text, writeOnly: true } }), "not understood"],
  ["of a pattern, which could run for ever", form({ a: { ...text, pattern: "(a+)+$" } }), "not understood"],
  ["of nested objects", form({ a: { type: "object", properties: {} } }), "not understood"],
  ["that wants a field it does not have", form({ a: text }, { required: ["b"] }), "not understood"],
  ["of two options that are the same", form({ a: { ...text, enum: ["x", "x"] } }), "not understood"],
  ["with a message that is endless", form({ a: text }, {}, "x".repeat(4_001)), "more words"],
  ["of another way", readElicitation({ mode: "voice", sessionId: "s", message: "m" }), "not known"],
  ["for an address without protection", address("http://example.com/"), "https"],
  ["for a script", address("javascript:alert(1)"), "https"],
  ["for an address with a password", address("https://a:b@example.com/"), "https"],
  ["for an endless address", address(`https://example.com/${"x".repeat(2_000)}`), "https"],
])("puts nothing to a person %s", (_what, read, why) => {
  expect("unasked" in read && read.unasked).toContain(why);
});

it.each(["password", "apiKey", "API_KEY", "Your token", "access-key", "ｐassword", "PIN", "githubToken"])(
  "puts nothing to a person that asks for a secret: %s",
  (word) => {
    const asked = [
      form({ [word]: text }),
      form({ a: { ...text, title: word } }),
      form({ a: { ...text, description: `the ${word} please` } }),
      form({ a: text }, {}, `Tell me: ${word}`),
      form({ [word]: { type: "integer" }, sure: { type: "boolean" } }),
    ];
    for (const read of asked) expect("unasked" in read && read.unasked).toContain("secret");
  },
);

it("asks which of several is meant, also where they are about secrets: nothing is typed", () => {
  const read = form({ a: { ...text, enum: ["hash it", "leave it"] } }, {}, "What of the password column?");
  expect(read).not.toHaveProperty("unasked");
});

it("names the host of an address, and takes one answer alone", () => {
  const read = address("https://exämple.com/a?b#c");
  if ("unasked" in read) throw new Error(read.unasked);
  const subject = toFormSubject(read.args);
  expect(subject?.question).toContain("which is at xn--exmple-cua.com:\nhttps://xn--exmple-cua.com/a?b#c");
  expect([subject?.only, read.toContent(opened), read.toContent("sure")]).toEqual([true, {}, undefined]);
});
