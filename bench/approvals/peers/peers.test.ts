/** What the documents of other programs say of theirs holds for what was re-implemented of it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyPast, type Side } from "../side.ts";
import { type Call, commandCall } from "../trace.ts";
import { type BenchWorkspace, makeWorkspace } from "../workspace.ts";
import { claudeCode } from "./claude-code.ts";
import { deepAgentsCode } from "./deepagents-code.ts";
import { vsCode } from "./vscode.ts";

let place: BenchWorkspace;
beforeAll(() => {
  place = makeWorkspace();
});
afterAll(() => place.remove());

const write = (path: string): Call => ({ tool: "write_file", args: { file_path: path, content: "x" } });
const read = (path: string): Call => ({ tool: "read_file", args: { file_path: path } });
const server: Call = { tool: "mcp__docs__search", args: {}, reads: true };

/** Those of the calls that run unasked. */
async function running(side: Side, calls: readonly (string | Call)[]): Promise<(string | Call)[]> {
  const outcomes = await Promise.all(
    calls.map((call) => side.judge(typeof call === "string" ? commandCall(call) : call, emptyPast)),
  );
  return calls.filter((_, at) => outcomes[at]!.outcome === "runs");
}

describe("Claude Code", () => {
  const free = ["ls *.md", "wc -l src/*.ts", "git status", "cat README.md && pwd", "find . -name '*.ts'"];
  const asked = [
    "find *.ts",
    "cd docs && git log",
    "find . -delete",
    "sed -i s/a/b/ README.md",
    "ls > out.txt",
    "npm test",
    "git commit -m x",
    "cat $(ls)",
    "nohup ls; rm x",
  ];
  it("runs what only reads, and asks about edits, commands, pages and servers", async () => {
    const others = [write("src/a.ts"), server, { tool: "fetch_url", args: { url: "https://a.example" } }];
    const all = [...free, ...asked, ...others, read("src/a.ts"), read("/etc/passwd")];
    expect(await running(claudeCode(place, false), all)).toEqual([...free, read("src/a.ts")]);
  });

  it("accepting edits, runs those inside of the folder but not of protected files", async () => {
    const inside = ["ls > out.txt", "mkdir made", "rm notes.txt", write("src/a.ts"), write("AGENTS.md")];
    const outside = [
      "rm ../x",
      "touch ~/.bashrc",
      "echo x > .mcp.json",
      write(".vscode/tasks.json"),
      write("../x"),
      "npm test",
    ];
    expect(await running(claudeCode(place, true), [...inside, ...outside])).toEqual(inside);
  });
});

describe("VS Code", () => {
  it("runs its list, scripts of the folder, ordinary edits, and tools that say they only read", async () => {
    const free = [
      "ls && pwd",
      "find . -name x",
      "git log --oneline",
      "npm run build",
      "npm test",
      "npm ci",
      "sort a > b",
      write("src/a.ts"),
      server,
    ];
    const asked = [
      "ls && rm x",
      "find . -exec rm {} +",
      "rg --pre cat x",
      "npm run deploy",
      "npm install x",
      "curl https://a.example",
      "git branch -D x",
      "echo x > ../y",
      "printenv",
      write(".vscode/settings.json"),
      write("package.json"),
      write("../x"),
      { ...server, reads: undefined },
    ];
    expect(await running(vsCode(place), [...free, ...asked])).toEqual(free);
  });
});

describe("the Deep Agents CLI", () => {
  it("runs commands of its list that neither expand nor redirect and stay in the folder", async () => {
    const free = [
      "ls -la && pwd",
      "cat README.md | wc -l",
      "grep -rn 'a b' src",
      read("/etc/passwd"),
      server,
    ];
    const asked = [
      "ls > x",
      "cat /etc/passwd",
      "cat ../x",
      "cat ~/.bashrc",
      "echo hi",
      "ls $HOME",
      "ls & pwd",
      "ls 'x",
      "git status",
      write("src/a.ts"),
    ];
    expect(await running(deepAgentsCode(place), [...free, ...asked])).toEqual(free);
  });
});
