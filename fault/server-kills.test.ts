/** Kills the host, or cuts its server, at random moments of answers and messages to a server: nothing lost, nothing twice. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { batchOf, ScriptedServer } from "../src/main/agents/servers/testing/scripted-server.ts";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { Approval } from "../src/shared/contract/approvals.ts";
import type { ThreadId } from "../src/shared/ids.ts";
import type { HostProcess } from "./host-process.ts";
import { openScene, type Scene } from "./scene.ts";

/** `COUNTERSIGN_FAULT_KILLS=200` for the long run; `COUNTERSIGN_FAULT_SEED` repeats one. */
const kills = Number(process.env.COUNTERSIGN_FAULT_KILLS ?? "1");
const seed = Number(process.env.COUNTERSIGN_FAULT_SEED ?? Date.now() % 2 ** 31);

let scene: Scene;
let server: ScriptedServer;

beforeEach(async () => {
  scene = await openScene();
  server = new ScriptedServer();
  await server.start();
});
afterEach(async () => {
  await scene.close();
  await server.stop();
});

type Round = {
  what: "answer" | "message";
  victim: "host" | "server";
  /** When the victim dies after the person acted, and when the server takes a request up; in ms. */
  killAfterMs: number;
  serverAfterMs: number;
};
const rounds = fc.record<Round>({
  what: fc.constantFrom("answer", "message"),
  victim: fc.constantFrom("host", "host", "server"),
  killAfterMs: fc.noBias(fc.integer({ min: 0, max: 250 })),
  serverAfterMs: fc.noBias(fc.integer({ min: 0, max: 150 })),
});

/** `said` are cards of a server that was dead, each of which said so. */
const tally = { rounds: 0, done: 0, told: 0, lost: 0, twice: 0, said: 0 };
const look = (host: HostProcess) => host.client.call("remoteServers.look", { id: "farm" });
const pause = (ms: number) => new Promise((over) => setTimeout(over, ms));
const effectsOf = (mark: string) => server.effects.filter((one) => JSON.stringify(one).includes(mark)).length;

/** The server takes answers and messages up late, also when nobody listens for what it says any more. */
function beSlow({ serverAfterMs }: Round): void {
  for (const route of ["answer", "begin"] as const)
    server.instead.set(route, (_response, go) => void setTimeout(go, serverAfterMs));
}

/** @returns the host that goes on, when nothing goes on that the kill cut. */
async function killed(
  host: HostProcess,
  { victim, killAfterMs, serverAfterMs }: Round,
): Promise<HostProcess> {
  await pause(killAfterMs);
  if (victim === "host") await host.kill();
  else {
    await server.stop();
    await look(host);
    const cards = (on: HostProcess) => on.pending().filter(({ server }) => server !== undefined);
    await host.until(
      (on) => cards(on).every((card) => card.server?.standing.kind === "unseen"),
      "each card of the dead server says so",
    );
    tally.said += cards(host).length;
  }
  await pause(serverAfterMs);
  server.instead.clear();
  if (victim === "server") {
    await server.start();
    return host;
  }
  return scene.start();
}

const cardOf = (host: HostProcess, thread: string): Approval | undefined =>
  host.pending().find((one) => one.server?.thread === thread);

/** How the newest answer about a thread ended; nothing while nobody knows, or where none was begun. */
async function proofOf(host: HostProcess, threadId: ThreadId): Promise<string | undefined> {
  const { entries } = await host.client.call("approvals.ledger", { limit: 50 });
  return entries.find((entry) => entry.threadId === threadId)?.receipt?.answer?.proof;
}

