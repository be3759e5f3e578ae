/** What becomes of each entry of other programs' rules; the reasons are part of the answer. */
import { describe, expect, it } from "vitest";
import type { RuleFormat } from "../../../shared/contract/rule-exchange.ts";
import { adoptEntries } from "./adopt-entries.ts";
import { readForeignRules } from "./read-foreign.ts";

/** Each entry in short: what it was, its outcome, and what it became. */
function become(format: RuleFormat, text: string): string[] {
  const read = readForeignRules(format, text);
  if ("problem" in read) return [read.problem];
  return adoptEntries(read.entries).map(({ entry, outcome, rules }) => {
    const short = rules.map((rule) =>
      "tokens" in rule
        ? `${rule.effect} ${rule.tokens.join(" ")}${rule.partial ? "*" : ""}${rule.exact ? " (exact)" : ""}`
        : `${rule.effect} ${rule.operations.join("+")} ${rule.files.join(" ")}`,
    );
    return [entry, outcome, ...short].join(" | ");
  });
}

const claude = (permissions: object) => become("claude-code", JSON.stringify({ permissions }));
const vscode = (list: object) =>
  become("vscode", JSON.stringify({ "chat.tools.terminal.autoApprove": list }));

describe("Claude Code's permissions", () => {
  it("are taken as beginnings or whole commands, and refused where a rule would be too wide", () => {
    const allow = [
      "Bash(npm test)",
      "Bash(npm run lint:*)",
      "Bash(make build *)",
      "Bash(npm:*)",
      "Bash(python3:*)",
      "Bash",
    ];
    expect(claude({ allow })).toEqual([
      "Bash(npm test) | taken | allow npm test (exact)",
      "Bash(npm run lint:*) | taken | allow npm run lint",
      "Bash(make build *) | taken | allow make build",
      "Bash(npm:*) | refused",
      "Bash(python3:*) | refused",
      "Bash | refused",
    ]);
  });

  it("are narrowed to whole words, and refused where the pattern stands in the middle", () => {
    const allow = [
      "Bash(npm run test*)",
      "Bash(git * main)",
      "Bash(curl https://a.example/x:*)",
      "Bash(npm test && ls)",
    ];
    expect(claude({ allow })).toEqual([
      "Bash(npm run test*) | narrowed | allow npm run test",
      "Bash(git * main) | refused",
      "Bash(curl https://a.example/x:*) | narrowed | allow curl https://a.example/x (exact)",
      "Bash(npm test && ls) | refused",
    ]);
  });

  it("that stop something are held at least as widely, and take from what is allowed what they would stop", () => {
    const deny = ["Bash(npm run deploy-*)", "Bash(/usr/bin/make clean)", "Bash(timeout:*)"];
    const allow = ["Bash(npm run deploy-dry)", "Bash(npm run test:*)", "Bash(make:*)"];
    expect(claude({ allow, deny, ask: ["Bash(git push * main)"] })).toEqual([
      "Bash(npm run deploy-dry) | refused",
      "Bash(npm run test:*) | taken | allow npm run test",
      "Bash(make:*) | taken | allow make",
      "Bash(npm run deploy-*) | taken | deny npm run deploy-*",
      "Bash(/usr/bin/make clean) | narrowed | deny make clean (exact)",
      "Bash(timeout:*) | refused",
      "Bash(git push * main) | narrowed | ask git push",
    ]);
  });

  it("that may stop any command leave nothing to be allowed", () => {
    expect(claude({ allow: ["Bash(npm test)"], deny: ["Bash(*--force*)"] })).toEqual([
      "Bash(npm test) | refused",
      "Bash(*--force*) | refused",
    ]);
  });

  it("about files hold for the file tools; other tools are refused", () => {
    const deny = ["Read(./.env)", "Edit(//etc/hosts)", "WebFetch(domain:a.example)"];
    expect(claude({ allow: ["Edit(docs/**)", "mcp__github"], deny, defaultMode: "acceptEdits" })).toEqual([
      "Edit(docs/**) | narrowed | allow write docs/**",
      "mcp__github | refused",
      "Read(./.env) | narrowed | deny read .env .env/** **/.env **/.env/**",
      "Edit(//etc/hosts) | refused",
      "WebFetch(domain:a.example) | refused",
      "defaultMode | refused",
    ]);
  });
});

