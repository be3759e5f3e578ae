/** What the sandbox refused a command is asked about once, with evidence, and runs a second time only by a person's yes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import type { Probe } from "../sandbox/probe.ts";
import { missing, program } from "../sandbox/testing/real-sandbox.ts";
import { makeFolders, openHost, removeFolders } from "./testing/host-fixture.ts";

const usable: Probe = { usable: true, program, tries: 1 };

/** What the thread's transcript says about what was moved aside. */
async function tellsAside(console: Opened["console"], threadId: ThreadId): Promise<string[]> {
  return (await console.notices(threadId)).map(({ text }) => text).filter((text) => /moved aside/.test(text));
}

type Opened = Awaited<ReturnType<typeof openHost>>;

async function open() {
  const folders = await makeFolders();
  const { workspace } = folders;
  // Not below `/tmp`, of which a confined command has its own.
  const elsewhere = mkdtempSync("/var/tmp/countersign-refused-");
  const beside = join(elsewhere, "beside");
  // It counts its runs in the workspace.
  writeFileSync(join(workspace, "a.sh"), `echo x >> runs; echo tried; echo x > ${beside}\n`);
  writeFileSync(join(workspace, "b.sh"), "echo x > AGENTS.md; exit 3\n");
  const start = () => openHost(folders, { sandbox: { mode: "auto", parts: { probe: async () => usable } } });
  let running = await start();
  onTestFinished(async () => {
    await running.close();
    await removeFolders(folders);
    rmSync(elsewhere, { recursive: true });
  });
  const runs = () => readFileSync(join(workspace, "runs"), "utf8").split("\n").length - 1;
  /** Approves the first run, confined, and waits for what is asked after it. */
  const refused = async (threadId: ThreadId) => {
    const { console } = running;
    await console.approve(await console.onePending(threadId));
    await console.until(
      () => console.pending(threadId).some(({ kind }) => kind === "escalation"),
      "the refusal is asked about",
    );
    return console.pending(threadId).find(({ kind }) => kind === "escalation")!;
  };
  return {
    workspace,
    runs,
    refused,
    beside,
    get console() {
      return running.console;
    },
    async reopen() {
      await running.close();
      running = await start();
    },
  };
}

