import { describe, expect, it } from "vitest";
import { GateThread } from "./testing/gate-thread.ts";

const inAgent = ["", "run deploy"] as const;
const inSubAgent = ["inside a sub-agent", "delegate general-purpose: run deploy"] as const;

/** A thread whose process died at a step of the only command. */
async function dieAt(step: "beginExecution" | "finishExecution", text: string): Promise<GateThread> {
  const thread = new GateThread({ judge: ({ tool }) => (tool === "execute" ? "run" : undefined) });
  await thread.send(text, step);
  return thread;
}

describe.each([inAgent, inSubAgent])("a call that is walked into again after a crash %s", (_where, text) => {
  it("replays its receipt when it had finished, and does not run again", async () => {
    const thread = await dieAt("finishExecution", text);
    expect(thread.commands).toEqual(["deploy"]);
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["deploy"]);
    expect(thread.journal.questions).toEqual([]);
    const finished = thread.journal.events.filter((event) => event.type === "message.finished").at(-1);
    expect(finished?.type === "message.finished" && finished.text).toContain("1 of 1 step worked");
  });

  it("asks what to do when it had started, and runs again only when told to", async () => {
    const thread = await dieAt("beginExecution", text);
    expect(thread.commands).toEqual([]);
    const end = thread.goOn();
    await thread.journal.until(() => thread.journal.pending.length === 1);
    expect(thread.journal.pending[0]).toMatchObject({ kind: "recovery" });
    expect(thread.commands).toEqual([]);
    await thread.journal.decide("deploy", { type: "approve" });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["deploy"]);
    expect(thread.journal.executions.map(({ state }) => state)).toEqual(["closed", "finished"]);
  });

  it("takes it for done when the person looked and says so", async () => {
    const thread = await dieAt("beginExecution", text);
    const end = thread.goOn();
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("deploy", { type: "respond", answer: "It was deployed." });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.commands).toEqual([]);
  });

  it("runs nothing, and nothing after it, when the person wants the turn stopped", async () => {
    const thread = await dieAt("beginExecution", text);
    const end = thread.goOn();
    await thread.journal.until(() => thread.journal.pending.length === 1);
    await thread.journal.decide("deploy", { type: "reject" });
    expect(await end).toEqual({ kind: "stopped", problem: expect.stringContaining("outcome was unknown") });
    expect(thread.commands).toEqual([]);
    expect(thread.journal.ledger.at(-1)).toEqual({ tool: "execute", decision: "reject", by: "person" });
  });
});

describe("a question that outlives the process", () => {
  it("is asked once, and its decision is acted on by the next process", async () => {
    const thread = new GateThread();
    void thread.send("run deploy");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    thread.die();
    await thread.journal.decide("deploy", { type: "approve" });
    expect(await thread.goOn()).toEqual({ kind: "done" });
    expect(thread.commands).toEqual(["deploy"]);
    expect(thread.journal.questions).toHaveLength(1);
    expect(thread.journal.judged).toHaveLength(1);
  });

  it("is drawn as it was judged, and by the next process against what is there then", async () => {
    const thread = new GateThread();
    void thread.send("run deploy");
    await thread.journal.until(() => thread.journal.pending.length === 1);
    expect(thread.journal.drawn).toEqual([]);
    thread.die();
    const end = thread.goOn();
    await thread.journal.until(() => thread.journal.drawn.length === 1);
    await thread.journal.decide("deploy", { type: "approve" });
    expect(await end).toEqual({ kind: "done" });
    expect(thread.journal.drawn).toHaveLength(1);
  });
});
