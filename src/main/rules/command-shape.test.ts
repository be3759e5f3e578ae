/** Only commands that one line tells in full, and that differ in nothing but what they act on, are decided together. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { posixStyle } from "../paths/posix-style.ts";
import type { PolicyContext } from "../policy/policy-context.ts";
import { originShape } from "../tools/kinds/web.ts";
import { commandShape } from "./judging-worker.ts";

const context: PolicyContext = {
  paths: posixStyle,
  workspace: "/work",
  cwd: "/work",
  home: "/home/ada",
  trusted: false,
  rules: [],
  resolvePath: (path) => ({ real: path }),
  protectedDirs: [],
  shell: "bash",
  tools: "gnu",
};
const shape = (command: string) => commandShape(command, context);

describe("commandShape", () => {
  it.each([
    ["touch note-1.txt", "touch note-2.txt"],
    ["npm test -- part-1", "npm test -- part-2"],
    ["npx eslint --fix src/a.ts", "npx eslint  --fix 'src/b.ts'"],
  ])("is one for %s and %s", (one, other) => {
    expect(shape(one)).not.toBe("");
    expect(shape(one)).toBe(shape(other));
  });

  it.each([
    ["npm test", "npm publish"],
    ["git push", "git push --force"],
    ["cat a", "cat b > c"],
    ["npm test", "CI=1 npm test"],
    ["echo a >> log", "echo a >> .bashrc"],
  ])("differs for %s and %s", (one, other) => {
    expect(shape(one)).not.toBe(shape(other));
  });

  it.each([
    "touch note-10.txt;npm publish",
    "touch a\nmake install",
    "touch a&make b",
    "touch a|tee b",
    "touch $(make b)",
    "(touch a)",
    "touch a &",
    "for a in 1 2; do touch $a; done",
    "touch 'a",
    "bash -c 'touch a'",
    "when=$(date) touch a",
    "touch a > >(tee b)",
    "bash a.sh",
    'touch "$name"',
    "touch {a,b}",
    "touch a\u00a0b",
    `touch ${"a".repeat(8_192)}`,
  ])("is nothing for %s, which so folds with nothing", (command) => {
    expect(shape(command)).toBe("");
  });

  it("is nothing where another shell would read it", () => {
    expect(commandShape("touch a", { ...context, shell: "powershell" })).toBe("");
  });

  it("never holds a command together with the same one that does something more", () => {
    const glue = fc.constantFrom(";", "&&", "||", "|", "&", "\n", " ;", "\n\n", ";\t", "|&");
    fc.assert(
      fc.property(glue, fc.constantFrom("npm publish", "make", "rm -r x"), (joint, more) => {
        expect(shape(`touch a${joint}${more}`)).toBe("");
      }),
      { numRuns: runsOf(200) },
    );
  });
});

describe("originShape", () => {
  it("is one for pages of one site, and differs in site, port and protocol", () => {
    expect(originShape("https://docs.example/a?b=1")).toBe(originShape("https://docs.example/c"));
    const others = [
      "https://docs.example/",
      "https://docs.example:8443/",
      "http://docs.example/",
      "https://x.docs.example/",
    ];
    expect(new Set(others.map(originShape)).size).toBe(others.length);
  });

  it.each(["", "docs", "file:///etc/passwd", "data:text/plain,a", "https://"])(
    "is nothing for %j",
    (address) => {
      expect(originShape(address)).toBe("");
    },
  );
});
