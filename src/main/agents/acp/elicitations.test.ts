/** What outer agents ask by forms and addresses stands in the queue as questions, and gets the answer of a person alone. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ThreadId } from "../../../shared/ids.ts";
import { answerIsTold } from "./card-notes.ts";
import { opened } from "./elicitation-form.ts";
import { programOf } from "./testing/marked-processes.ts";
import { createOuterScene, reject } from "./testing/outer-scene.ts";

const scene = createOuterScene();
const { start, heard, items, pending } = scene;
const form = (properties: object, required: string[] = []) =>
  JSON.stringify({ mode: "form", requestedSchema: { type: "object", properties, required } });
const colours = form({
  pick: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
  other: { type: "string" },
});
const typed = form({ count: { type: "integer", maximum: 9 }, sure: { type: "boolean" } }, ["count"]);
const address = JSON.stringify({ mode: "url", elicitationId: "e", url: "https://example.com/form" });
const told = () => heard().filter((line) => line.startsWith("elicited"));
const respond = (answer: unknown) => ({ type: "respond" as const, answer });

it.each(["fake", "governed"])(
  "of one that is %s, by a person's answer in the words of the agent",
  async (id) => {
    const threadId = start(`elicit ${colours}\nelicit ${colours}\nelicit ${typed}\nelicit ${address}`, id);
    scene.host.engine.autoApprove.turnOn(threadId, 30, 50);
    for (const [answer, kind] of [
      ["Red", "choices"],
      ["Green", "choices"],
      [{ count: 3, sure: true }, "fields"],
      [opened, "only"],
    ] as const) {
      const card = await scene.host.onePending(threadId);
      expect([card.allowed, card.risk, card.tool]).toEqual([["respond", "reject"], "medium", "ask_human"]);
      expect(card.subject).toMatchObject({ kind: "question", [kind]: expect.anything() });
      expect(await scene.host.decide(card, { type: "approve" })).toMatchObject({ ok: false });
      expect(await scene.host.decide(card, respond(answer))).toMatchObject({ ok: true });
      await scene.host.until(() => !pending(threadId).some((one) => one.id === card.id));
    }
    await scene.host.untilStatus(threadId, "done");
    const accepted = (content: object) => `elicited ${JSON.stringify({ action: "accept", content })}`;
    expect(told()).toEqual([{ pick: "r" }, { other: "Green" }, { count: 3, sure: true }, {}].map(accepted));
    expect(scene.host.stores.ledger.ofThread(threadId).map(({ by }) => by.kind)).toEqual(
      Array.from({ length: 4 }, () => "person"),
    );
  },
);

it("takes no answer that does not fit, and names the field", async () => {
  const threadId = start(`elicit ${typed}\nelicit ${address}`);
  const card = await scene.host.onePending(threadId);
  for (const answer of [{ count: 10 }, { sure: true }, { count: 1, extra: 1 }, "three", null])
    expect(await scene.host.decide(card, respond(answer))).toMatchObject({ ok: false });
  expect(await scene.host.decide(card, respond({ count: 10 }))).toMatchObject({
    reason: expect.stringContaining("“count”"),
  });
  await scene.host.decide(card, respond({ count: 1 }));
  await scene.host.until(() => pending(threadId).some((one) => one.id !== card.id));
  const link = await scene.host.onePending(threadId);
  expect(await scene.host.decide(link, respond("whatever"))).toMatchObject({ ok: false });
  await scene.host.decide(link, reject);
  await scene.host.untilStatus(threadId, "done");
  expect(told().at(-1)).toBe('elicited {"action":"decline"}');
});

it.each([
  ["a turn that is over", `elicit_and_leave ${colours}`, "done"],
  ["an agent that died", `elicit ${colours}`, "failed"],
] as const)("takes the card of %s out of the queue", async (_what, step, status) => {
  const threadId = start(step);
  if (status === "failed") {
    await scene.host.onePending(threadId);
    process.kill(await programOf(threadId), "SIGKILL");
  }
  await scene.host.untilStatus(threadId, status);
  expect(pending(threadId)).toEqual([]);
});

it("is cancelled by a stop", async () => {
  const threadId = start(`elicit ${colours}`);
  await scene.host.onePending(threadId);
  await scene.host.engine.actors.stop(threadId, new Error("stopped"));
  await scene.host.until(() => pending(threadId).length === 0);
  expect(told().filter((line) => line.includes("accept"))).toEqual([]);
});

const text = { type: "string" };
it.each([
  ["a secret", form({ apiKey: text })],
  ["a megabyte", form({ a: { ...text, description: "x".repeat(1_000_000) } })],
  ["a thousand fields", form(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, text])))],
  ["an unknown type", form({ a: { type: "file" } })],
  ["an unknown way", JSON.stringify({ mode: "voice" })],
  ["no protected address", JSON.stringify({ mode: "url", elicitationId: "e", url: "http://a.example" })],
])("asks nobody for %s, answers at once, and says so in the thread", async (_what, asked) => {
  const threadId = start(`elicit ${asked}`);
  await scene.host.untilStatus(threadId, "done");
  expect(told()).toEqual(['elicited {"action":"cancel"}']);
  expect(scene.host.stores.approvals.latestOf(threadId)).toBeUndefined();
  expect(items(threadId)).toContainEqual(
    expect.objectContaining({ kind: "notice", text: expect.stringContaining("told that nobody answers") }),
  );
});

it("answers nobody who asks for another session", async () => {
  const threadId = start(`elicit ${JSON.stringify({ ...JSON.parse(colours), sessionId: "another" })}`);
  await scene.host.untilStatus(threadId, "done");
  expect(told()).toEqual(['elicited {"action":"cancel"}']);
});

describe("after a restart", () => {
  it.each(["fake", "fake--obeys"])(
    "of %s, the card says that nobody waits, and the answer is told",
    async (id) => {
      const threadId = start(`elicit ${colours}`, id);
      await scene.host.onePending(threadId);
      await scene.host.kill();
      const card = await scene.host.onePending(threadId);
      expect(card.description).toBe(answerIsTold);
      await scene.host.decide(card, respond("Red"));
      await scene.host.untilStatus(threadId, "done");
      expect(heard().findLast((line) => line.startsWith("prompted"))).toContain("The person answers: Red");
      // Asked again for the same, it has the answer that it was given.
      const again = id === "fake" ? ['elicited {"action":"accept","content":{"pick":"r"}}'] : [];
      expect(told().filter((line) => line.includes("accept"))).toEqual(again);
      expect(scene.host.stores.ledger.ofThread(threadId)).toHaveLength(1);
    },
  );
});

it("keeps nothing of a form that asks for a secret", async () => {
  const threadId = start(`elicit ${form({ password: { ...text, description: "such as hunter2-xyz" } })}`);
  await scene.host.untilStatus(threadId, "done");
  const kept = JSON.stringify(items(threadId).filter(({ kind }) => kind !== "userMessage"));
  expect(kept).not.toContain("hunter2-xyz");
  expect(readFileSync(join(scene.host.root, "fake-agent.txt"), "utf8")).toContain("cancel");
});

describe.each(["session", "prompt"])("an agent that wants somebody to sign in, with its %s,", (step) => {
  const signedOut = `fake--signed-out=${step}`;
  const question = (threadId: ThreadId) => {
    const { subject } = pending(threadId)[0]!;
    return subject.kind === "question" ? subject : undefined;
  };

  it("is signed in to by the way that a person chooses, and goes on; what went wrong is asked about anew", async () => {
    const threadId = start("say hello", signedOut);
    scene.host.engine.autoApprove.turnOn(threadId, 30, 50);
    for (const [why, answer] of [
      ["Authentication required", reject],
      ["The page was closed", respond(opened)],
    ] as const) {
      const way = await scene.host.onePending(threadId);
      expect(question(threadId)?.question).toContain(`Fake wants you to sign in (${why})`);
      // Neither the way that wants a key nor that in a terminal can be gone from here.
      expect(question(threadId)?.choices).toEqual([{ answer: "1. In the browser", about: "Opens a page" }]);
      expect(await scene.host.decide(way, { type: "approve" })).toMatchObject({ ok: false });
      await scene.host.decide(way, respond("1. In the browser"));
      await scene.host.until(() => pending(threadId).some(({ id }) => id !== way.id));
      expect(question(threadId)?.question).toContain("https://example.com/code");
      await scene.host.decide(await scene.host.onePending(threadId), answer);
      await scene.host.until(() =>
        pending(threadId).every(({ subject }) => JSON.stringify(subject).includes("sign in")),
      );
    }
    await scene.host.untilStatus(threadId, "done");
    expect(items(threadId)).toContainEqual(expect.objectContaining({ kind: "agentMessage", text: "hello" }));
  });

  it("is not started where a person does not, and its card goes with it", async () => {
    const rejected = start("say hello", signedOut);
    // A no is none of the ways, whatever its reason says.
    await scene.host.decide(await scene.host.onePending(rejected), {
      ...reject,
      message: "1. In the browser",
    });
    await scene.host.untilStatus(rejected, "failed");
    expect(scene.host.stores.threads.get(rejected).problem).toBe("Fake was not signed in, as you decided.");
    const killed = start("say hello", signedOut);
    await scene.host.onePending(killed);
    process.kill(await programOf(killed), "SIGKILL");
    await scene.host.untilStatus(killed, "failed");
    expect(pending(killed)).toEqual([]);
  });
});
