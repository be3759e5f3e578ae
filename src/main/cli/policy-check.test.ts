import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPolicyCheck } from "./policy-check.ts";

let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), "policy-check-"));
  mkdirSync(join(workspace, "src"));
  symlinkSync("/etc", join(workspace, "link"));
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

async function run(argv: string[], input: string) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runPolicyCheck(argv, { stdin: Readable.from([input]), stdout, stderr });
  stdout.end();
  stderr.end();
  const lines = (await text(stdout)).split("\n").filter((line) => line !== "");
  return { code, lines: lines.map((line): unknown => JSON.parse(line)), errors: await text(stderr) };
}

describe("policy check", () => {
  it("prints nothing that hides or turns the rest in a terminal, and means the very command that was asked about", async () => {
    const hostile = "\u202e\u2066\u009b31m\u2028\u200b\u00a0\ufeff\u{e0041}\ufe0f\u001b]0;x\u0007";
    const command = `echo 中文${hostile}; rm -rf ${hostile}`;
    const stdout = new PassThrough();
    const argv = ["policy", "check", "--workspace", workspace, "--explain", "--stdin"];
    const stdin = Readable.from([`${JSON.stringify({ command })}\n`]);
    await runPolicyCheck(argv, { stdin, stdout, stderr: new PassThrough() });
    stdout.end();
    const printed = await text(stdout);
    expect(printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\u00a0]/u);
    expect(printed).toContain("中文");
    expect(JSON.parse(printed)).toMatchObject({ command, verdict: "ask" });
    const { errors } = await run([...argv, "--rule", `rm ${hostile}`], "");
    expect(errors).toContain("<U+202E>");
    expect(errors).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it("answers each command in order with its verdict and units", async () => {
    const input = ["ls", "npm test && rm x", "cat link/passwd", "rm -rf /"]
      .map((command) => JSON.stringify({ command }))
      .join("\n");
    const { code, lines } = await run(
      ["policy", "check", "--workspace", workspace, "--trusted", "--rule", "npm test", "--stdin"],
      input,
    );
    expect(code).toBe(0);
    expect(lines).toMatchObject([
      { command: "ls", verdict: "safe", units: [{ text: "ls", verdict: "safe" }] },
      {
        verdict: "new",
        units: [
          { text: "npm test", verdict: "covered" },
          { text: "rm x", verdict: "new" },
        ],
      },
      { verdict: "ask" },
      { verdict: "deny" },
    ]);
    expect(Object.keys((lines[0] as { units: object[] }).units[0]!)).toEqual(["text", "verdict", "reason"]);
  });

  it("says on request which line of the grammar, table entry or rule decided, and which class it has", async () => {
    const commands = ["git push", "npm test", "echo $x && ls", "ls"];
    const input = commands.map((command) => JSON.stringify({ command })).join("\n");
    const { lines } = await run(
      ["--workspace", workspace, "--trusted", "--rule", "npm test", "--explain", "--stdin"],
      input,
    );
    expect(lines).toMatchObject([
      { units: [{ class: "leaves", source: "outward:git push" }] },
      { units: [{ source: "rule:option:npm test" }] },
      { verdict: "ask" },
      { units: [{ source: "program:ls" }] },
    ]);
    expect(JSON.stringify((await run(["--workspace", workspace, "--stdin"], input)).lines)).not.toContain(
      "source",
    );
  });

  it("says on request how far each command would reach where it is confined", async () => {
    const commands = ["ls", "touch made", "git commit -m x", "npm ci", "git push", "rm -rf /"];
    const input = commands.map((command) => JSON.stringify({ command })).join("\n");
    const widthsOf = async (...options: string[]) => {
      const { lines } = await run(["--workspace", workspace, "--trusted", "--stdin", ...options], input);
      return lines.map((line) => (line as { width?: string }).width);
    };
    expect(await widthsOf("--explain")).toEqual([
      ...["read-only", "workspace", "workspace and git", "workspace; network", "outside"],
      undefined,
    ]);
    expect(await widthsOf()).toEqual(commands.map(() => undefined));
  });

  it("takes only a newline for the end of a line, whatever its strings hold", async () => {
    const command = "echo a\u2028b\u2029c\u0085d";
    const { code, lines } = await run(
      ["--workspace", workspace, "--stdin"],
      `${JSON.stringify({ command })}\r\n`,
    );
    expect(code).toBe(0);
    expect(lines).toMatchObject([{ command }]);
    expect(lines).toHaveLength(1);
  });

  it("names a malformed line, goes on with the others and ends with 2", async () => {
    const { code, lines } = await run(
      ["--workspace", workspace, "--stdin"],
      '{"command":"ls"}\nnot json\n{"cmd":1}\n{"command":"pwd"}\n',
    );
    expect(code).toBe(2);
    expect(lines).toMatchObject([{ verdict: "safe" }, { line: 2 }, { line: 3 }, { verdict: "safe" }]);
    expect(lines[1]).toHaveProperty("error");
  });

  it("refuses a rule for an asking class, keeps judging and ends with 2", async () => {
    const { code, lines, errors } = await run(
      ["--workspace", workspace, "--rule", "sudo", "--stdin"],
      '{"command":"sudo ls"}\n',
    );
    expect(code).toBe(2);
    expect(lines).toMatchObject([{ verdict: "ask" }]);
    expect(errors).toContain("sudo");
  });

  it("explains wrong usage", async () => {
    expect(await run(["--stdin"], "")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("--workspace"),
    });
    expect(await run(["--workspace", workspace], "")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("--stdin"),
    });
    const missing = await run(["--workspace", join(workspace, "none"), "--stdin"], "");
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining("there is no such folder")]);
    expect(missing.errors).not.toMatch(/ENOENT/);
    const file = await run(["--workspace", import.meta.filename, "--stdin"], "");
    expect([file.code, file.errors]).toEqual([2, expect.stringContaining("is a file")]);
    expect(await run(["--workspace", workspace, "--stdin", "more"], "")).toMatchObject({
      code: 2,
      errors: expect.stringContaining("more"),
    });
  });

  it("judges as the shell it is told, on any system, and never one shell's text as the other's", async () => {
    const commands = ["Get-ChildItem -Recurse -Name", "ls && ls", "type .env", "#requires -Modules .\\x\nls"];
    const input = commands.map((command) => JSON.stringify({ command })).join("\n");
    const verdictsIn = async (shell: string, ...rules: string[]) => {
      const given = rules.flatMap((rule) => ["--rule", rule]);
      const argv = ["--workspace", workspace, "--trusted", "--shell", shell, ...given, "--stdin"];
      const { code, lines, errors } = await run(argv, input);
      return { code, errors, verdicts: lines.map((line) => (line as { verdict: string }).verdict) };
    };
    expect((await verdictsIn("powershell")).verdicts).toEqual(["safe", "ask", "ask", "ask"]);
    expect((await verdictsIn("bash")).verdicts).toEqual(["new", "safe", "safe", "safe"]);
    expect((await verdictsIn("powershell", "Get-Content .env")).errors).toMatch(/secrets/);
    expect(await verdictsIn("zsh")).toMatchObject({ code: 2, errors: expect.stringContaining("--shell") });
  });
});
