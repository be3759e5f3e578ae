/** What a governed agent may do: our tools through our gate, and nothing past them that stays unseen. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentId, ThreadId } from "../../../shared/ids.ts";
import { SourceHost } from "../../engine/testing/source-host.ts";
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

const start = (text: string) => host.start(outerSource, text, "governed" as AgentId);
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

it("gets no yes to act itself", async () => {
  const threadId = start("self echo never >> done.txt");
  await host.untilStatus(threadId, "failed");
  expect(heard().filter((line) => line.startsWith("answered"))).toEqual([expect.stringMatching(/ reject$/)]);
  expect([written(), host.stores.ledger.ofThread(threadId)]).toEqual([[], []]);
  expect(JSON.stringify(items(threadId))).toContain("told no");
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
    host.send(threadId, "run echo asked >> done.txt");
    const card = await host.onePending(threadId);
    expect(card.tool).toBe("outer__execute");
    await host.decide(card, reject);
    await host.untilStatus(threadId, "done");
    expect(written()).not.toContain("asked");
  });
});

describe("after a restart", () => {
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
    await host.until(() => heard().some((line) => line.includes("it is done already")));
    const again = await host.onePending(answered);
    await host.decide(again, reject);
    await host.untilStatus(answered, "done");
    expect(written()).toEqual(["c"]);
  });
});