async function answerRound(host: HostProcess, round: Round, count: number): Promise<HostProcess> {
  const [name, mark] = [`t${count}`, `mark-${count}-end`];
  server.ask(name, batchOf(`ask ${count}`));
  await look(host);
  await host.until((on) => cardOf(on, name) !== undefined, "its card");
  const { threadId } = cardOf(host, name)!;
  beSlow(round);
  let decisions = 0;
  const decide = (on: HostProcess) => {
    const card = cardOf(on, name);
    if (card?.server?.standing.kind !== "waits") return undefined;
    decisions += 1;
    return on.decide(card, { type: "edit", args: { command: mark } }).catch(() => undefined);
  };
  void decide(host);
  const on = await killed(host, round);
  let proof: string | undefined;
  // What was decided is followed to its end; what waits again is decided again, as a person would.
  while (!["applied", "taken", "elsewhere", "gone", "unknown"].includes(proof ?? "")) {
    await look(on);
    await pause(20);
    proof = await proofOf(on, threadId);
    if (proof === undefined || proof === "unsent" || proof === "lost") await decide(on);
  }
  const effects = effectsOf(mark);
  tally.twice += Number(effects > 1);
  tally.done += Number(effects === 1);
  tally.told += Number(effects === 0 && proof === "unknown");
  tally.lost += Number(effects === 0 && proof !== "unknown");
  expect(effects + Number(proof === "unknown"), `${name}: ${proof}`).toBeGreaterThan(0);
  expect(effects, `${name}: ${proof}`).toBeLessThanOrEqual(1);
  if (proof === "applied") expect(effects).toBe(1);
  const sent = server.heardOf("answer").filter(({ path }) => path.includes(`/${name}/`)).length;
  expect(sent).toBeLessThanOrEqual(decisions);
  const card = cardOf(on, name);
  if (card) await on.decide(card, { type: "reject" });
  return on;
}

async function messageRound(host: HostProcess, round: Round, count: number): Promise<HostProcess> {
  const text = `message ${count} end`;
  const input = { commandId: newCommandId(), id: "farm", assistant: "assistant-1", text };
  beSlow(round);
  const begun = host.client.call("remoteServers.start", input).catch(() => undefined);
  const first = await Promise.race([begun, host.exited.then(() => undefined)]);
  const on = await killed(host, round);
  const threadId = first?.threadId ?? (await on.client.call("remoteServers.start", input)).threadId;
  const heard = () => server.heardOf("begin").filter(({ body }) => JSON.stringify(body).includes(text));
  const statusOf = () => on.threads.get(threadId)?.status ?? "";
  await on.until(() => on.threads.has(threadId), "its thread is there");
  while (!["done", "failed"].includes(statusOf())) {
    for (const [name, thread] of server.threads) if (thread.status === "busy") server.finish(name);
    await pause(20);
  }
  const runs = [...server.threads.values()].flatMap((thread) => thread.messages ?? []);
  const effects = runs.filter((message) => JSON.stringify(message).includes(text)).length;
  const problem = on.threads.get(threadId)?.problem ?? "";
  const isTold =
    statusOf() === "failed" &&
    /^(?:Nobody knows whether the message arrived|The message was not sent)/.test(problem);
  tally.twice += Number(effects > 1);
  tally.done += Number(effects === 1);
  tally.told += Number(effects === 0 && isTold);
  tally.lost += Number(effects === 0 && !isTold);
  expect(effects + Number(isTold), problem).toBeGreaterThan(0);
  expect(heard().length, problem).toBeLessThanOrEqual(1);
  expect(effects).toBeLessThanOrEqual(1);
  return on;
}

it(`answers and messages over ${kills} random kills (seed ${seed})`, {
  timeout: kills * 60_000,
}, async () => {
  let host = await scene.start();
  const entered = { id: "farm", name: "Farm", url: server.url, auth: "none" as const };
  await host.client.call("remoteServers.save", entered);
  // Nobody ever decides about this one.
  server.ask("waits", batchOf("wait"));
  await look(host);
  await fc.assert(
    fc.asyncProperty(rounds, async (round) => {
      tally.rounds += 1;
      const act = round.what === "answer" ? answerRound : messageRound;
      host = await act(host, round, tally.rounds);
    }),
    { numRuns: kills, seed, endOnFailure: true },
  );
  if (kills > 1) console.log(JSON.stringify(tally));
  expect(tally).toMatchObject({ lost: 0, twice: 0 });
});
