/** What a governed agent may do: our tools through our gate, and nothing past them that stays unseen. */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import { tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createWebTools } from "../deep-agent/tools/web-tools.ts";
import { answerIsTold, runsOnce } from "./card-notes.ts";
import { wayToGovern } from "./governing.ts";
import { fakeAgent } from "./testing/fake-program.ts";
import { processesOf, programOf } from "./testing/marked-processes.ts";
import { approve, createOuterScene, linesOf, reject } from "./testing/outer-scene.ts";

const scene = createOuterScene("governed");
const { start, heard, written, items, pending, levelOf } = scene;
const call = (tool: string, args: object) => `${tool} ${JSON.stringify(args)}`;
const write = (path: string, content: string) => call("write_file", { file_path: path, content });

it("reads freely, is judged and refused, and asks side by side, as the built-in agent does", async () => {
  const path = join(scene.host.workspace, "notes.md");
  const unknown = "nothing".padEnd(300, "x");
  writeFileSync(path, "remember the milk");
  const threadId = start(
    [
      `call ${call("read_file", { file_path: path })} ; ${call("execute", { command: "rm -rf /" })} ; ${call(unknown, {})} ; ${call("execute", {})}`,
      `call ${write("a.txt", "a")} ; ${write("b.txt", "b")}`,
    ].join("\n"),
  );
  await scene.host.until(() => pending(threadId).length === 2);
  expect(levelOf(threadId)).toBe("governed");
  const told = heard().filter((line) => line.startsWith("told"));
  for (const words of ["remember the milk", "Refused", "no tool named nothing", "do not fit"])
    expect(
      told.filter((line) => line.includes(words)),
      words,
    ).toHaveLength(1);
  for (const card of pending(threadId)) {
    expect([card.tool, card.subject.kind]).toEqual(["write_file", "file"]);
    await scene.host.decide(card, approve);
  }
  await scene.host.untilStatus(threadId, "done");
  expect([
    linesOf(join(scene.host.workspace, "a.txt")),
    linesOf(join(scene.host.workspace, "b.txt")),
  ]).toEqual([["a"], ["b"]]);
  // Each call is drawn once: as ours, and not as what the agent told of it.
  const drawn = items(threadId).flatMap((item) => (item.kind === "toolCall" ? [item.tool] : []));
  expect(drawn).toEqual([
    "read_file",
    "execute",
    unknown.slice(0, 200),
    "execute",
    "write_file",
    "write_file",
  ]);
});

it("is asked anew when the file is not what the card showed any more", async () => {
  writeFileSync(join(scene.host.workspace, "a.txt"), "before");
  const threadId = start(`call ${write("a.txt", "after")}`);
  const card = await scene.host.onePending(threadId);
  writeFileSync(join(scene.host.workspace, "a.txt"), "mine");
  await scene.host.decide(card, approve);
  await scene.host.until(
    () => pending(threadId)[0]?.digest !== undefined && pending(threadId)[0]?.digest !== card.digest,
  );
  expect(linesOf(join(scene.host.workspace, "a.txt"))).toEqual(["mine"]);
  await scene.host.decide(await scene.host.onePending(threadId), reject);
  await scene.host.untilStatus(threadId, "done");
});

