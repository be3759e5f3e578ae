/** What an agent that acts itself is answered, over the real protocol with a fake agent as a child process. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { nobodyWaits } from "./card-notes.ts";
import { fakeAgent } from "./testing/fake-program.ts";
import { processesOf, programOf } from "./testing/marked-processes.ts";
import { approve, createOuterScene, linesOf, reject } from "./testing/outer-scene.ts";

const scene = createOuterScene();
const { pending, items, written } = scene;
/** What the fake agent says that it was answered. */
const answered = () =>
  scene
    .heard()
    .filter((line) => line.startsWith("answered"))
    .map((line) => line.split(" ").at(-1));
const start = (text: string, ...how: string[]) => scene.start(text, ["fake", ...how].join("--"));

describe("a request", () => {
  it("is answered once, with the answer for this once", async () => {
    const threadId = start("run echo a >> done.txt\nrun echo b >> done.txt");
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.until(
      () => scene.host.stores.ledger.ofThread(threadId).length === 1 && pending(threadId).length === 1,
    );
    await scene.host.decide(await scene.host.onePending(threadId), reject);
    await scene.host.untilStatus(threadId, "done");
    expect([answered(), written()]).toEqual([["allow-once", "reject"], ["a"]]);
  });

  it("is refused without a card where the policy would never allow what it names, and the turn goes on", async () => {
    const threadId = start("run mkfs /dev/nothing\nrun echo a >> done.txt");
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.untilStatus(threadId, "done");
    expect([answered(), written()]).toEqual([["reject", "allow-once"], ["a"]]);
    const [refused] = items(threadId).flatMap((item) => (item.kind === "toolCall" ? [item] : []));
    expect([refused?.outcome, refused?.result]).toEqual(["denied", expect.stringContaining("never allowed")]);
  });

  it("is rejected at most where no answer, or more than one, means yes for this once", async () => {
    const threadId = start("twice echo a >> done.txt\nforever echo b >> done.txt");
    for (let asked = 1; asked <= 2; asked += 1) {
      const card = await scene.host.onePending(threadId);
      expect(card.allowed).toEqual(["reject"]);
      expect(await scene.host.decide(card, approve)).toMatchObject({ ok: false });
      await scene.host.decide(card, reject);
      await scene.host.until(() => answered().length === asked);
    }
    await scene.host.untilStatus(threadId, "done");
    // Where there is no answer that says no for this once, none is sent that says more.
    expect([answered(), written()]).toEqual([["reject", "cancelled"], []]);
  });

  it("shows what was told of the call before it, and is of high risk where nothing was", async () => {
    const threadId = start("edit /w/a.txt\nblank Do the thing");
    const edit = await scene.host.onePending(threadId);
    expect(edit.args).toMatchObject({
      does: "edit",
      places: ["/w/a.txt"],
      changes: [{ path: "/w/a.txt", before: null, after: "hello\n" }],
    });
    await scene.host.decide(edit, approve);
    await scene.host.until(() => pending(threadId)[0]?.tool === "outer__other");
    const blank = await scene.host.onePending(threadId);
    expect(blank).toMatchObject({ risk: "high", subject: { kind: "outer", blank: true } });
    expect(blank.verdict.units[0]!.reason).toContain("does not say what");
    await scene.host.decide(blank, reject);
    await scene.host.untilStatus(threadId, "done");
  });

  it("shows also what no version of the protocol knows, of which the package hands on nothing", async () => {
    const content = [
      { type: "hologram", shows: "rm -rf /" },
      { type: "content", content: { type: "text", text: "fine" } },
      { type: "diff", path: "a.txt" },
    ];
    const offered = [...["allow_forever", "allow_once", "reject_once"].entries()].map(([optionId, kind]) => ({
      optionId: `${optionId}`,
      name: kind,
      kind,
    }));
    const threadId = start(`odd ${JSON.stringify({ title: { words: "x" }, content, offered })}`);
    const card = await scene.host.onePending(threadId);
    const { notes, yes } = card.args as { notes: string[]; yes: string };
    for (const word of ["hologram", "rm -rf /", "fine", "a.txt", "words"])
      expect(notes.join()).toContain(word);
    expect([yes, card.allowed]).toEqual(["allow_once", ["approve", "reject"]]);
    await scene.host.engine.actors.stop(threadId, new Error("stopped"));
  });

  it("has a card of its own beside others, also under the id of another", async () => {
    const threadId = start("both x y\nsame v w");
    for (const words of [
      ["x", "y"],
      ["v", "w"],
    ]) {
      await scene.host.until(() => pending(threadId).length === 2);
      const [one, other] = pending(threadId);
      expect(new Set([one!.itemId, other!.itemId]).size).toBe(2);
      expect(JSON.stringify([one!.args, other!.args])).toMatch(new RegExp(words.join(".*")));
      await scene.host.decide(one!, approve);
      await scene.host.decide(other!, reject);
      await scene.host.until(() => pending(threadId).every(({ id }) => id !== one!.id && id !== other!.id));
    }
    await scene.host.untilStatus(threadId, "done");
    expect(written()).toEqual(["x", "v"]);
  });

  it("that the agent words anew is another request, and no yes for the first is for the second", async () => {
    const threadId = start("change echo mild then echo wild");
    await scene.host.until(() => pending(threadId).some(({ args }) => JSON.stringify(args).includes("wild")));
    const cards = scene.host.stores.log.item(threadId, pending(threadId)[0]!.itemId);
    const { id, digest } = await scene.host.onePending(threadId);
    expect(cards).toMatchObject({ kind: "toolCall" });
    expect(scene.host.stores.approvals.get(id)).toMatchObject({ args: { input: { command: "echo wild" } } });
    await scene.host.decide({ id, digest } as never, reject);
    await scene.host.untilStatus(threadId, "done");
    expect(answered()).toEqual(["reject"]);
  });

  it.each([
    ["early echo a", undefined, 'did this without your yes: "echo a"'],
    ["despite echo a", reject, 'did this without your yes: "echo a"'],
    [
      "despite echo a then echo b",
      approve,
      'You said yes to "echo a", and Fake says now that this call is "echo b"',
    ],
    ["despite echo a", approve, undefined],
  ])(
    "to %s, answered with %o, is told of in the thread where the agent did not keep to the answer",
    async (step, decision, told) => {
      const threadId = start(step);
      if (decision) await scene.host.decide(await scene.host.onePending(threadId), decision);
      await scene.host.untilStatus(threadId, "done");
      const notices = items(threadId).flatMap((item) => (item.kind === "notice" ? [item.text] : []));
      expect(notices).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
      // What was done without waiting is asked no more, and no record says that it was allowed.
      expect(pending(threadId)).toEqual([]);
      if (!decision) expect(scene.host.stores.ledger.ofThread(threadId)).toEqual([]);
    },
  );

  it("that the agent leaves open when its turn is over is gone with it", async () => {
    const threadId = start("leave echo a");
    await scene.host.untilStatus(threadId, "done");
    expect(pending(threadId)).toEqual([]);
    const call = items(threadId).find(({ kind }) => kind === "toolCall");
    expect(call).toMatchObject({ state: "finished", outcome: "cancelled" });
    expect(scene.host.stores.ledger.ofThread(threadId)).toEqual([]);
  });

  it("waits also while the switch is on, and is refused for another session", async () => {
    const threadId = start("stranger x\nrun echo a >> done.txt");
    scene.host.engine.autoApprove.turnOn(threadId, 30, 50);
    await scene.host.onePending(threadId);
    expect(scene.heard()).toContain("stranger cancelled");
  });
});

