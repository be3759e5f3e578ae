/** Each trap of a hostile repository: it stands on the card before anything starts, or it is passed over by how the program is started. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readFolderSettings } from "./folder-settings.ts";
import { wayToGovern } from "./governing.ts";
import { folderTraps, setTrap } from "./testing/folder-traps.ts";

const traps = Object.entries(folderTraps((name) => ["touch", `/tmp/${name}`]));
/** What is not shown of a program that is governed, since it is started so that it does not read it. */
const passedOver: Readonly<Record<string, readonly string[]>> = {
  "claude-agent-acp": [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"],
  opencode: ["opencode.json"],
};
const wordsOf = (program: string) => (program === "opencode" ? ["acp"] : []);

function repository(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-trap-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, ".git"));
  return folder;
}

const cases = traps.flatMap(([name, trap]) =>
  [...trap.obeyedBy, "any-other"].map((program) => [name, program, trap] as const),
);

it.each(cases)(
  "%s: before %s starts, all of it is shown, and a yes is for nothing else",
  (_name, program, trap) => {
    const folder = repository();
    const inner = join(folder, "a");
    mkdirSync(inner);
    const command = `/usr/bin/${program}`;
    const args = wordsOf(program);
    setTrap(folder, trap);
    for (const isGoverned of [false, true]) {
      const isPassedOver = isGoverned && (passedOver[program] ?? []).includes(trap.file);
      for (const at of [folder, inner]) {
        const found = readFolderSettings(at, { command, args }, isGoverned, "/home/ada");
        if (isPassedOver) expect(found, at).toBeUndefined();
        // Of a file that is named like one of secrets the name is shown, and that it says something else.
        else if (trap.file === ".env") expect(found?.files[0]?.text).toContain("hold secrets");
        else expect(found?.files.map(({ text }) => text)).toEqual([trap.text]);
        if (found === undefined) continue;
        setTrap(folder, { ...trap, text: `${trap.text} ` });
        expect(readFolderSettings(at, { command, args }, isGoverned, "/home/ada")?.digest).not.toBe(
          found.digest,
        );
        setTrap(folder, trap);
      }
    }
  },
);

it("what is passed over is switched off where the program is started", () => {
  const tools = { command: "/bin/sh", args: [] };
  const claude = wayToGovern({ command: "claude-agent-acp", args: [] })!(tools);
  expect(claude.meta).toMatchObject({ claudeCode: { options: { settingSources: [], tools: [] } } });
  const openCode = wayToGovern({ command: "opencode", args: ["acp"] })!(tools).environment;
  expect(openCode.OPENCODE_DISABLE_PROJECT_CONFIG).toBe("1");
  expect(JSON.parse(openCode.OPENCODE_PERMISSION!)).toEqual({ "*": "deny", "countersign_*": "allow" });
});