describe("Codex's rules", () => {
  it("are taken with each of their alternatives, what cannot be allowed here left out", () => {
    const text = `# mine
prefix_rule(pattern=["npm", ["test", "ci"]], decision="allow", match=["npm test -- a"], not_match=[["npm", "x"]])
prefix_rule(pattern=[["make", "python"], "x"],); prefix_rule(pattern = ["cargo"], decision = 'forbidden')
prefix_rule(pattern=["cargo", "test"])
`;
    expect(become("codex", text).map((line) => line.replace(/^.*?\) \| /s, ""))).toEqual([
      "taken | allow npm test | allow npm ci",
      "narrowed | allow make x",
      "taken | deny cargo",
      "refused",
    ]);
  });

  it.each([
    ['for x in ["a"]:\n  prefix_rule(pattern=["cargo", x], decision="forbidden")', "a loop"],
    ['prefix_rule(pattern=["a" + "b"], decision="forbidden")', "a sum"],
    ['prefix_rule(pattern=["make"]) if True else None', "an expression"],
    ['prefix_rule(pattern=["make"], decision="maybe")', "another decision"],
    ['prefix_rule(pattern=["make"], match=["npm test"])', "an example that does not match"],
    ['prefix_rule(pattern=["make"], pattern=["npm"])', "an argument given twice"],
    ['load("x.star", "y")', "a call that is not known"],
    ["prefix_rule(pattern=[", "an end in the middle"],
  ])("that cannot be read in full leave nothing to be allowed: %s", (line) => {
    const [first] = become("codex", `prefix_rule(pattern=["npm", "test"])\n${line}\n`);
    expect(first).toMatch(/ \| refused$/);
  });

  it("about addresses and paths of programs are refused without harm to the others", () => {
    const text = `network_rule(host="a.example", protocol="https", decision="deny")
host_executable(name="git", paths=["/usr/bin/git"])
prefix_rule(pattern=["npm", "test"])`;
    expect(become("codex", text).map((line) => line.split(" | ")[1])).toEqual([
      "refused",
      "refused",
      "taken",
    ]);
  });
});

describe("VS Code's approvals", () => {
  it("are narrowed to whole words", () => {
    const list = {
      "npm test": true,
      "/^npm run build$/": true,
      "/^make( |$)/": { approve: true },
      "/^make .*$/": true,
    };
    expect(vscode(list)).toEqual([
      "npm test | narrowed | allow npm test",
      "/^npm run build$/ | taken | allow npm run build (exact)",
      "/^make( |$)/ | taken | allow make",
      "/^make .*$/ | refused",
    ]);
  });

  it("about whole lines are refused, since rules here hold for parts", () => {
    expect(vscode({ "/^npm test$/": { approve: true, matchCommandLine: true } })).toEqual([
      "/^npm test$/ | refused",
    ]);
  });

  it("that ask keep from being allowed what they ask about within a word", () => {
    const list = {
      "npm run": true,
      "npm run dep-x": true,
      "npm run dep": false,
      "npm run lint": true,
      mine: null,
    };
    expect(vscode(list)).toEqual([
      "npm run | narrowed | allow npm run",
      "npm run dep-x | refused",
      "npm run dep | taken | ask npm run dep*",
      "npm run lint | narrowed | allow npm run lint",
      "mine | refused",
    ]);
  });

  it.each([
    ["/^git push\\s/", "asks about all that begins with its first whole word"],
    ["/^git (push|pull)\\b/", "asks about all that begins with its first whole word"],
  ])("with a pattern: %s %s", (key) => {
    expect(vscode({ "npm test": true, [key]: false })).toEqual([
      "npm test | narrowed | allow npm test",
      `${key} | narrowed | ask git`,
    ]);
  });

  it.each(["/rm -rf/", "/^rm|^npm/", "/^r?m x/", "/^NPM/i", "(npm)", "/^npm t/g"])(
    "with a pattern that may be about anything leave nothing to be allowed: %s",
    (key) => {
      expect(vscode({ "npm test": true, [key]: false })).toEqual(["npm test | refused", `${key} | refused`]);
    },
  );
});

describe("a hostile file", () => {
  it.each<[string, RuleFormat, string, RegExp]>([
    ["too large", "codex", "#".repeat(262_145), /larger than 256 KB/],
    ["too large in bytes", "codex", `#${"é".repeat(131_072)}`, /larger than 256 KB/],
    ["too deep", "claude-code", "[".repeat(200_000), /too deeply/],
    ["too deep among names", "vscode", '{"a":'.repeat(40_000), /too deeply/],
    ["no JSON", "claude-code", "{", /no valid JSON/],
    ["no object", "vscode", "[]", /no valid JSON object/],
    ["a name twice", "claude-code", '{"permissions":{"allow":[]},"permissions":{}}', /twice/],
    ["a command twice", "vscode", '{"chat.tools.terminal.autoApprove":{"a":true,"a":null}}', /twice/],
    [
      "nothing of that kind",
      "claude-code",
      '{"__proto__":{"permissions":{"allow":["Bash(make)"]}}}',
      /no "permissions"/,
    ],
    [
      "too many entries",
      "claude-code",
      JSON.stringify({ permissions: { allow: Array(501).fill("Bash(make)") } }),
      /more than 500/,
    ],
    [
      "too many rules",
      "codex",
      'prefix_rule(pattern=["a",["b","c"],["d","e"],["f","g"],["h","i"]])\n'.repeat(40),
      /too many rules/,
    ],
  ])("is refused as a whole: %s", (_what, format, text, reason) => {
    expect(become(format, text)).toEqual([expect.stringMatching(reason)]);
  });

  it("is read up to where it nests too deeply, and allows nothing then", () => {
    const text = `prefix_rule(pattern=["npm", "test"])\nprefix_rule(pattern=${"[".repeat(100_000)}`;
    expect(become("codex", text)).toEqual([expect.stringMatching(/refused$/), "from line 2 on | refused"]);
  });

  it("names nothing that objects have by themselves", () => {
    expect(vscode(JSON.parse('{"__proto__": true, "constructor": true}'))).toHaveLength(2);
    expect(become("codex", 'prefix_rule(pattern=["make"], decision="constructor")')[0]).toMatch(/refused$/);
  });
});