it("is given the web, a question to the person, and the tools of servers, each through the gate", async () => {
  const server = tool(async ({ text }) => `sent ${text}`, {
    name: `mcp__mail__${"send".repeat(12)}`,
    description: "Sends",
    schema: z.object({ text: z.string() }),
  });
  const web = createWebTools({
    fetch: async (finalUrl) => ({ finalUrl, redirects: [], status: 200, text: "a page", truncated: false }),
  });
  await scene.openAnew({ toolsBeside: async () => [...web, server as unknown as StructuredTool] });
  // Together with what agents put before it, its name would be longer than some models take.
  const alias = `${server.name.slice(0, 36)}_${createHash("sha256").update(server.name).digest("hex").slice(0, 8)}`;
  const threadId = start(
    [
      `call ${call("fetch_url", { url: "https://page.example/" })}`,
      `call ${call(alias, { text: "hello" })}`,
      `call ${call("ask_human", { question: "Which colour?", choices: ["Red", "Green"] })}`,
    ].join("\n"),
  );
  const page = await scene.host.onePending(threadId);
  expect([page.tool, page.subject.kind]).toEqual(["fetch_url", "url"]);
  await scene.host.decide(page, approve);
  await scene.host.until(() => pending(threadId)[0]?.tool === server.name);
  await scene.host.decide(await scene.host.onePending(threadId), approve);
  scene.host.engine.autoApprove.turnOn(threadId, 30, 50);
  await scene.host.until(() => pending(threadId)[0]?.tool === "ask_human");
  const question = await scene.host.onePending(threadId);
  const choices = [{ answer: "Red" }, { answer: "Green" }];
  expect([question.allowed, question.subject]).toEqual([
    ["respond"],
    { kind: "question", question: "Which colour?", wants: "text", choices },
  ]);
  await scene.host.decide(question, { type: "respond", answer: "Green" });
  await scene.host.untilStatus(threadId, "done");
  const told = heard().filter((line) => line.startsWith("told"));
  expect(told).toEqual([
    expect.stringContaining("a page"),
    expect.stringContaining("sent hello"),
    expect.stringContaining("Green"),
  ]);
});

it("gives a call up, and nothing of it is asked or done any more", async () => {
  const threadId = start("give_up echo never >> done.txt");
  const card = await scene.host.onePending(threadId);
  process.kill(await programOf(threadId), "SIGUSR2");
  await scene.host.untilStatus(threadId, "done");
  expect(scene.host.stores.approvals.get(card.id)?.status).toBe("cancelled");
  expect([await scene.host.decide(card, approve), written()]).toMatchObject([{ ok: false }, []]);
});

it("takes its cards with it when it is killed, and what waits is never run", async () => {
  const threadId = start("run echo never >> done.txt");
  const card = await scene.host.onePending(threadId);
  process.kill(await programOf(threadId), "SIGKILL");
  await scene.host.untilStatus(threadId, "failed");
  expect([pending(threadId), await scene.host.decide(card, approve), written()]).toMatchObject([
    [],
    { ok: false },
    [],
  ]);
  expect(await processesOf(threadId)).toEqual([]);
});

it("gets no yes to act itself, and is governed as before", async () => {
  const threadId = start("self echo never >> done.txt");
  await scene.host.untilStatus(threadId, "done");
  expect(heard().filter((line) => line.startsWith("answered"))).toEqual([expect.stringMatching(/ reject$/)]);
  expect([written(), scene.host.stores.ledger.ofThread(threadId)]).toEqual([[], []]);
  expect(JSON.stringify(items(threadId))).toContain("told no");
  expect(levelOf(threadId)).toBe("governed");
});

it("is told that a call is too deep to be made, and goes on", async () => {
  const threadId = start("deep_call 3000\nsay on");
  await scene.host.untilStatus(threadId, "done");
  expect(
    heard().filter((line) => line.startsWith('told "') && line.includes("nested too deep")),
  ).toHaveLength(1);
  expect(JSON.stringify(items(threadId))).not.toContain("[[[");
});

it("is another program than its name says where it calls itself something else, and promises no more than to ask", async () => {
  const wrapped = (id: string) => {
    const { command, args, ...agent } = fakeAgent(id, join(scene.host.root, "fake-agent.txt"));
    const program = join(scene.host.root, id, "claude-agent-acp");
    mkdirSync(dirname(program), { recursive: true });
    const words = [command, ...args].map((word) => `'${word}'`).join(" ");
    writeFileSync(program, `#!/bin/sh\nexec ${words}\n`, { mode: 0o700 });
    return { ...agent, command: program, args: [] };
  };
  await scene.openAnew({ agentOf: wrapped, wayToGovern });
  const itself = start("say a", "one--named=@agentclientprotocol/claude-agent-acp");
  await scene.host.untilStatus(itself, "done");
  expect([levelOf(itself), JSON.stringify(items(itself))]).toEqual([
    "governed",
    expect.not.stringContaining("calls itself"),
  ]);
  const another = start("self echo a", "two");
  expect((await scene.host.onePending(another)).tool).toBe("outer__execute");
  expect([levelOf(another), JSON.stringify(items(another))]).toEqual([
    "asking",
    expect.stringContaining("calls itself fake"),
  ]);
});

