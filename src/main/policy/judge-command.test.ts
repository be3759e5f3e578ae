import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { darwinStyle } from "../paths/posix-style.ts";
import { gitBashStyle } from "../paths/windows-style.ts";
import { judgeCommand } from "./judge-command.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";

const caseSchema = z.array(z.object({ command: z.string(), verdict: z.string() }));
const fixture = z.object({ cases: caseSchema }).parse(readJson("./shell-cases.json"));
const hardened = caseSchema.parse(readJson("./hardened-cases.json"));

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

function judge(command: string, part: Parameters<typeof makeContext>[0] = {}): string {
  return judgeCommand(command, makeContext(part)).verdict;
}

describe("the shell policy", () => {
  it.each([...fixture.cases, ...hardened])("judges $command as $verdict", ({ command, verdict }) => {
    const judged = judgeCommand(command, makeContext());
    const reasons = judged.units.map((unit) => `${unit.verdict} ${unit.text}: ${unit.reason}`).join("\n");
    expect(judged.verdict, reasons).toBe(verdict);
  });

  it("takes a worktree among the app's records for a workspace, and the rest of them for what nobody reaches", () => {
    const records = "/home/ada/.local/share/countersign";
    const workspace = `${records}/worktrees/1/app`;
    const look = { ...makeContext().look!, isThere: (path: string) => path === `${workspace}/.git` };
    const there = { workspace, cwd: workspace, look };
    for (const command of [
      `cat ${workspace}/a.ts`,
      `cat ~/.local/share/countersign/worktrees/1/app/a.ts`,
      "git status",
    ])
      expect([command, judge(command, there)]).toEqual([
        command,
        command === "git status" ? "covered" : "safe",
      ]);
    for (const command of [
      ...[`cat ${records}/keys.json`, "bash -c 'cat ~/.local/share/countersign/keys.json'"],
      ...[`rm ${records}/worktrees/2/app/a.ts`, `python3 -c "open('${records}/keys.json')"`],
      `python3 -c "open('${workspace}/a', '${records}/keys.json')"`,
    ])
      expect([command, judge(command, there)]).toEqual([command, judge(command)]);
    expect(judge(`python3 -c "open('${records}/keys.json')"`, there)).toBe("deny");
    expect(judge("cat ../../../keys.json", there)).toBe("ask");
  });

  it.each(["", "/exports", "/worktrees", "/worktrees/1", "/worktreesx/1/app"])(
    "keeps the app's records closed where its folder%s itself is the workspace",
    (below) => {
      const records = "/home/ada/.local/share/countersign";
      const workspace = `${records}${below}`;
      for (const command of [
        ...[`cat ${workspace}/keys.json`, `rm ${workspace}/keys.json`],
        `python3 -c "open('${workspace}/keys.json')"`,
      ])
        expect([command, judge(command, { workspace, cwd: workspace })]).toEqual([command, judge(command)]);
    },
  );

  it("gives every unit a reason, in source order, and names the rule that covered it", () => {
    const { units } = judgeCommand("ls && npm test; rm x", makeContext());
    expect(units.map((unit) => [unit.text, unit.verdict, unit.rule])).toEqual([
      ["ls", "safe", undefined],
      ["npm test", "covered", "npm test"],
      ["rm x", "new", undefined],
    ]);
    expect(units.every((unit) => unit.reason.length > 5)).toBe(true);
  });

  it("judges what is written to or read from a file alike whatever script its name is in, unless a letter cannot be seen", () => {
    const rules = [makeRule("echo"), makeRule("wc")];
    for (const name of [
      "说明.md",
      "読む人.txt",
      "읽기.md",
      "Прочти.txt",
      "μ.txt",
      "é.txt",
      "ملاحظات.md",
      "抠图.md",
      "à.md",
      "नमस्ते.md",
      "คู่มือ.md",
      "a说b.log",
    ])
      for (const [command, alike] of [
        [`echo x > ${name}`, "echo x > notes.md"],
        [`echo x >> "docs/${name}"`, "echo x >> docs/notes.md"],
        [`wc -l < ${name}`, "wc -l < notes.md"],
        [`echo x > .git/${name}`, "echo x > .git/notes.md"],
        [`echo x > ../${name}`, "echo x > ../notes.md"],
      ] as const)
        expect([command, judge(command, { rules })]).toEqual([command, judge(alike, { rules })]);
    for (const name of ["ملاحظات.md", "抠图.md", "à.md"])
      for (const style of [darwinStyle, gitBashStyle])
        expect(judge(`echo x > ${name}`, { rules, paths: style })).toBe("ask");
    for (const hidden of ["\u3164", "\u115f", "\uffa0", "\u17b4"])
      expect(judge(`echo x > a${hidden}.md`, { rules })).toBe("ask");
  });

  it("never calls git safe or covered in an untrusted workspace", () => {
    expect(judge("git status", { trusted: false })).toBe("new");
    expect(judge("git push --force", { trusted: false })).toBe("ask");
  });

  it("lets git run unasked only where the repository it finds is the workspace's own", () => {
    const look = (...there: string[]) => ({
      isThere: (path: string) => there.includes(path),
      entriesIn: () => [],
      namesIn: () => [],
      namesBelow: () => [],
      kindOf: () => undefined,
    });
    const own = "/home/ada/code/app/.git";
    const nested = "/home/ada/code/app/vendor/.git";
    expect(judge("git status", { rules: [], look: look(own) })).toBe("safe");
    expect(judge("cd vendor && git status", { rules: [], look: look(own) })).toBe("safe");
    expect(judge("cd vendor/a && git status", { rules: [], look: look(own, nested) })).toBe("new");
    expect(judge("git status", { cwd: "/home/ada/code/app/vendor", look: look(own, nested) })).toBe("new");
    // Plain files that are a repository to a git older than 2.38, wherever between here and the root they lie.
    const plain = look(own, "/home/ada/code/app/vendor/HEAD");
    for (const command of ["cd vendor && git status", "cd vendor/a; git diff", "(cd vendor/a && git log)"])
      expect(judge(command, { rules: [], look: plain })).toBe("new");
    expect(judge("cd src && git status", { rules: [], look: plain })).toBe("safe");
    expect(judge("git status", { rules: [], look: look(own, "/home/ada/code/app/HEAD") })).toBe("safe");
    expect(judge("git status", { look: look() })).toBe("new");
    expect(judge("git status", { look: undefined })).toBe("new");
  });

  it("asks for a file pattern in the place of an option where a name looks like one", () => {
    const look = (...names: string[]) => ({
      isThere: () => true,
      entriesIn: () => [],
      namesIn: () => names,
      namesBelow: () => names,
      kindOf: () => undefined,
    });
    expect(judge("du -s *", { look: look("a.ts", "b") })).toBe("safe");
    expect(judge("du -s *", { look: look("a.ts", "--files0-from=.env") })).toBe("ask");
    expect(judge("du -s *", { look: undefined })).toBe("ask");
    expect(judge("du -s -- *", { look: look("--files0-from=.env") })).toBe("safe");
  });

  it("drops the allowing rules of an untrusted workspace and keeps its stricter ones and the person's own", () => {
    const rules = [
      makeRule("npm test", { scope: "workspace" }),
      makeRule("make", { scope: "workspace", effect: "deny" }),
      makeRule("cargo test"),
    ];
    expect(judge("npm test", { trusted: false, rules })).toBe("new");
    expect(judge("npm test", { trusted: true, rules })).toBe("covered");
    expect(judge("make all", { trusted: false, rules })).toBe("deny");
    expect(judge("cargo test", { trusted: false, rules })).toBe("covered");
  });

  it("lets deny beat ask beat allow whatever the scope and however long the rule", () => {
    const allow = makeRule("npm run build", { id: "a", scope: "user" });
    const ask = makeRule("npm run", { id: "b", scope: "thread", effect: "ask" });
    const deny = makeRule("npm", { id: "c", scope: "workspace", effect: "deny" });
    expect(judge("npm run build", { rules: [allow] })).toBe("covered");
    expect(judge("npm run build", { rules: [allow, ask] })).toBe("ask");
    expect(judge("npm run build", { rules: [allow, ask, deny] })).toBe("deny");
  });

  it("matches whole words, so that a rule does not cover a longer name", () => {
    expect(judge("npm testing")).toBe("ask");
    expect(judge("'npm test'")).toBe("ask");
    expect(judge('npm "test" --watch')).toBe("covered");
  });

  it("never reads a text of one shell as that of the other, and denies in both what never runs", () => {
    expect(judge("[ -f a.ts ] && cat a.ts", { shell: "powershell" })).toBe("ask");
    expect(judge("Get-Content .env")).not.toBe("safe");
    expect(judge("Get-ChildItem -Recurse")).not.toBe("safe");
    expect(judge("rm -rf /", { shell: "powershell" })).toBe("deny");
  });

  it.each(["timeout 5", "nice", "env CI=1", "nohup", "stdbuf -o0", "setsid", "xargs"])(
    "asks when %s should start what only a shell can be, which changes nothing there",
    (wrapper) => {
      const builtins = [
        "cd src",
        "cd src && cat notes.txt",
        "pushd src",
        "export A=b",
        "set -e",
        "alias a=b",
      ];
      const verdicts = builtins.map(
        (builtin) => judgeCommand(`${wrapper} ${builtin}`, makeContext()).verdict,
      );
      expect(verdicts).toEqual(builtins.map(() => "ask"));
    },
  );

  it("asks beyond its limits without letting a denied part slip past them", () => {
    const many = Array.from({ length: 65 }, () => "ls").join("; ");
    expect(judge(many)).toBe("ask");
    expect(judge(`${many}; rm -rf /`)).toBe("deny");
    expect(judge(`ls ${"x".repeat(8200)}`)).toBe("ask");
    expect(judge(`ls ${"x".repeat(8200)}; rm -rf ~`)).toBe("deny");
    expect(judge(`ls ${"x".repeat(200_000)}; rm -rf ~`)).toBe("deny");
  });

  it("follows links that the resolver knows of", () => {
    const resolvePath = (path: string) =>
      path.endsWith("/loop") ? ("unresolvable" as const) : { real: path.replace("/app/link", "/elsewhere") };
    expect(judge("cat link", { resolvePath })).toBe("ask");
    expect(judge("npm test > link", { resolvePath })).toBe("ask");
    expect(judge("cat loop", { resolvePath })).toBe("ask");
    expect(judge("cat plain", { resolvePath })).toBe("safe");
  });

  it("does not read patterns through links in an untrusted folder", () => {
    expect(judge("cat src/*.ts")).toBe("safe");
    expect(judge("cat src/*.ts", { trusted: false })).toBe("ask");
  });
});
