/** A file of rules: what is read of it, what is refused and where, and what an untrusted folder may say. */
import { describe, expect, it } from "vitest";
import { loadRulesFile } from "./rules-file.ts";

const user = { scope: "user", trusted: true, shell: "bash" } as const;

describe("a rules file", () => {
  it("reads comments, trailing commas, command rules and file rules", () => {
    const text = `{
      // mine
      "rules": [
        { "effect": "allow", "command": "npm test", "match": ["npm test -- -w"], "notMatch": ["npm test-evil"] },
        { "effect": "deny", "command": ["git", "push"] },
        { "effect": "allow", "files": "docs/**", "operations": ["write", "delete"] },
      ],
    }`;
    const loaded = loadRulesFile(text, user);
    expect(loaded.problems).toEqual([]);
    expect(loaded.rules.map((rule) => [rule.tokens, rule.effect])).toEqual([
      [["npm", "test"], "allow"],
      [["git", "push"], "deny"],
    ]);
    expect(loaded.files.map((rule) => rule.paths)).toEqual([["docs/**"]]);
  });

  it("refuses each bad rule with line, column and field, and keeps the others", () => {
    const text = [
      '{"rules": [',
      '  {"effect": "allow", "command": "npm test"},',
      '  {"effect": "allow", "command": "sudo ls"},',
      '  {"effect": "maybe", "command": "ls"},',
      '  {"effect": "allow", "command": "make", "extra": 1},',
      '  {"effect": "allow", "command": "cargo test", "match": ["cargo build"]},',
      '  {"effect": "allow", "command": "cargo run", "notMatch": ["cargo run x"]},',
      '  {"effect": "allow", "files": "../x"},',
      "  7",
      "]}",
    ].join("\n");
    const loaded = loadRulesFile(text, user);
    expect(loaded.rules.map((rule) => rule.text)).toEqual(["npm test"]);
    expect(loaded.problems.map(({ line, column, field }) => `${line}:${column} ${field}`)).toEqual([
      "3:34 rules[1].command",
      "4:14 rules[2].effect",
      "5:51 rules[3].extra",
      "6:58 rules[4].match[0]",
      "7:60 rules[5].notMatch[0]",
      "8:32 rules[6].files",
      "9:3 rules[7]",
    ]);
    expect(loaded.problems.every(({ message }) => message.length > 10)).toBe(true);
  });

  it("says where broken JSON breaks and uses none of it", () => {
    const loaded = loadRulesFile('{\n "rules": [\n  {"effect" "allow"}\n]}', user);
    expect(loaded).toMatchObject({ rules: [], files: [], problems: [{ line: 3, field: "(file)" }] });
  });

  it("can say that uncovered commands ask, and can say nothing else of them", () => {
    const asks = (text: string) => {
      const { uncoveredAsk, problems } = loadRulesFile(text, user);
      return [uncoveredAsk, problems.map(({ field }) => field)];
    };
    expect(asks('{"rules": []}')).toEqual([false, []]);
    expect(asks("")).toEqual([false, []]);
    expect(asks('{"uncovered": "ask", "rules": []}')).toEqual([true, []]);
    for (const value of ['"confined"', "false", "null", "{}"])
      expect(asks(`{"uncovered": ${value}, "rules": []}`)).toEqual([true, ["uncovered"]]);
    expect(asks('{"rules": [')).toEqual([true, ["(file)"]]);
    expect(asks('{"uncovered": "ask"}')).toEqual([true, ["rules"]]);
  });

  it("takes from an untrusted workspace only what tightens", () => {
    const text =
      '{"rules": [{"effect": "allow", "command": "npm test"}, {"effect": "deny", "command": "make"}, {"effect": "allow", "files": "**"}]}';
    const loaded = loadRulesFile(text, { scope: "workspace", trusted: false, shell: "bash" });
    expect(loaded.rules.map((rule) => rule.text)).toEqual(["make"]);
    expect(loaded.files).toEqual([]);
    expect(loaded.problems.map(({ field }) => field)).toEqual(["rules[0].effect", "rules[2].effect"]);
  });

  it("narrows a rule from before there were exact ones when it names a whole command, and leaves the others", () => {
    const commands = ["rm x", "touch a b", "curl https://example.com", "touch", "npm test", "make"];
    const text = JSON.stringify({ rules: commands.map((command) => ({ effect: "allow", command })) });
    expect(loadRulesFile(text, user).rules.map((rule) => [rule.text, rule.exact ?? false])).toEqual([
      ["rm x", true],
      ["touch a b", true],
      ["curl https://example.com", true],
      ["touch", false],
      ["npm test", false],
      ["make", false],
    ]);
  });

  it("takes a person's word for a prefix, but not for curl, and holds examples against the extent", () => {
    const rules = [
      { effect: "allow", command: "touch a", exact: false },
      { effect: "allow", command: "curl https://example.com", exact: false },
      { effect: "allow", command: "npm test", exact: true, notMatch: ["npm test -- -w"] },
      { effect: "allow", command: "npm run x", exact: true, match: ["npm run x y"] },
    ];
    const loaded = loadRulesFile(JSON.stringify({ rules }), user);
    expect(loaded.rules.map((rule) => rule.exact ?? false)).toEqual([false, true, true]);
    expect(loaded.problems.map(({ field }) => field)).toEqual(["rules[3].match[0]"]);
  });

  it("refuses two rules with one id", () => {
    const loaded = loadRulesFile(
      '{"rules": [{"id": "a", "effect": "ask", "command": "make"}, {"id": "a", "effect": "ask", "command": "npm"}]}',
      user,
    );
    expect(loaded.problems).toMatchObject([{ field: "rules[1].id" }]);
  });

  it.each(["", "[]", "null", "7", '{"rules": 3}', '{"version": 2, "rules": []}'])(
    "never throws on %s",
    (text) => {
      expect(loadRulesFile(text, user).rules).toEqual([]);
    },
  );
});
