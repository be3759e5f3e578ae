/** An ordinary day for real: what coding agents run, in a trusted folder without one rule, confined, and what of it still asks. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isLongRun } from "../../src/main/base/testing/long-run.ts";
import { makeFolders, openHost, removeFolders } from "../../src/main/host/testing/host-fixture.ts";
import { missing, program } from "../../src/main/sandbox/testing/real-sandbox.ts";
import { hangGuardMs } from "../../src/shared/testing/hang-guard.ts";
import { readEverydayCommands } from "./read-corpora.ts";

const mostAsks = 12;
/** Those that the policy lets no sandbox bound: `bounded-commands.test.ts`. */
const asks = 8;

/** Of each program the first, and all that ask; the long run has all 61. */
function commandsToRun(): readonly string[] {
  const { commands } = readEverydayCommands();
  const programOf = (command: string) => command.split(" ", 1)[0];
  const asking = /^(?:p?npm (?:install|ci|outdated)|docker|git (?:checkout|stash)|for )/;
  return commands.filter(
    (command, at) =>
      isLongRun ||
      asking.test(command) ||
      commands.findIndex((each) => programOf(each) === programOf(command)) === at,
  );
}

const files: Record<string, string> = {
  "package.json": JSON.stringify({
    scripts: { test: "node src/test.mjs", build: "node scripts/build.mjs", lint: "true", dev: "true" },
  }),
  "README.md": "# One\n",
  "report.csv": "a,1\nb,2\n",
  "notes.txt": "note\n",
  "build.log": "built\n",
  "src/parse.ts": "export const parse = (text: string): string => text; // TODO\n",
  "src/test.mjs": "console.log('ok');\n",
  "dist/index.js": "console.log('built');\n",
  "scripts/build.mjs": "import { writeFileSync } from 'node:fs';\nwriteFileSync('dist/made.js', '');\n",
  "scripts/build.sh": "echo built > dist/sh\n",
  "scripts/report.py": "print('report')\n",
  "run.sh": "#!/bin/bash\necho ran\n",
  Makefile: "all:\n\techo made\ntest:\n\techo tested\n",
  "node_modules/.bin/tsc": "#!/bin/sh\n",
  "node_modules/.bin/vitest": "#!/bin/sh\n",
  "node_modules/.bin/eslint": "#!/bin/sh\n",
};

describe.skipIf(missing !== undefined)("an ordinary day of commands, confined and without one rule", () => {
  it("asks at most twelve times, and what it does not ask about really runs confined", async () => {
    const folders = await makeFolders();
    const { workspace } = folders;
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, name)), { recursive: true });
      writeFileSync(join(workspace, name), text);
    }
    for (const name of ["run.sh", ...["tsc", "vitest", "eslint"].map((each) => `node_modules/.bin/${each}`)])
      chmodSync(join(workspace, name), 0o755);
    execFileSync("git", ["init", "-q"], { cwd: workspace });
    const running = await openHost(folders, {
      sandbox: { mode: "auto", parts: { probe: async () => ({ usable: true, program, tries: 1 }) } },
    });
    onTestFinished(async () => {
      await running.close();
      await removeFolders(folders);
    });
    const { console } = running;
    await console.trust(workspace);
    await console.client.call("rules.previewConfined", {});
    await console.client.call("settings.update", { uncoveredCommands: "confined" });
    const commands = commandsToRun();
    const half = Math.ceil(commands.length / 2);
    const threads = await Promise.all(
      [commands.slice(0, half), commands.slice(half)].map((each) =>
        console.start(each.map((command) => `run ${command}`).join("\n")),
      ),
    );
    const calls = async () => (await Promise.all(threads.map((id) => console.toolCalls(id)))).flat();
    const ended = async () => (await calls()).filter(({ state }) => state === "finished");
    await expect
      .poll(async () => (await ended()).length + console.pending().length, {
        timeout: hangGuardMs,
        interval: 500,
      })
      .toBe(commands.length);
    const asked = console.pending().map(({ subject }) => ("command" in subject ? subject.command : ""));
    globalThis.console.log(`${asked.length} of ${commands.length} ask: ${asked.join(", ")}`);
    expect(asked.length).toBeLessThanOrEqual(mostAsks);
    expect(asked).toHaveLength(asks);
    const ran = (await ended()).filter(({ outcome }) => outcome === "ok");
    expect(ran.length).toBeGreaterThan(commands.length / 2);
    expect((await ended()).filter(({ width }) => width === undefined || width === "outside")).toEqual([]);
    for (const name of ["dist/made.js", "dist/sh", "docs/notes"])
      expect([name, existsSync(join(workspace, name))]).toEqual([name, true]);
    for (const id of threads) await console.stop(id);
  });
});
