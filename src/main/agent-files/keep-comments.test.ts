import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { keepComments } from "./keep-comments.ts";

const commented = `// My rules.
{
  "version": 1, // the only one
  "rules": [
    // Reading is fine.
    { "id": "a", "effect": "allow" }, // since May
    // Publishing is not.
    { "id": "b", "effect": "ask" },

    // The rest.
    { "id": "c", "effect": "deny" } // for good
    // Add more above.
  ],
}
// The end.
`;

type Rules = { version: number; rules: { id: string; effect: string }[] };
const value = parse(commented, [], { allowTrailingComma: true }) as Rules;
const without = (id: string): Rules => ({ ...value, rules: value.rules.filter((rule) => rule.id !== id) });

describe("a commented file that is changed", () => {
  it("stays as it is, letter by letter, when nothing changes", () => {
    expect(keepComments(commented, value)).toBe(commented);
  });

  it("keeps every comment and the person's own form when an entry is added", () => {
    const added = { ...value, rules: [...value.rules, { id: "d", effect: "ask" }] };
    expect(keepComments(commented, added)).toBe(
      commented.replace(
        '"deny" } // for good',
        '"deny" }, // for good\n    {\n      "id": "d",\n      "effect": "ask"\n    }',
      ),
    );
  });

  it("loses with an entry the comments that are about it, and no others", () => {
    expect(keepComments(commented, without("a"))).toBe(
      commented.replace(/ *\/\/ Reading is fine\.\n.*\/\/ since May\n/, ""),
    );
    expect(keepComments(commented, without("b"))).toBe(
      commented.replace(/ *\/\/ Publishing is not\.\n.*"b".*\n/, ""),
    );
    expect(keepComments(commented, without("c"))).toBe(
      commented.replace(
        '"ask" },\n\n    // The rest.\n    { "id": "c", "effect": "deny" } // for good',
        '"ask" }',
      ),
    );
  });

  it("changes one value where it stands", () => {
    const changed = { ...value, rules: [value.rules[0], { id: "b", effect: "deny" }, value.rules[2]] };
    expect(keepComments(commented, changed)).toBe(commented.replace('"ask"', '"deny"'));
  });

  it("takes out and adds fields between comments", () => {
    const text = '{\n  // first\n  "a": 1, // one\n  // second\n  "b": 2\n}\n';
    expect(keepComments(text, { b: 2, c: [3] })).toBe('{\n  // second\n  "b": 2,\n  "c": [\n    3\n  ]\n}\n');
  });

  it("keeps what is written in one line in one line", () => {
    expect(keepComments('{"args": ["a", "b"]}', { args: ["b"] })).toBe('{"args": ["b"]}');
    expect(keepComments('{"args": ["a", "b"]}', { args: ["a"] })).toBe('{"args": ["a"]}');
    expect(keepComments('{"args": ["a", "b"]}', { args: ["a", "x", "b"] })).toBe('{"args": ["a", "x", "b"]}');
  });

  it("does not let an entry slip behind a comment", () => {
    const text = "[\n  1, // one\n  2, 3 // two and three\n]";
    expect(parse(keepComments(text, [1, 3]))).toEqual([1, 3]);
    expect(parse(keepComments("[1, // one\n 2 ]", [1]))).toEqual([1]);
  });

  it("lets the last of two fields with one name count, and keeps one of them", () => {
    expect(keepComments('{"a": 1, "a": 2}', { a: 2 })).toBe('{"a": 2}');
  });

  it("is written anew when it is no JSON", () => {
    expect(keepComments("{ oops", { a: 1 })).toBe('{\n  "a": 1\n}\n');
    expect(keepComments("", { a: 1 })).toBe('{\n  "a": 1\n}\n');
  });

  it("keeps the line ends of the file", () => {
    expect(keepComments('{\r\n  "a": 1\r\n}', { a: 1, b: { c: 2 } })).toBe(
      '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}',
    );
  });
});

/** A value as text with comments, blank lines and commas wherever JSON with comments lets them stand. */
function decorate(json: unknown, spice: () => string): string {
  const gap = () => spice();
  if (Array.isArray(json))
    return wrap(
      "[",
      json.map((one) => decorate(one, spice)),
      "]",
      gap,
    );
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  const fields = Object.entries(json).map(
    ([name, one]) => `${JSON.stringify(name)}${gap()}:${gap()}${decorate(one, spice)}`,
  );
  return wrap("{", fields, "}", gap);
}

function wrap(open: string, parts: string[], close: string, gap: () => string): string {
  const trailing = parts.length > 0 && gap().length % 2 === 1 ? "," : "";
  return open + parts.map((one) => gap() + one + gap()).join(",") + trailing + gap() + close;
}

describe("any file and any change", () => {
  const spices = [
    "",
    " ",
    "\n",
    "\n\n",
    " // a, b ] }\n",
    "\n// above\n",
    "/* in */",
    "/* two\n lines */\n",
    "\r\n  ",
  ];
  const name = fc.constantFrom("a", "b", "c d", "//", '"');
  const { value: anyValue } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(fc.integer(), fc.constantFrom("x", "/* y */", null, true)),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(name, tie("value"), { maxKeys: 4 }),
    ),
  }));

  it("reads back as the value that was wanted", () => {
    fc.assert(
      fc.property(anyValue, anyValue, fc.infiniteStream(fc.constantFrom(...spices)), (old, next, spice) => {
        const text = decorate(old, () => spice.next().value);
        const errors: unknown[] = [];
        expect(parse(keepComments(text, next), errors as never[], { allowTrailingComma: true })).toEqual(
          next,
        );
        expect(errors).toEqual([]);
        expect(keepComments(text, old)).toBe(text);
      }),
      { numRuns: runsOf(500) },
    );
  });
});