it("draws what the agent tells and does unasked, and writes none of it into the record of decisions", async () => {
  const threadId = start(
    "think hm\nmode bold\nplan first\nsay hello\nmalformed {{{\nunasked echo a >> done.txt",
  );
  await scene.host.untilStatus(threadId, "done");
  expect(items(threadId).map((item) => [item.kind, "text" in item && item.text])).toEqual([
    ["userMessage", expect.anything()],
    ["notice", expect.stringContaining("“bold”")],
    ["plan", false],
    ["agentMessage", "hello"],
    ["toolCall", false],
    ["turnEnd", false],
  ]);
  expect([written(), scene.host.stores.ledger.ofThread(threadId)]).toEqual([["a"], []]);
  expect(scene.acting(threadId)).toEqual({ agent: "Fake", level: "asking", version: "1.2.3", mode: "bold" });
});

it("fails with a sentence when the agent says too much, dies or cannot be started, and leaves no process", async () => {
  const threads = [
    start("flood 700"),
    start("run true\ndie"),
    start("leave_behind\ndie"),
    // The turn ends, and not the one request.
    start("deep 150\nsay on"),
    start("say a", "die-at-start"),
    start("say a", "die-at-initialize"),
    start("say a", "die-at-session"),
    start("say a", "speaks=2"),
    start("say a", "no-session"),
    start("huge 5000000"),
    start("one_id echo a then echo b"),
  ];
  await scene.host.decide(await scene.host.onePending(threads[1]!), approve);
  for (const threadId of threads) {
    await scene.host.untilStatus(threadId, "failed");
    expect(scene.host.stores.threads.get(threadId).problem).toMatch(
      /more (text|levels of one call) in one turn|ended: exit code [34]|speaks version 2|opened no session|was ended: .*(exceed|at once under one id)/,
    );
    expect(await processesOf(threadId)).toEqual([]);
  }
});

