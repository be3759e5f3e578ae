/** Seatbelt: on a Mac the real one; elsewhere a stand-in that reads its profiles strictly and holds what it starts by bubblewrap. */

import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ConfinedWidth } from "../../shared/width.ts";
import { openShellFixture } from "../shell/testing/open-shell.ts";
import { attacks, attacksFor } from "./attacks.ts";
import { nothingMore } from "./hidden-places.ts";
import { probeSandbox } from "./probe.ts";
import { makeSeatbelt, makeStandIn, missing } from "./testing/real-sandbox.ts";

const isMac = process.platform === "darwin";
const why = isMac ? undefined : missing;
const program = () => (isMac ? "/usr/bin/sandbox-exec" : makeSeatbelt());

/** Runs what the words behind its options say, with nothing around it. */
const runsPlain = `while [[ "$1" == -* ]]; do shift 2; done; exec "$@"`;

function openConfined(sandboxExec: string) {
  const home = realpathSync(mkdtempSync("/var/tmp/countersign-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, ".ssh"));
  writeFileSync(join(home, ".ssh/id"), "PRIVATE\n");
  const ready = async () => ({ usable: true as const, program: sandboxExec, tries: 1 });
  const dataDir = join(home, "data");
  mkdirSync(dataDir);
  // The logs lie among the records, as in the app.
  const fixture = openShellFixture({
    sandbox: { ready, home, dataDir, hidden: () => nothingMore },
    logDir: join(dataDir, "logs"),
  });
  const run = async (command: string, width: ConfinedWidth) => (await fixture.start(command, { width })).done;
  return { ...fixture, home, run };
}

describe.skipIf(why !== undefined)("a sandbox of macOS", () => {
  it("lets nothing of what it was attacked with through, at any width", async () => {
    const found = { program: program() };
    const tries = attacksFor(attacks, "darwin").length;
    expect(await probeSandbox(found)).toEqual({ usable: true, ...found, tries });
  });

  it("writes where its width says, with a folder for temporary files that is gone after it", async () => {
    const { run, dir, home } = openConfined(program());
    const outside = `${home}/evil`;
    const write = `echo x > made; echo x > ${outside}; echo x > "$TMPDIR/a" && echo own; cat ${home}/.ssh/id; exit 7`;
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("countersign-own-"));
    const reading = await run(write, "read-only");
    expect([reading.exitCode, reading.output]).toEqual([7, expect.stringMatching(/\nown\n/)]);
    expect(readdirSync(dir)).toEqual([]);
    const writing = await run(write, "workspace");
    expect(writing.output).not.toContain("PRIVATE");
    expect([readdirSync(dir), readdirSync(home)]).toEqual([["made"], [".ssh", "data"]]);
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith("countersign-own-"));
    expect(after).toEqual(before);
  });

  it("moves aside what steers agents and was not there before", async () => {
    const { run, dir } = openConfined(program());
    const { setAside } = await run("echo obey > AGENTS.md", "workspace");
    expect([setAside, readdirSync(dir)]).toEqual([["AGENTS.md.made-confined"], ["AGENTS.md.made-confined"]]);
  });
});

describe("a sandbox-exec that is not what it should be", () => {
  it.each([
    ["holds nothing", runsPlain, /gets out of it/],
    ["refuses the profile", "echo 'sandbox-exec: unbound variable' >&2; exit 65", /could not be put up/],
    ["runs nothing", "exit 0", /could not be put up/],
  ])("and %s is not relied on", async (_, script, reason) => {
    const stub = makeStandIn(script, "sandbox-exec");
    expect(await probeSandbox({ program: stub })).toEqual({
      usable: false,
      why: expect.stringMatching(reason),
    });
  });

  it.each([
    ["holds nothing any more", runsPlain, "its profile does not hold"],
    ["refuses", "echo no >&2; exit 65", "no"],
    ["ends well and runs nothing", "exit 0", "it said nothing"],
  ])("and %s when a command comes starts nothing of it", async (_, script, reason) => {
    const { run, dir } = openConfined(makeStandIn(script, "sandbox-exec"));
    const { notConfined } = await run("echo x > made", "workspace");
    expect(notConfined).toBe(`The command was not started: it could not be confined (${reason}).`);
    expect(readdirSync(dir)).toEqual([]);
  });
});
