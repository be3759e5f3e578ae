import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { InterruptOn } from "../../shared/contract/agents.ts";
import type { Input } from "../../shared/contract/contract.ts";
import type { AgentId, ThreadId } from "../../shared/ids.ts";
import { console, folders, makeFolders, openHost, removeFolders, withHost } from "./testing/host-fixture.ts";

let agents = 0;

withHost("file");

const ran = (file: string) => existsSync(join(folders.workspace, file));

async function saveAgent(interruptOn: InterruptOn, subAgents: Input<"agents.save">["subAgents"] = []) {
  agents += 1;
  const id = `agent-${agents}` as AgentId;
  await console.client.call("agents.save", { id, name: id, prompt: "Work.", interruptOn, subAgents });
  return id;
}

async function startWith(interruptOn: InterruptOn, text: string, sub?: InterruptOn): Promise<ThreadId> {
  const worker = { name: "worker", description: "Works", prompt: "Work.", interruptOn: sub };
  return console.start(text, { agentId: await saveAgent(interruptOn, [worker]) });
}

/** Rejects whatever waits and answers how many did. */
async function asked(threadId: ThreadId): Promise<number> {
  await console.until(
    () => console.pending(threadId).length > 0 || console.threads.get(threadId)?.status === "done",
    "it asks or is done",
  );
  const waiting = console.pending(threadId);
  for (const one of waiting) await console.decide(one, { type: "reject" });
  await console.untilStatus(threadId, "done");
  return waiting.length;
}

describe.concurrent("interruptOn", () => {
  it("true asks also about what the policy would let pass, with every decision", async () => {
    const threadId = await startWith({ execute: true }, "run ls");
    const card = await console.onePending(threadId);
    expect(card).toMatchObject({
      verdict: { verdict: "safe" },
      allowedDecisions: ["approve", "edit", "reject", "respond"],
    });
    expect(await asked(threadId)).toBe(1);
  });

  it("false does not ask about what is merely new, and writes down that the policy let it pass", async () => {
    const threadId = await startWith({ execute: false }, "run touch unasked");
    expect(await asked(threadId)).toBe(0);
    expect(ran("unasked")).toBe(true);
    expect(await console.ledger(threadId)).toMatchObject([
      { by: { kind: "policy" }, verdict: { verdict: "new" } },
    ]);
  });

  it("false never silences what always asks or is denied", async () => {
    const threadId = await startWith(
      { execute: false, write_file: false },
      "run sudo true\nrun rm -rf /\nwrite .env x",
    );
    await console.untilPending(threadId, 2);
    expect(await asked(threadId)).toBe(2);
    expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome).sort()).toEqual([
      "denied",
      "rejected",
      "rejected",
    ]);
  });

  it("lists the decisions, fills in the description and checks an edit against its own schema", async () => {
    const argsSchema = {
      type: "object",
      properties: { command: { enum: ["touch right"] } },
      required: ["command"],
    };
    const rule = {
      allowedDecisions: ["approve" as const, "edit" as const],
      description: "Runs {command} for {nobody}",
      argsSchema,
    };
    const threadId = await startWith({ execute: rule }, "run touch wrong");
    const card = await console.onePending(threadId);
    expect(card).toMatchObject({
      allowedDecisions: ["approve", "edit"],
      description: "Runs touch wrong for {nobody}",
    });
    expect(await console.decide(card, { type: "reject" })).toMatchObject({ ok: false });
    const edit = (command: string) => console.decide(card, { type: "edit", args: { command } });
    expect(await edit("touch other")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("command"),
    });
    expect(await edit("touch right")).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect([ran("wrong"), ran("right")]).toEqual([false, true]);
  });

  it("asks only when its condition on the arguments holds", async () => {
    const when = { args: { command: { matches: "^touch asked" } } };
    const interruptOn = { execute: { allowedDecisions: ["approve" as const, "reject" as const], when } };
    const threadId = await startWith(interruptOn, "run touch asked-1\nrun touch passed-1");
    expect(await asked(threadId)).toBe(1);
    expect([ran("asked-1"), ran("passed-1")]).toEqual([false, true]);
  });

  it("can ask about a sub-agent and about a question, which otherwise need no permission", async () => {
    const threadId = await startWith(
      { task: true, ask_human: true },
      "delegate worker: ask Really? ; run touch by-worker",
    );
    await console.approve(await console.onePending(threadId));
    const inner = await console.untilPending(threadId, 2);
    for (const one of inner) await console.approve(one);
    await console.until(
      () => console.pending(threadId).some(({ kind }) => kind === "interrupt"),
      "the question waits",
    );
    const question = await console.onePending(threadId);
    await console.decide(question, { type: "respond", answer: "really" });
    await console.untilStatus(threadId, "done");
    expect(ran("by-worker")).toBe(true);
    const lines = await console.ledger(threadId);
    expect(lines.map(({ tool }) => tool).sort()).toEqual(["ask_human", "execute", "task"]);
  });

  it.each([
    ["inherits it", undefined, 1, false],
    ["loosens it", { execute: false }, 0, true],
    ["keeps what it does not mention", { write_file: true }, 1, false],
  ])("of a sub-agent %s", async (name, sub, questions, runs) => {
    const file = `sub-${name.replaceAll(" ", "-")}`;
    const threadId = await startWith({ execute: true }, `delegate worker: run touch ${file}`, sub);
    expect(await asked(threadId)).toBe(questions);
    expect(ran(file)).toBe(runs);
  });

  it("of a sub-agent tightens it, for that sub-agent alone", async () => {
    const text = "delegate worker: run touch tight-sub\nrun touch tight-own";
    const threadId = await startWith({ execute: false }, text, { execute: true });
    expect((await console.onePending(threadId)).agentPath).toEqual(["worker"]);
    expect(await asked(threadId)).toBe(1);
    expect([ran("tight-sub"), ran("tight-own")]).toEqual([false, true]);
  });

  it.each([
    [{ execute: { allowedDecisions: [] } }, /interruptOn\.execute/],
    [
      { execute: { allowedDecisions: ["approve"], when: { args: { command: { matches: "(" } } } } },
      /interruptOn\.execute\.when/,
    ],
    [{ execute: { allowedDecisions: ["perhaps"] } }, /interruptOn\.execute/],
  ])("is refused with its field named when it makes no sense: %j", async (interruptOn, field) => {
    await expect(saveAgent(interruptOn as unknown as InterruptOn)).rejects.toMatchObject({
      code: "invalid-input",
      field: expect.stringMatching(field),
    });
  });
});