describe("after a restart", () => {
  it("says that nobody waits, draws nothing twice, and a yes is for the same request alone", async () => {
    const threadId = start("run echo a >> done.txt");
    const { id, itemId } = await scene.host.onePending(threadId);
    const before = items(threadId).length;
    await scene.host.kill();
    const card = await scene.host.onePending(threadId);
    expect([card.id, card.description, items(threadId).length]).toEqual([id, nobodyWaits, before]);
    expect(await processesOf(threadId)).toEqual([]);
    await scene.host.decide(card, approve);
    await scene.host.untilStatus(threadId, "done");
    expect([written(), scene.host.stores.ledger.ofThread(threadId).length]).toEqual([["a"], 1]);
    expect(JSON.stringify(items(threadId))).not.toMatch(/replayed/);
    expect(scene.host.stores.log.item(threadId, itemId)).toMatchObject({ kind: "toolCall" });
  });

  it("asks anew about another request, and lets the unused yes go", async () => {
    const threadId = start("run echo a >> done.txt", "rewords");
    await scene.host.onePending(threadId);
    await scene.host.kill();
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.until(() =>
      JSON.stringify(pending(threadId).map(({ args }) => args)).includes("reworded"),
    );
    expect(written()).toEqual([]);
    await scene.host.decide(await scene.host.onePending(threadId), reject);
    await scene.host.untilStatus(threadId, "done");
    expect([written(), scene.host.stores.approvals.unconsumed(threadId)]).toEqual([[], []]);
  });

  it("asks no more about what was cut off when the agent does not ask for it again", async () => {
    const threadId = start("run sleep 600", "rewords");
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.until(() => scene.host.stores.executions.started().length === 1);
    await scene.host.kill();
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.until(() =>
      JSON.stringify(pending(threadId).map(({ args }) => args)).includes("reworded"),
    );
    await scene.host.decide(await scene.host.onePending(threadId), reject);
    await scene.host.untilStatus(threadId, "done");
    expect(scene.host.stores.executions.started()).toEqual([]);
  });

  it.each([
    ["keeps none", "forgets"],
    ["cannot open it any more", "cannot-load"],
  ])(
    "tells the agent of a no, and says where it could not go on with its session: it %s",
    async (_why, how) => {
      const threadId = start("run echo a >> done.txt", how, "obeys");
      await scene.host.onePending(threadId);
      await scene.host.kill();
      await scene.host.decide(await scene.host.onePending(threadId), {
        type: "reject",
        message: "not today",
      });
      await scene.host.untilStatus(threadId, "done");
      expect(scene.heard().join("\n")).toMatch(/prompted.*not today/);
      expect(JSON.stringify(items(threadId))).toContain("begins without knowing");
      expect(scene.host.stores.ledger.ofThread(threadId).map(({ decision }) => decision.type)).toEqual([
        "reject",
      ]);
    },
  );
});

it("ends the agent with everything it started, also one that ignores being told", async () => {
  const threadId = start("unasked setsid sleep 600 >/dev/null 2>&1 & true\nrun true", "ignore-end");
  await scene.host.onePending(threadId);
  expect((await processesOf(threadId)).length).toBe(2);
  await scene.host.engine.actors.stop(threadId, new Error("stopped"));
  expect(await processesOf(threadId)).toEqual([]);
});

it("ends an agent that is left alone, and goes on with its session when it is needed again", async () => {
  const idle: (() => void)[] = [];
  let calledOff = 0;
  const afterIdle = (act: () => void) => {
    idle.push(act);
    return () => {
      calledOff += 1;
    };
  };
  await scene.openAnew({ afterIdle });
  const threadId = start("say one");
  await scene.host.untilStatus(threadId, "done");
  await expect.poll(() => idle.length).toBe(1);
  scene.host.send(threadId, "say two");
  await expect.poll(() => idle.length).toBe(2);
  expect([calledOff, (await processesOf(threadId)).length]).toEqual([1, 1]);
  idle.at(-1)!();
  await expect.poll(() => processesOf(threadId)).toEqual([]);
  scene.host.send(threadId, "say three");
  await expect.poll(() => idle.length).toBe(3);
  expect(scene.heard()).toContain("loaded session");
  // One that could not go on stays.
  const forgetful = start("say one", "forgets");
  await scene.host.untilStatus(forgetful, "done");
  expect(idle).toHaveLength(3);
});

