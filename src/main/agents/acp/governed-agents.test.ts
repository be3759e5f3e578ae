/** What a governed agent may do: our tools through our gate, and nothing past them that stays unseen. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StructuredTool } from "@langchain/core/tools";
import { tool } from "langchain";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentId, ThreadId } from "../../../shared/ids.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
import { createWebTools } from "../deep-agent/tools/web-tools.ts";
import { runsOnce } from "./card-notes.ts";
import { outerSource } from "./outer-agents.ts";
import { processesOf, programOf } from "./testing/marked-processes.ts";

let host: SourceHost;

beforeEach(async () => {
  host = new SourceHost();
  await host.open();
});

afterEach(async () => {
  await host.close();
  host.remove();
});

const approve = { type: "approve" as const };
const reject = { type: "reject" as const };

const start = (text: string, agent = "governed") => host.start(outerSource, text, agent as AgentId);
const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []);
const heard = () => linesOf(join(host.root, "fake-agent.txt"));
const written = () => linesOf(join(host.workspace, "done.txt"));
const items = (threadId: ThreadId) => host.stores.log.page(threadId, 50).items;
const pending = (threadId: ThreadId) => host.stores.approvals.pending(threadId);
const levelOf = (threadId: ThreadId) => {
  const thread = host.stores.threads.get(threadId);
  return host.engine.sources.of(thread).actsItself?.(thread).level;
};
const call = (tool: string, args: object) => `${tool} ${JSON.stringify(args)}`;
const write = (path: string, content: string) => call("write_file", { file_path: path, content });

it("reads freely, is judged and refused, and asks side by side, as the built-in agent does", async () => {
  const path = join(host.workspace, "notes.md");
  writeFileSync(path, "remember the milk");
  const threadId = start(
    [
      `call ${call("read_file", { file_path: path })} ; ${call("execute", { command: "rm -rf /" })} ; ${call("nothing", {})} ; ${call("execute", {})}`,
      `call ${write("a.txt", "a")} ; ${write("b.txt", "b")}`,
    ].join("\n"),
  );
  await host.until(() => pending(threadId).length === 2);
  expect(levelOf(threadId)).toBe("governed");
  const told = heard().filter((line) => line.startsWith("told"));
  for (const words of ["remember the milk", "Refused", "no tool named nothing", "do not fit"])
    expect(
      told.filter((line) => line.includes(words)),
      words,
    ).toHaveLength(1);
  for (const card of pending(threadId)) {
    expect([card.tool, card.subject.kind]).toEqual(["write_file", "file"]);
    await host.decide(card, approve);
  }
  await host.untilStatus(threadId, "done");
  expect([linesOf(join(host.workspace, "a.txt")), linesOf(join(host.workspace, "b.txt"))]).toEqual([
    ["a"],
    ["b"],
  ]);
  // Each call is drawn once: as ours, and not as what the agent told of it.
  const drawn = items(threadId).flatMap((item) => (item.kind === "toolCall" ? [item.tool] : []));
  expect(drawn).toEqual(["read_file", "execute", "nothing", "execute", "write_file", "write_file"]);
});

it("is asked anew when the file is not what the card showed any more", async () => {
  writeFileSync(join(host.workspace, "a.txt"), "before");
  const threadId = start(`call ${write("a.txt", "after")}`);
  const card = await host.onePending(threadId);
  writeFileSync(join(host.workspace, "a.txt"), "mine");
  await host.decide(card, approve);
  await host.until(
    () => pending(threadId)[0]?.digest !== undefined && pending(threadId)[0]?.digest !== card.digest,
  );
  expect(linesOf(join(host.workspace, "a.txt"))).toEqual(["mine"]);
  await host.decide(await host.onePending(threadId), reject);
  await host.untilStatus(threadId, "done");
});

it("is given the web, a question to the person, and the tools of servers, each through the gate", async () => {
  await host.close();
  const server = tool(async ({ text }) => `sent ${text}`, {
    name: `mcp__mail__${"send".repeat(12)}`,
    description: "Sends",
    schema: z.object({ text: z.string() }),
  });
  const web = createWebTools({
    fetch: async (finalUrl) => ({ finalUrl, redirects: [], status: 200, text: "a page", truncated: false }),
  });
  host = new SourceHost({ toolsBeside: async () => [...web, server as unknown as StructuredTool] });
  await host.open();
  // Together with what agents put before it, its name would be longer than some models take.
  const alias = `${server.name.slice(0, 36)}_${createHash("sha256").update(server.name).digest("hex").slice(0, 8)}`;
  const threadId = start(
    [
      `call ${call("fetch_url", { url: "https://page.example/" })}`,
      `call ${call(alias, { text: "hello" })}`,
      `call ${call("ask_human", { question: "Which colour?" })}`,
    ].join("\n"),
  );
  const page = await host.onePending(threadId);
  expect([page.tool, page.subject.kind]).toEqual(["fetch_url", "url"]);
  await host.decide(page, approve);
  await host.until(() => pending(threadId)[0]?.tool === server.name);
  await host.decide(await host.onePending(threadId), approve);
  host.engine.autoApprove.turnOn(threadId, 30, 50);
  await host.until(() => pending(threadId)[0]?.tool === "ask_human");
  const question = await host.onePending(threadId);
  expect(question.allowed).toEqual(["respond", "reject"]);
  await host.decide(question, { type: "respond", answer: "Green" });
  await host.untilStatus(threadId, "done");
  const told = heard().filter((line) => line.startsWith("told"));
  expect(told).toEqual([
    expect.stringContaining("a page"),
    expect.stringContaining("sent hello"),
    expect.stringContaining("Green"),
  ]);
});

it("gives a call up, and nothing of it is asked or done any more", async () => {
  const threadId = start("give_up echo never >> done.txt");
  const card = await host.onePending(threadId);
  process.kill(await programOf(threadId), "SIGUSR2");
  await host.untilStatus(threadId, "done");
  expect(host.stores.approvals.get(card.id)?.status).toBe("cancelled");
  expect([await host.decide(card, approve), written()]).toMatchObject([{ ok: false }, []]);
});

it("takes its cards with it when it is killed, and what waits is never run", async () => {
  const threadId = start("run echo never >> done.txt");
  const card = await host.onePending(threadId);
  process.kill(await programOf(threadId), "SIGKILL");
  await host.untilStatus(threadId, "failed");
  expect([pending(threadId), await host.decide(card, approve), written()]).toMatchObject([
    [],
    { ok: false },
    [],
  ]);
  expect(await processesOf(threadId)).toEqual([]);
});

it("gets no yes to act itself, and is governed as before", async () => {
  const threadId = start("self echo never >> done.txt");
  await host.untilStatus(threadId, "done");
  expect(heard().filter((line) => line.startsWith("answered"))).toEqual([expect.stringMatching(/ reject$/)]);
  expect([written(), host.stores.ledger.ofThread(threadId)]).toEqual([[], []]);
  expect(JSON.stringify(items(threadId))).toContain("told no");
  expect(levelOf(threadId)).toBe("governed");
});

it("is told that a call is too deep to be made, and goes on", async () => {
  const threadId = start("deep_call 3000\nsay on");
  await host.untilStatus(threadId, "done");
  expect(
    heard().filter((line) => line.startsWith('told "') && line.includes("nested too deep")),
  ).toHaveLength(1);
  expect(JSON.stringify(items(threadId))).not.toContain("[[[");
});

describe("an act past our tools", () => {
  it.each([
    ["it tells of", "unasked echo past >> done.txt"],
    ["it calls by the name of our tool", "pretend execute"],
    ["it does not tell the end of", "unended echo past >> done.txt"],
  ])("that %s ends the turn, and from then on the agent is one that asks", async (_what, step) => {
    const threadId = start(step);
    await host.untilStatus(threadId, "failed");
    expect(host.stores.threads.get(threadId).problem).toContain("did something itself");
    expect([levelOf(threadId), await processesOf(threadId)]).toEqual(["asking", []]);
    expect(host.stores.ledger.ofThread(threadId)).toEqual([]);
    await host.kill();
    expect(levelOf(threadId)).toBe("asking");
    // It gets none of its own tools back for that: ours are what it has, and what it asks to do itself is asked about.
    host.send(threadId, "run echo ours >> done.txt\nself echo asked >> done.txt\nunasked true");
    const ours = await host.onePending(threadId);
    expect(ours.tool).toBe("execute");
    await host.decide(ours, reject);
    await host.until(() => pending(threadId)[0]?.tool === "outer__execute");
    await host.decide(await host.onePending(threadId), reject);
    await host.untilStatus(threadId, "done");
    expect(written().filter((line) => line !== "past")).toEqual([]);
  });

  it("ends what it called for as well, also under auto-approve", async () => {
    const threadId = start("past_and_call echo late >> done.txt");
    host.engine.autoApprove.turnOn(threadId, 30, 50);
    await host.untilStatus(threadId, "failed");
    expect([written(), host.stores.ledger.ofThread(threadId), pending(threadId)]).toEqual([[], [], []]);
  });

  it("is noticed also between two turns", async () => {
    const threadId = start("at_rest true\nsay done");
    await host.untilStatus(threadId, "done");
    process.kill(await programOf(threadId), "SIGUSR2");
    await host.untilStatus(threadId, "failed");
    expect([levelOf(threadId), host.stores.threads.get(threadId).problem]).toEqual([
      "asking",
      expect.stringContaining("did something itself"),
    ]);
  });
});

describe("after a restart", () => {
  it("a yes runs the call here, once, and the agent is told, also when it does not ask again", async () => {
    for (const agent of ["governed--obeys", "governed"]) {
      const threadId = start("run echo a >> done.txt", agent);
      await host.onePending(threadId);
      await host.kill();
      const card = await host.onePending(threadId);
      expect(card.description).toBe(runsOnce);
      await host.decide(card, approve);
      await host.untilStatus(threadId, "done");
      expect([written(), host.stores.ledger.ofThread(threadId).length]).toEqual([["a"], 1]);
      expect(heard().findLast((line) => line.startsWith("prompted"))).toContain("it was done here, once");
      rmSync(join(host.workspace, "done.txt"));
    }
  });

  it("each of several is run once, whenever it was decided", async () => {
    const calls = ["a", "b"].map((word) => call("execute", { command: `echo ${word} >> done.txt` }));
    const threadId = start(`call ${calls.join(" ; ")}`, "governed--obeys");
    await host.until(() => pending(threadId).length === 2);
    await host.kill();
    const cards = pending(threadId);
    await Promise.all(cards.map((card) => host.decide(card, approve)));
    await host.untilStatus(threadId, "done");
    expect([written().sort(), host.stores.approvals.unconsumed(threadId)]).toEqual([["a", "b"], []]);
  });

  it("what ended and may never have been heard of is told, and not run again for the same words", async () => {
    const threadId = start("run echo a >> done.txt; echo shown", "governed--deaf");
    await host.decide(await host.onePending(threadId), approve);
    await host.until(() => host.stores.ledger.ofThread(threadId).length === 1);
    // That the agent wrote this down is no event of the host.
    await expect.poll(() => heard().some((line) => line.startsWith("told"))).toBe(true);
    await host.kill();
    host.engine.actors.resume(threadId);
    await host.untilStatus(threadId, "done");
    expect([written(), host.stores.ledger.ofThread(threadId).length]).toEqual([["a"], 1]);
    const [, again] = heard().filter((line) => line.startsWith("prompted"));
    expect(again).toMatch(/had ended before you were cut off.*shown/);
    expect(heard().filter((line) => line.startsWith('told "'))).toHaveLength(2);
    // It is the same for that one call, and for no later one.
    host.send(threadId, `call ${call("execute", { command: "echo a >> done.txt; echo shown" })}`);
    await host.decide(await host.onePending(threadId), approve);
    await expect.poll(written).toEqual(["a", "a"]);
  });

  it("a person's changed arguments are for the same call alone, and their answer is told to the agent", async () => {
    const edited = start("run echo a >> done.txt");
    await host.onePending(edited);
    await host.kill();
    await host.decide(await host.onePending(edited), {
      type: "edit",
      args: { command: "echo c >> done.txt" },
    });
    await host.untilStatus(edited, "done");
    const answered = start("run echo b >> done.txt");
    await host.onePending(answered);
    await host.kill();
    await host.decide(await host.onePending(answered), { type: "respond", answer: "it is done already" });
    await host.untilStatus(answered, "done");
    expect(heard().findLast((line) => line.startsWith("prompted"))).toContain("it is done already");
    // Called for again, it has the end that it had.
    expect(heard()).toContain('told "it is done already"');
    expect(written()).toEqual(["c"]);
  });
});
