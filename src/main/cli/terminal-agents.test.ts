/** Our hook in the settings of agents: real files in a home of their own; the agents themselves are not started. */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hookCommand } from "../agents/terminal/hook-script.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { withHook, withoutHook } from "./agent-hooks.ts";
import { runTerminalAgents } from "./terminal-agents.ts";
import { Sink } from "./testing/sink.ts";

const data = "/home/ada's data/countersign";

describe("the hook in an agent's settings", () => {
  const command = (line: string) => ({ type: "command", command: line });
  const foreign = fc.array(
    fc.record({
      matcher: fc.constantFrom("*", "Bash"),
      hooks: fc.array(
        fc.constantFrom(command("./mine.sh"), command("test -r 'x' && exec sh 'x' codex; exit 0")),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  );
  const settings = fc.record(
    {
      model: fc.string(),
      permissions: fc.constant({ allow: ["Bash(ls:*)"], deny: [] }),
      hooks: fc.dictionary(fc.constantFrom("PermissionRequest", "PostToolUse", "Stop"), foreign, {
        minKeys: 1,
      }),
    },
    { requiredKeys: [] },
  );
  const agent = fc.constantFrom("claude-code" as const, "codex" as const);
  const written = fc
    .tuple(settings, fc.constantFrom(2, 4, "\t"), fc.boolean())
    .map(([value, indent, isWindows]) => {
      const text = `${JSON.stringify(value, null, indent)}\n`;
      return isWindows ? text.replaceAll("\n", "\r\n") : text;
    });

  it("stands there once, and goes without a trace, whatever else the file says", () => {
    fc.assert(
      fc.property(written, agent, (text, name) => {
        const there = withHook(text, name, data);
        expect(withHook(there, name, data)).toBe(there);
        expect(withHook(withHook(text, name, "/elsewhere"), name, data)).toBe(there);
        const groups = JSON.parse(there).hooks.PermissionRequest;
        expect(groups.at(-1).hooks).toEqual([
          { ...command(hookCommand(data, name)), timeout: expect.any(Number) },
        ]);
        expect(groups.slice(0, -1)).toEqual(JSON.parse(text).hooks?.PermissionRequest ?? []);
        const { hooks: _, ...rest } = JSON.parse(there);
        const { hooks: __, ...restBefore } = JSON.parse(text);
        expect(rest).toEqual(restBefore);
        expect(JSON.parse(withoutHook(there))).toEqual(JSON.parse(text));
        expect(withoutHook(text)).toBe(text);
      }),
      { numRuns: runsOf(60) },
    );
  });

  it("leaves every line of a file as it was, comments too, and takes back each byte", () => {
    const text =
      '{\n    // mine\n    "model": "x",   "list": [1,2,\n 3],\n    "hooks": {\n        "Stop": []\n    }\n}';
    const there = withHook(text, "codex", data);
    for (const line of text.split("\n").filter((each) => !each.includes("]"))) expect(there).toContain(line);
    expect(withoutHook(there)).toBe(text);
  });

  it("leaves a hook of the person's beside ours in one group", () => {
    const ours = { ...command(hookCommand(data, "codex")), timeout: 5 };
    const group = { matcher: "Bash", hooks: [command("a"), ours, command("b")] };
    const text = JSON.stringify({ hooks: { PermissionRequest: [group] } });
    const left = { hooks: { PermissionRequest: [{ matcher: "Bash", hooks: [command("a"), command("b")] }] } };
    expect(JSON.parse(withoutHook(text))).toEqual(left);
  });

  it.each([
    "",
    "[]",
    "{",
    '{"hooks":[]}',
    '{"hooks":{"Stop":{}}}',
    '{"hooks":{},"hooks":{}}',
    `${"[".repeat(99)}`,
  ])("is not written where nobody knows what the file says: %s", (text) =>
    expect(() => withHook(text, "claude-code", data)).toThrow(),
  );
});

describe("terminal-agents", () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "countersign-home-"));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  function type(words: string, env = {}, platform: NodeJS.Platform = "linux") {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const code = runTerminalAgents(
      [...words.split(" "), "--data-dir", data],
      { stdout, stderr },
      { home, env, platform },
    );
    return { code, out: stdout.text, err: stderr.text };
  }

  it("shows what it would write, writes it when told to, and takes it out again", () => {
    const file = join(home, ".claude", "settings.json");
    const shown = type("install claude");
    expect(shown.out).toMatch(/^\+.*terminal-hook' claude-code; exit 0/m);
    expect(shown.out).toContain("Nothing was written.");
    expect(statSync(join(home, ".claude"), { throwIfNoEntry: false })).toBeUndefined();
    expect(type("install claude --yes").out).toContain("Written to");
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")).hooks)).toContain("PermissionRequest");
    expect(type("install claude --yes").out).toContain("already");
    expect(type("uninstall claude --yes").code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({});
    expect(type("uninstall claude").out).toBe("There is none of ours.\n");
  });

  it("writes nothing on Windows, where the hook could ask nobody", () => {
    expect(type("install codex --yes", {}, "win32")).toMatchObject({ code: 1, out: "" });
    expect(existsSync(join(home, ".codex"))).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "goes where the agent looks, through a link, and keeps who may read the file",
    () => {
      const [real, elsewhere] = [join(home, "dotfiles.json"), join(home, "codex")];
      writeFileSync(real, "{}", { mode: 0o644 });
      mkdirSync(elsewhere);
      symlinkSync(real, join(elsewhere, "hooks.json"));
      expect(type("install codex --yes", { CODEX_HOME: elsewhere }).out).toContain("trust the hook");
      expect(readFileSync(join(elsewhere, "hooks.json"), "utf8")).toBe(readFileSync(real, "utf8"));
      expect([readFileSync(real, "utf8").includes("codex; exit 0"), statSync(real).mode & 0o777]).toEqual([
        true,
        0o644,
      ]);
    },
  );

  it.skipIf(process.platform === "win32")("writes through no link that lies beside the settings", () => {
    const [file, mine] = [join(home, ".codex", "hooks.json"), join(home, "mine.txt")];
    mkdirSync(dirname(file));
    writeFileSync(file, "{}", { mode: 0o600 });
    writeFileSync(mine, "mine", { mode: 0o644 });
    symlinkSync(mine, `${file}.next`);
    expect(type("install codex --yes").code).toBe(0);
    expect([readFileSync(mine, "utf8"), lstatSync(file).isFile(), statSync(file).mode & 0o777]).toEqual([
      "mine",
      true,
      0o600,
    ]);
  });

  it("writes nothing over settings that it cannot read, and says so", () => {
    const file = join(home, ".codex", "hooks.json");
    mkdirSync(dirname(file));
    for (const content of [Buffer.from("{"), Buffer.from([0x7b, 0xff, 0x7d])]) {
      writeFileSync(file, content);
      const { code, err } = type("install codex --yes");
      expect([code, err]).toEqual([1, expect.stringMatching(/Nothing was written\.\n$/)]);
      expect(readFileSync(file)).toEqual(content);
    }
  });

  it.each(["install", "install gemini", "install toString", "remove claude", "install claude codex"])(
    "says how it is used after “%s”",
    (words) =>
      expect(type(words)).toMatchObject({ code: 2, out: "", err: expect.stringContaining("Usage:") }),
  );
});
