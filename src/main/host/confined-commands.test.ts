/** What only reads runs confined where that can be relied on; what was to be and cannot be never runs without a person (I8). */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Probe } from "../sandbox/probe.ts";
import type { SandboxMode } from "../sandbox/sandbox.ts";
import { makeStandIn, missing } from "../sandbox/testing/real-sandbox.ts";
import {
  type Folders,
  makeFolders,
  openHost,
  removeFolders,
  type TestConsole,
} from "./testing/host-fixture.ts";

type Opened = { folders: Folders; console: TestConsole; reopen(probe?: Probe): Promise<TestConsole> };

/** A host with one file in its folder. @param probed what its sandbox is taken for; without it what it is. */
async function open(mode: SandboxMode, probed?: Probe): Promise<Opened> {
  const folders = await makeFolders();
  writeFileSync(join(folders.workspace, "notes"), "one\n");
  const start = (known: Probe | undefined) =>
    openHost(folders, { sandbox: { mode, ...(known && { parts: { probe: async () => known } }) } });
  let running = await start(probed);
  onTestFinished(async () => {
    await running.close();
    await removeFolders(folders);
  });
  return {
    folders,
    console: running.console,
    async reopen(known = probed) {
      await running.close();
      running = await start(known);
      return running.console;
    },
  };
}

const none: Probe = { usable: false, why: "it is not installed" };

/** What the record and the conversation say of the commands that began. */
async function widthsOf(console: TestConsole, threadId: Parameters<TestConsole["ledger"]>[0] & string) {
  const lines = await console.ledger(threadId);
  const calls = await console.toolCalls(threadId);
  return [lines.map(({ by, width }) => [by.kind, width]), calls.map(({ width }) => width)];
}

describe.skipIf(missing !== undefined)("where commands can be confined", () => {
  it("what only reads is, unasked, and record, conversation and page say so", async () => {
    const { console } = await open("auto");
    const threadId = await console.start();
    await console.run(threadId, "run cat notes && ps -e | wc -l");
    expect(await widthsOf(console, threadId)).toEqual([[["policy", "read-only"]], ["read-only"]]);
    const [call] = await console.toolCalls(threadId);
    const [notes, processes] = (call?.result ?? "").split("\n");
    expect([notes, Number(processes) < 12]).toEqual(["one", true]);
    expect(await console.client.call("host.info", {})).toMatchObject({ sandbox: { state: "usable" } });
  });

  it("what is asked about says that it is not, and runs so", async () => {
    const { console, folders } = await open("auto");
    const threadId = await console.start("run echo new > made");
    const asked = await console.onePending(threadId);
    expect(asked.width).toBe("outside");
    await console.approve(asked);
    await console.untilRest(threadId);
    expect(existsSync(join(folders.workspace, "made"))).toBe(true);
    expect(await widthsOf(console, threadId)).toEqual([[["person", "outside"]], ["outside"]]);
  });

  it("nothing is where the person switched it off", async () => {
    const { console } = await open("off");
    const threadId = await console.start();
    await console.run(threadId, "run cat notes");
    expect(await widthsOf(console, threadId)).toEqual([[["policy", "outside"]], ["outside"]]);
  });
});

describe("where commands cannot be confined", () => {
  it("what only reads runs as before and says so", async () => {
    const { console } = await open("auto", none);
    const threadId = await console.start();
    await console.run(threadId, "run cat notes");
    expect(await widthsOf(console, threadId)).toEqual([[["policy", "outside"]], ["outside"]]);
    expect(await console.client.call("host.info", {})).toMatchObject({
      sandbox: { state: "unusable", why: "it is not installed" },
    });
  });

  it("nothing runs unasked for a person who wants all of it confined", async () => {
    const { console } = await open("require", none);
    const threadId = await console.start("run cat notes");
    const asked = await console.onePending(threadId);
    expect([asked.width, asked.verdict.verdict, asked.description]).toEqual([
      "outside",
      "safe",
      expect.stringContaining("cannot be confined: it is not installed"),
    ]);
    await console.approve(asked);
    await console.untilRest(threadId);
    expect(await widthsOf(console, threadId)).toEqual([[["person", "outside"]], ["outside"]]);
  });
});

describe.skipIf(process.platform !== "linux")("a sandbox that was relied on and fails", () => {
  it.each([
    ["fails", "echo 'bwrap: no namespaces' >&2; exit 1"],
    ["runs nothing and says that all went well", "exit 0"],
  ])("%s: nothing has run, and a person is asked, also after a restart", async (_, script) => {
    const broken: Probe = { usable: true, program: makeStandIn(script), tries: 1 };
    const { console, reopen } = await open("auto", broken);
    const threadId = await console.start("run cat notes");
    const asked = await console.onePending(threadId);
    expect([asked.width, asked.description]).toEqual([
      "outside",
      expect.stringContaining("could not be confined"),
    ]);
    expect((await console.toolCalls(threadId)).map(({ state }) => state)).toEqual(["waiting"]);
    const after = await reopen();
    const again = await after.onePending(threadId);
    expect(again.id).toBe(asked.id);
    await after.approve(again);
    await after.untilRest(threadId);
    expect((await after.toolCalls(threadId)).map(({ result, width }) => [result, width])).toEqual([
      [expect.stringMatching(/^one\n/), "outside"],
    ]);
    // The first line is of what was begun and dropped.
    expect((await after.ledger(threadId)).map(({ by, width }) => [by.kind, width])).toEqual([
      ["policy", "read-only"],
      ["person", "outside"],
    ]);
  });
});