describe("an act past our tools", () => {
  it.each([
    ["it tells of", "unasked echo past >> done.txt"],
    ["it calls by the name of our tool", "pretend execute"],
    ["it does not tell the end of", "unended echo past >> done.txt"],
  ])("that %s ends the turn, and from then on the agent is one that asks", async (_what, step) => {
    const threadId = start(step);
    await scene.host.untilStatus(threadId, "failed");
    expect(scene.host.stores.threads.get(threadId).problem).toContain("did something itself");
    expect([levelOf(threadId), await processesOf(threadId)]).toEqual(["asking", []]);
    expect(scene.host.stores.ledger.ofThread(threadId)).toEqual([]);
    await scene.host.kill();
    expect(levelOf(threadId)).toBe("asking");
    // It gets none of its own tools back for that: ours are what it has, and what it asks to do itself is asked about.
    scene.host.send(threadId, "run echo ours >> done.txt\nself echo asked >> done.txt\nunasked true");
    const ours = await scene.host.onePending(threadId);
    expect(ours.tool).toBe("execute");
    await scene.host.decide(ours, reject);
    await scene.host.until(() => pending(threadId)[0]?.tool === "outer__execute");
    await scene.host.decide(await scene.host.onePending(threadId), reject);
    await scene.host.untilStatus(threadId, "done");
    expect(written().filter((line) => line !== "past")).toEqual([]);
  });

  it("ends what it called for as well, also under auto-approve", async () => {
    const threadId = start("past_and_call echo late >> done.txt");
    scene.host.engine.autoApprove.turnOn(threadId, 30, 50);
    await scene.host.untilStatus(threadId, "failed");
    expect([written(), scene.host.stores.ledger.ofThread(threadId), pending(threadId)]).toEqual([[], [], []]);
    // What it called for after the end is no part of the thread either.
    expect(items(threadId).filter((item) => item.kind === "toolCall" && item.tool === "execute")).toEqual([]);
  });

  it("is noticed also between two turns", async () => {
    const threadId = start("at_rest true\nsay done");
    await scene.host.untilStatus(threadId, "done");
    process.kill(await programOf(threadId), "SIGUSR2");
    await scene.host.untilStatus(threadId, "failed");
    expect([levelOf(threadId), scene.host.stores.threads.get(threadId).problem]).toEqual([
      "asking",
      expect.stringContaining("did something itself"),
    ]);
  });
});