it("is heard between two turns when it changes its mode", async () => {
  const threadId = start("mode_at_rest bold");
  await scene.host.untilStatus(threadId, "done");
  process.kill(await programOf(threadId), "SIGUSR2");
  await scene.host.until(() => JSON.stringify(items(threadId)).includes("“bold”"));
  expect(scene.acting(threadId)?.mode).toBe("bold");
});

it("is started anew by a message that comes in the moment after its program was killed", async () => {
  // What it left holds its output open, so that its end is heard of late.
  const threadId = start("leave_behind\nsay one");
  await scene.host.untilStatus(threadId, "done");
  const killed = await programOf(threadId);
  process.kill(killed, "SIGKILL");
  while ((await processesOf(threadId)).includes(killed)) await new Promise(setImmediate);
  scene.host.send(threadId, "say two");
  const status = () => scene.host.stores.threads.get(threadId).status;
  await scene.host.until(() => ["done", "failed"].includes(status()));
  expect([status(), scene.heard().includes("loaded session")]).toEqual(["done", true]);
});

it("works in the mode that was chosen for it, in each session, and ends when it leaves that", async () => {
  const offered: unknown[] = [];
  const chosen: Record<string, string> = { mode: "bold" };
  await scene.openAnew({
    agentOf: (id) => ({ ...fakeAgent(id, join(scene.host.root, "fake-agent.txt")), options: { ...chosen } }),
    noteOffers: (_id, offers) => void offered.push(...offers),
  });
  const threadId = start("say one");
  await scene.host.untilStatus(threadId, "done");
  expect(scene.heard().filter((line) => line.startsWith("mode"))).toEqual(["mode bold"]);
  expect([scene.acting(threadId)?.mode, offered]).toEqual([
    "bold",
    [{ id: "mode", values: ["careful", "bold"] }],
  ]);
  scene.host.send(threadId, "mode careful\nunasked echo never >> done.txt");
  await scene.host.untilStatus(threadId, "failed");
  expect(scene.host.stores.threads.get(threadId).problem).toContain("you chose bold for this agent");
  expect(await processesOf(threadId)).toEqual([]);
  // It is another program where another mode is chosen, and none where it has no such mode.
  chosen.mode = "wild";
  scene.host.send(threadId, "say three");
  await scene.host.until(() =>
    (scene.host.stores.threads.get(threadId).problem ?? "").includes("it offers careful, bold"),
  );
  expect([await processesOf(threadId), scene.heard().some((line) => line.includes("say three"))]).toEqual([
    [],
    false,
  ]);
});

it.each([
  ["says nothing at all", "silent"],
  ["was not there yet", "plain"],
])("is stopped while it is started, also when it %s, and leaves no process", async (_what, how) => {
  const threadId = start("run true", how);
  // From before there is a process to after it: each round is a turn of the loop.
  if (how === "silent") while ((await processesOf(threadId)).length === 0) await new Promise(setImmediate);
  await scene.host.engine.actors.stop(threadId, new Error("stopped"));
  expect(await processesOf(threadId)).toEqual([]);
});

it("is another program once its thread is in another folder, where what was attached is looked for", async () => {
  const other = join(scene.host.root, "other");
  mkdirSync(other);
  const threadId = start("unasked echo a >> done.txt");
  await scene.host.untilStatus(threadId, "done");
  scene.host.stores.threads.update(threadId, { workspace: other });
  scene.host.send(threadId, "unasked echo b >> done.txt", [{ kind: "file", path: "src/a.ts" }]);
  await scene.host.until(() => existsSync(join(other, "done.txt")));
  await scene.host.untilStatus(threadId, "done");
  expect([written(), linesOf(join(other, "done.txt"))]).toEqual([["a"], ["b"]]);
  expect(await processesOf(threadId)).toHaveLength(1);
  const attached = `attached ${pathToFileURL(join(other, "src/a.ts")).href}`;
  expect(scene.heard()).toContain(attached);
});
