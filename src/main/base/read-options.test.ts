import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folderOf, readOptions } from "./read-options.ts";

const options = { port: { type: "string" }, json: { type: "boolean" } } as const;
const read = (...args: string[]) => readOptions({ args, options });

describe("the options of a command line", () => {
  it("are read as they are given", () => {
    expect(read("--port", "80", "--json").values).toEqual({ port: "80", json: true });
    expect(read("--port=-x").values).toEqual({ port: "-x" });
    const { positionals } = readOptions({ args: ["a", "--", "--help"], options, allowPositionals: true });
    expect(positionals).toEqual(["a", "--help"]);
  });

  it.each([
    [["--prot", "80"], /^--prot is no option of this command\.$/],
    [["-p"], /^-p is no option/],
    [["--port"], /^--port needs a value/],
    [["--port", "--json"], /^--port needs a value/],
    [["--json=1"], /^--json takes no value\.$/],
    [["--", "--port"], /^“--port” is no option/],
    [["__proto__"], /^“__proto__” is no option/],
    [["--constructor"], /^--constructor is no option/],
  ])("are refused in our words: %j", (args, problem) => expect(() => read(...args)).toThrow(problem));

  it("are never refused in the words of Node's parser, whatever is typed", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "--",
        "-",
        "--port",
        "--json",
        "--json=",
        "--port=",
        "-p",
        "--no-json",
        "x",
        "---",
        "-pj",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (args) => {
        try {
          read(...args);
        } catch (error) {
          expect(error).not.toHaveProperty("code");
        }
      }),
    );
  });
});

it("takes a path, or none, and refuses the empty text that an unset variable leaves", () => {
  expect(folderOf("--data-dir", undefined)).toBeUndefined();
  expect(folderOf("--data-dir", "data")).toBe(resolve("data"));
  for (const empty of ["", " ", "\t"])
    expect(() => folderOf("--data-dir", empty)).toThrow("--data-dir is empty. Give the path of a folder");
});