describe("after a restart", () => {
  it("a yes runs the call here, once, and the agent is told, also when it does not ask again", async () => {
    for (const agent of ["governed--obeys", "governed"]) {
      const threadId = start("run echo a >> done.txt", agent);
      await scene.host.onePending(threadId);
      await scene.host.kill();
      const card = await scene.host.onePending(threadId);
      expect(card.description).toBe(runsOnce);
      await scene.host.decide(card, approve);
      await scene.host.untilStatus(threadId, "done");
      expect([written(), scene.host.stores.ledger.ofThread(threadId).length]).toEqual([["a"], 1]);
      expect(heard().findLast((line) => line.startsWith("prompted"))).toContain("it was done here, once");
      rmSync(join(scene.host.workspace, "done.txt"));
    }
  });

  it("each of several is run once, whenever it was decided", async () => {
    const calls = ["a", "b"].map((word) => call("execute", { command: `echo ${word} >> done.txt` }));
    const threadId = start(`call ${calls.join(" ; ")}`, "governed--obeys");
    await scene.host.until(() => pending(threadId).length === 2);
    await scene.host.kill();
    const cards = pending(threadId);
    await Promise.all(cards.map((card) => scene.host.decide(card, approve)));
    await scene.host.untilStatus(threadId, "done");
    expect([written().sort(), scene.host.stores.approvals.unconsumed(threadId)]).toEqual([["a", "b"], []]);
  });

  it("what ended and may never have been heard of is told, and not run again for the same words", async () => {
    const threadId = start("run echo a >> done.txt; echo shown", "governed--deaf");
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.until(() => scene.host.stores.ledger.ofThread(threadId).length === 1);
    // That the agent wrote this down is no event of the scene.host.
    await expect.poll(() => heard().some((line) => line.startsWith("told"))).toBe(true);
    await scene.host.kill();
    scene.host.engine.actors.resume(threadId);
    await scene.host.untilStatus(threadId, "done");
    expect([written(), scene.host.stores.ledger.ofThread(threadId).length]).toEqual([["a"], 1]);
    const [, again] = heard().filter((line) => line.startsWith("prompted"));
    expect(again).toMatch(/had ended before you were cut off.*shown/);
    const told = heard().filter((line) => line.startsWith('told "'));
    expect([told.length, told[1]]).toEqual([2, expect.stringContaining("was not done again")]);
    // It is the same for that one call, and for no later one.
    scene.host.send(threadId, `call ${call("execute", { command: "echo a >> done.txt; echo shown" })}`);
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await expect.poll(written).toEqual(["a", "a"]);
  });

  it("what it calls for once more before is no sign that it has heard how the others ended", async () => {
    const [first, a, b] = ["first", "a", "b"].map((word) =>
      call("execute", { command: `echo ${word} >> done.txt` }),
    );
    const threadId = start(`call ${first}\ncall ${a} ; ${b}`);
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.until(() => pending(threadId).length === 2);
    await scene.host.decide(pending(threadId)[0]!, approve);
    await expect.poll(() => heard().filter((line) => line.startsWith('told "'))).toHaveLength(2);
    await scene.host.kill();
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    // It was told that this one had ended, and does it again all the same.
    await scene.host.decide(await scene.host.onePending(threadId), approve);
    await scene.host.untilStatus(threadId, "done");
    expect(written().sort()).toEqual(["a", "b", "first", "first"]);
  });

  it.each(["governed", "governed--obeys"])(
    "an answer to a question of %s is told to it, once",
    async (agent) => {
      const threadId = start(`call ${call("ask_human", { question: "Which?", choices: ["Red"] })}`, agent);
      await scene.host.onePending(threadId);
      await scene.host.kill();
      const card = await scene.host.onePending(threadId);
      expect([card.description, card.subject.kind]).toEqual([answerIsTold, "question"]);
      await scene.host.decide(card, { type: "respond", answer: "Red" });
      await scene.host.untilStatus(threadId, "done");
      expect(heard().findLast((line) => line.startsWith("prompted"))).toContain("The person answers: Red");
      expect(heard().filter((line) => line.startsWith('told "'))).toEqual(
        agent === "governed" ? ['told "Red"'] : [],
      );
      expect(scene.host.stores.ledger.ofThread(threadId)).toHaveLength(1);
    },
  );

  it("a question that is asked again takes its note back, since somebody waits", async () => {
    const threadId = start(`call ${call("ask_human", { question: "Which?" })}`);
    await scene.host.onePending(threadId);
    await scene.host.kill();
    scene.host.engine.actors.resume(threadId);
    await scene.host.until(() => pending(threadId)[0]?.description === undefined);
    await scene.host.decide(await scene.host.onePending(threadId), { type: "respond", answer: "Red" });
    await scene.host.untilStatus(threadId, "done");
    expect(heard().filter((line) => line.startsWith('told "'))).toEqual(['told "Red"']);
  });

  it("a person's changed arguments are for the same call alone, and their answer is told to the agent", async () => {
    const edited = start("run echo a >> done.txt");
    await scene.host.onePending(edited);
    await scene.host.kill();
    await scene.host.decide(await scene.host.onePending(edited), {
      type: "edit",
      args: { command: "echo c >> done.txt" },
    });
    await scene.host.untilStatus(edited, "done");
    const answered = start("run echo b >> done.txt");
    await scene.host.onePending(answered);
    await scene.host.kill();
    await scene.host.decide(await scene.host.onePending(answered), {
      type: "respond",
      answer: "it is done already",
    });
    await scene.host.untilStatus(answered, "done");
    expect(heard().findLast((line) => line.startsWith("prompted"))).toContain("it is done already");
    // Called for again, it has the end that it had.
    expect(heard()).toContain('told "it is done already"');
    expect(written()).toEqual(["c"]);
  });
});