describe("an agent that asks always", () => {
  const always = { execute: true as const };

  it("waits also while the switch is on, and what it asked is not let pass when the switch is turned on", async () => {
    const threadId = await startWith(always, "run touch before-switch");
    const card = await console.onePending(threadId);
    const { passes, stays } = await console.client.call("threads.previewAutoApprove", { threadId });
    expect([passes, stays]).toEqual([[], [{ id: card.id, why: expect.stringContaining("always") }]]);
    const shown = [{ id: card.id, digest: card.digest }];
    const on = await console.client.call("threads.setAutoApprove", { threadId, on: true, approve: shown });
    expect(on.approved).toEqual([]);
    await console.decide(card, { type: "reject" });
    await console.untilStatus(threadId, "done");
    await console.send(threadId, "run touch under-switch");
    await console.decide(await console.onePending(threadId), { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect([ran("before-switch"), ran("under-switch")]).toEqual([false, false]);
  });

  it("waits under the switch where nobody may approve at all", async () => {
    const threadId = await startWith({ execute: { allowedDecisions: ["reject", "respond"] } }, "ask Ready?");
    await console.client.call("threads.setAutoApprove", { threadId, on: true });
    await console.decide(await console.onePending(threadId), { type: "respond", answer: "yes" });
    await console.untilStatus(threadId, "done");
    await console.send(threadId, "run touch nobody-may");
    await console.decide(await console.onePending(threadId), { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect(ran("nobody-may")).toBe(false);
  });

  it("waits where a rule covers the call", async () => {
    await console.client.call("rules.add", {
      text: "touch ruled",
      effect: "allow",
      scope: "user",
      target: "command",
    });
    const threadId = await startWith(always, "run touch ruled");
    expect(await asked(threadId)).toBe(1);
    expect(ran("ruled")).toBe(false);
  });
});

it("that asks always takes no option of an unattended run for an answer", async () => {
  const own = await makeFolders();
  const unattended = { park: false, allowWrites: true, shellAllowList: [["touch"]] };
  const { console: window, close } = await openHost(own, { unattended });
  const task = "run touch listed\nwrite written.txt => x";
  const made = () => ["listed", "written.txt"].map((file) => existsSync(join(own.workspace, file)));
  const agent = { id: "always" as AgentId, name: "always", prompt: "Work.", subAgents: [] };
  await window.client.call("agents.save", { ...agent, interruptOn: { execute: true, write_file: true } });
  await window.untilStatus(await window.start(task, { agentId: "always" }), "done");
  expect(made()).toEqual([false, false]);
  await window.untilStatus(await window.start(task), "done");
  expect(made()).toEqual([true, true]);
  await close();
  await removeFolders(own);
});