describe.skipIf(missing !== undefined)("a command that the sandbox refused something", () => {
  it("waits with what it printed, its end and the width it would need, and one yes runs it once more", async () => {
    const world = await open();
    const { console, workspace } = world;
    const script = `echo x >> runs; echo x > AGENTS.md; echo tried; echo x > ${world.beside}\n`;
    writeFileSync(join(workspace, "a.sh"), script);
    const threadId = await console.start("run bash a.sh");
    const asked = await world.refused(threadId);
    expect(asked).toMatchObject({
      kind: "escalation",
      width: "outside",
      risk: "high",
      allowedDecisions: ["approve", "reject"],
      subject: {
        command: "bash a.sh",
        exitCode: 1,
        refused: [expect.stringMatching(/\/beside: Read-only file system/)],
        output: expect.stringContaining("tried"),
        changed: { count: 2, paths: ["AGENTS.md.made-confined", "runs"], whole: true },
      },
    });
    expect([world.runs(), existsSync(world.beside)]).toEqual([1, false]);
    const aside = () => tellsAside(console, threadId);
    expect(await aside()).toEqual([expect.stringContaining("now AGENTS.md.made-confined. To take it in,")]);
    await console.approve(asked);
    // What the first run made is a question of its own, which the agent waits for as well.
    const made = () => console.pending(threadId).find(({ kind }) => kind === "setAside");
    await console.decide(made()!, { type: "reject" });
    await console.untilRest(threadId);
    expect([world.runs(), existsSync(world.beside)]).toEqual([2, true]);
    // Outside of the sandbox nothing is moved.
    expect([existsSync(join(workspace, "AGENTS.md")), (await aside()).length]).toEqual([true, 1]);
    expect((await console.ledger(threadId)).map(({ by, width }) => [by.kind, width])).toEqual([
      ["person", "workspace"],
      ["person", "outside"],
      ["person", undefined],
    ]);
    expect((await console.toolCalls(threadId)).map(({ outcome, width }) => [outcome, width])).toEqual([
      ["ok", "outside"],
    ]);
  });

  it("stays as it ended after a no, which the agent is told, also when it is asked for again after a restart", async () => {
    const world = await open();
    const threadId = await world.console.start("run bash a.sh");
    const before = await world.refused(threadId);
    await world.reopen();
    const { console } = world;
    const asked = await console.onePending(threadId);
    expect([asked.id, asked.digest]).toEqual([before.id, before.digest]);
    await console.decide(asked, { type: "reject", message: "write here" });
    await console.untilRest(threadId);
    expect([world.runs(), existsSync(world.beside)]).toEqual([1, false]);
    const [call] = await console.toolCalls(threadId);
    expect([call?.outcome, call?.result]).toEqual([
      "failed",
      expect.stringMatching(/tried[\s\S]*does not want that and says: write here/),
    ]);
    expect((await console.ledger(threadId)).map(({ decision }) => decision.type)).toEqual([
      "approve",
      "reject",
    ]);
  });

  it("is asked about once and for no more than it needs: a second refusal is its answer", async () => {
    const world = await open();
    const { console, workspace } = world;
    execFileSync("git", ["init", "-q"], { cwd: workspace });
    writeFileSync(join(workspace, "a.sh"), `echo x >> runs; echo x > .git/x && echo x > ${world.beside}\n`);
    const threadId = await console.start("run bash a.sh");
    const asked = await world.refused(threadId);
    expect(asked.width).toBe("workspace and git");
    await console.approve(asked);
    await console.untilRest(threadId);
    expect([world.runs(), existsSync(world.beside), console.pending(threadId)]).toEqual([2, false, []]);
    const [call] = await console.toolCalls(threadId);
    expect([call?.outcome, call?.result]).toEqual([
      "failed",
      expect.stringContaining("Read-only file system"),
    ]);
  });

  it("is let by no switch and no bulk, and never goes back into the sandbox", async () => {
    const world = await open();
    const { console } = world;
    const { call } = console.client;
    const threadId = await console.start("run bash a.sh");
    const { id, digest } = await world.refused(threadId);
    const approve = [{ id, digest }];
    expect(await call("threads.setAutoApprove", { threadId, on: true, approve })).toMatchObject({
      approved: [],
      left: [{ id, why: "It stays: it would run a second time, and reach further." }],
    });
    expect(await call("approvals.confine", { id, digest, confined: true })).toMatchObject({ ok: false });
    const other = await console.start("run bash a.sh");
    const second = await world.refused(other);
    const outcomes = await call("approvals.decide", {
      commandId: "bulk" as never,
      items: [...approve, { id: second.id, digest: second.digest }],
      decision: { type: "approve" },
    });
    expect(outcomes.outcomes.map(({ ok }) => ok)).toEqual([false, false]);
    expect([world.runs(), existsSync(world.beside)]).toEqual([2, false]);
  });

  it("is not asked about where its failure is its own, or where it went well all the same", async () => {
    const world = await open();
    const { console } = world;
    const aside = expect.stringContaining("now AGENTS.md.made-confined. To take it in,");
    for (const [command, told] of [
      ["bash a.sh || true", []],
      ["bash b.sh", [aside]],
    ] as const) {
      const threadId = await console.start(`run ${command}`);
      await console.approve(await console.onePending(threadId));
      if (told.length > 0) {
        await console.until(() => console.pending(threadId)[0]?.kind === "setAside", "what it made waits");
        await console.decide(console.pending(threadId)[0]!, { type: "reject" });
      }
      await console.untilRest(threadId);
      expect(console.pending(threadId)).toEqual([]);
      expect(await tellsAside(console, threadId)).toEqual(told);
    }
    expect(existsSync(world.beside)).toBe(false);
  });
});
