import { describe, expect, it } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders, roomyMs, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

/** Each test has commands of its own, since the decisions of all stand in one record. */
let made = 0;
const fresh = () => {
  made += 1;
  return `make part-${made}`;
};

const three = ["approve", "approve", "approve"] as const;

/** Decides the first ones of a thread's requests, one after the other, and hands out the one that waits then. */
async function decideAlike(
  commands: readonly string[],
  types: readonly ("approve" | "reject")[],
): Promise<{ threadId: ThreadId; waiting: Approval }> {
  const threadId = await console.start(commands.map((command) => `run ${command}`).join("\n\n"));
  for (const type of types) await console.decide(await console.onePending(threadId), { type });
  return { threadId, waiting: await console.onePending(threadId) };
}

const offerFor = async ({ id }: Approval) => (await console.client.call("rules.offer", { id })).offer;

describe("a rule", () => {
  it("is offered after three like decisions", async () => {
    const command = fresh();
    const { waiting } = await decideAlike(Array(4).fill(command), three);
    expect(await offerFor(waiting)).toEqual({ text: command, approved: 3 });
  });

  it("is offered while the last of them can still be taken back, and its dialog counts that one too", async () => {
    const command = fresh();
    const { threadId, waiting } = await decideAlike(Array(3).fill(command), three.slice(1));
    await console.approve(waiting, roomyMs);
    const other = await console.start(`run ${command}`);
    const offered = await console.onePending(other);
    expect(await offerFor(offered)).toEqual({ text: command, approved: 3 });
    const { workspace } = folders;
    const rule = {
      text: command,
      effect: "allow",
      scope: "workspace",
      target: "command",
      workspace,
    } as const;
    expect(await console.client.call("rules.preview", rule)).toMatchObject({ wouldApprove: 3 });
    expect(await console.client.call("approvals.undo", { ids: [waiting.id] })).toBeDefined();
    expect(await offerFor(offered)).toBeUndefined();
    await console.decide(await console.onePending(threadId), { type: "reject" });
  });

  it.each([
    ["two", ["approve", "approve"]],
    ["four of which one was rejected", ["approve", "reject", "approve", "approve"]],
  ] as const)("is not offered after %s", async (_what, types) => {
    const { waiting } = await decideAlike(Array(types.length + 1).fill(fresh()), types);
    expect(await offerFor(waiting)).toBeUndefined();
  });

  it("is not offered where most of its form would not be answered by it", async () => {
    const commands = ["one", "two", "three", "four"].map((name) => `npm run ${name}`);
    const { waiting } = await decideAlike(commands, three);
    expect(await offerFor(waiting)).toBeUndefined();
  });

  it("is not offered where it would have answered something of another form that was rejected", async () => {
    const command = fresh();
    const { waiting } = await decideAlike(
      [`${command} --all`, ...Array(4).fill(command)],
      ["reject", ...three],
    );
    expect(await offerFor(waiting)).toBeUndefined();
  });

  it.each([["git push origin main"], ["rm -rf build"]])(
    "is never offered for what no rule passes: %s",
    async (command) => {
      const { waiting } = await decideAlike(Array(4).fill(command), three);
      expect(await offerFor(waiting)).toBeUndefined();
    },
  );

  it("is offered among the rules of the record until it is declined", async () => {
    const command = fresh();
    await decideAlike(Array(4).fill(command), three);
    const suggested = async () =>
      (await console.client.call("rules.suggest", {})).rules.filter(({ text }) => text === command);
    const { workspace } = folders;
    expect(await suggested()).toEqual([{ text: command, exact: false, approved: 3, workspace }]);
    await console.client.call("rules.declineOffer", { workspace, text: command });
    expect(await suggested()).toEqual([]);
  });

  it("that was declined is not offered again, after a restart neither", async () => {
    const command = fresh();
    const { threadId, waiting } = await decideAlike(Array(5).fill(command), three);
    expect(await offerFor(waiting)).toBeDefined();
    await console.client.call("rules.declineOffer", { workspace: folders.workspace, text: command });
    expect(await offerFor(waiting)).toBeUndefined();
    await reopen();
    expect(await offerFor(await console.onePending(threadId))).toBeUndefined();
  });
});
