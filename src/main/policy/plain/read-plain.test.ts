import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runsOf } from "../../base/testing/long-run.ts";
import { judgeCommand } from "../judge-command.ts";
import { makeContext } from "../testing/make-context.ts";
import { listScript } from "./plain-list.ts";
import { readPlain } from "./read-plain.ts";

const everyday = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL("../everyday-commands.json", import.meta.url), "utf8")));
const context = makeContext();
const runs = (command: string) => /^(?:safe|covered|new)$/.test(judgeCommand(command, context).verdict);

describe("the small language", () => {
  it.each([
    ["ls -la 'a b' \"c d\" e\\ f", ["command", "word ls", "word -la", "word a b", "word c d", "word e f"]],
    ["CI=1 ls >f 2>&1", ["command", "set CI=1", "word ls", "open >", "word f", "open 2>&", "word 1"]],
    [
      "for f in a; do ls; done",
      "joint for,joint f,joint in,word a,joint do,command,word ls,joint done".split(","),
    ],
    [
      "cat <<'E' | wc\n$(id)\nE",
      ["command", "word cat", "open <<", "|", "command", "word wc", "here $(id)\n"],
    ],
  ])("reads %j as commands and words", (text, list) => {
    const plain = readPlain(text);
    expect("script" in plain && listScript(plain.script)).toEqual(list);
  });

  it.each([
    ["ls $(id)", "variable"],
    ["ls `id`", "joint"],
    ["ls {a,b}", "joint"],
    ["l\\\ns", "joint"],
    ['echo "a\\\nb"', "double"],
    ["f() { ls; }", "joint"],
    ["while true; do ls; done", "compound"],
    ["((1))", "compound"],
    ["cat <<E\nx\nE", "joint"],
    ["A+=b ls", "assignment"],
    ["ls 3>f", "redirect"],
    ["for f in a; do for f in b; do ls; done; done", "for"],
    ["[[ a && b ]]", "test"],
    ["echo a=~", "home"],
    ["echo 'a", "single"],
    ['echo "a', "double"],
  ])("ends at %j with the line %s of the grammar", (text, line) => {
    expect(readPlain(text)).toMatchObject({ line });
  });

  it("lets no backslash-newline inside of a word or an operator run unasked", () => {
    const property = fc.property(fc.constantFrom(...everyday), fc.nat(), (command, place) => {
      const at = place % (command.length + 1);
      const broken = `${command.slice(0, at)}\\\n${command.slice(at)}`;
      // Before a blank it is a blank, and in single quotes, comments and here-documents it is text.
      const isText = /'[^']*\\\n[^']*'|#.*\\\n|<</.test(broken);
      return isText || /^[ \t]/.test(command.slice(at)) || !runs(broken);
    });
    fc.assert(property, { numRuns: runsOf(1_500), seed: 3 });
  });

  it("lets no expansion run unasked, wherever it is put", () => {
    const expansion = fc.constantFrom(
      "$(id)",
      "`id`",
      "$((1))",
      "$[1]",
      "<(id)",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
      "${x:-y}",
      "$x",
      "$'a'",
      '$"a"',
      "{a,b}",
      "{a..b}",
    );
    const property = fc.property(
      fc.constantFrom(...everyday),
      fc.nat(),
      expansion,
      (command, place, text) => {
        const at = place % (command.length + 1);
        const broken = command.slice(0, at) + text + command.slice(at);
        const isText = /'|#|<</.test(command) || (/["\\]/.test(command) && /^[<{]|^\$['"]/.test(text));
        return isText || !runs(broken);
      },
    );
    fc.assert(property, { numRuns: runsOf(1_500), seed: 4 });
  });
});
