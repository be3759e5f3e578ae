/** What a confined command newly made that steers others waits for a person, who sees all of it, before the agent goes on. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import type { Probe } from "../sandbox/probe.ts";
import { missing, program } from "../sandbox/testing/real-sandbox.ts";
import { makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

const usable: Probe = { usable: true, program, tries: 1 };

async function open() {
  const folders = await makeFolders();
  const { workspace } = folders;
  writeFileSync(join(workspace, "a.sh"), "echo x >> runs; echo obey > AGENTS.md\n");
  const start = () => openHost(folders, { sandbox: { mode: "auto", parts: { probe: async () => usable } } });
  let running = await start();
  onTestFinished(async () => {
    await running.close();
    await removeFolders(folders);
  });
  return {
    workspace,
    read: (name: string) => readFileSync(join(workspace, name), "utf8"),
    /** Approves the command, confined, and waits for what is asked after it. */
    async made(threadId: ThreadId) {
      const { console } = running;
      await console.approve(await console.onePending(threadId));
      await console.until(
        () => console.pending(threadId).some(({ kind }) => kind === "setAside"),
        "what it made is asked about",
      );
      return console.onePending(threadId);
    },
    get console() {
      return running.console;
    },
    async reopen() {
      await running.close();
      running = await start();
    },
  };
}

describe.skipIf(missing !== undefined)("what a confined command newly made", () => {
  it("is shown whole before the agent goes on, and one yes puts it where it was made, also after a restart", async () => {
    const world = await open();
    const threadId = await world.console.start("run bash a.sh");
    const before = await world.made(threadId);
    expect(before).toMatchObject({
      risk: "high",
      allowedDecisions: ["approve", "reject"],
      subject: {
        command: "bash a.sh",
        names: ["AGENTS.md.made-confined"],
        files: [{ path: "AGENTS.md", text: "obey\n", runs: false }],
        whole: true,
      },
    });
    await world.reopen();
    const { console } = world;
    const asked = await console.onePending(threadId);
    expect([asked.id, asked.digest]).toEqual([before.id, before.digest]);
    expect(existsSync(join(world.workspace, "AGENTS.md"))).toBe(false);
    await console.approve(asked);
    await console.untilRest(threadId);
    expect([world.read("AGENTS.md"), world.read("runs")]).toEqual(["obey\n", "x\n"]);
    const notices = (await console.notices(threadId)).map(({ text }) => text);
    expect(notices).toEqual([expect.stringContaining("moved aside"), "Taken in: AGENTS.md."]);
    const ledger = await console.ledger(threadId);
    // The second says nothing about the command, so that no rule is made or refused for it.
    expect(ledger.map(({ decision, originalArgs }) => [decision.type, originalArgs])).toEqual([
      ["approve", { command: "bash a.sh" }],
      ["approve", { names: ["AGENTS.md.made-confined"] }],
    ]);
  });

  it("stays aside after a no, and where it is not what the card showed any more", async () => {
    const world = await open();
    const { console, workspace } = world;
    const first = await console.start("run bash a.sh");
    await console.decide(await world.made(first), { type: "reject" });
    await console.untilRest(first);
    const second = await console.start("run bash a.sh");
    const asked = await world.made(second);
    writeFileSync(join(workspace, "AGENTS.md.made-confined-2"), "obey others\n");
    await console.approve(asked);
    await console.untilRest(second);
    expect(existsSync(join(workspace, "AGENTS.md"))).toBe(false);
    expect(world.read("AGENTS.md.made-confined")).toBe("obey\n");
    const said = (await console.notices(second)).map(({ text }) => text).at(-1);
    expect(said).toContain("Not taken in");
  });

  it("is let in by no switch and no bulk", async () => {
    const world = await open();
    const { call } = world.console.client;
    const threadId = await world.console.start("run bash a.sh");
    const { id, digest } = await world.made(threadId);
    const approve = [{ id, digest }];
    expect(await call("threads.setAutoApprove", { threadId, on: true, approve })).toMatchObject({
      approved: [],
      left: [{ id }],
    });
    const other = await world.console.start("run bash a.sh");
    const second = await world.made(other);
    const { outcomes } = await call("approvals.decide", {
      commandId: "bulk" as never,
      items: [...approve, { id: second.id, digest: second.digest }],
      decision: { type: "approve" },
    });
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, false]);
    expect(existsSync(join(world.workspace, "AGENTS.md"))).toBe(false);
  });
});
