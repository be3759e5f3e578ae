/** The record of what was decided, as a person finds and exports it. */
import { readFile, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Approval, ShownApproval } from "../../shared/contract/approvals.ts";
import type { Sight } from "../../shared/contract/decisions.ts";
import type { LedgerEntry } from "../../shared/contract/ledger.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

withHost("file");

async function undo({ id }: Approval) {
  return (await console.client.call("approvals.undo", { ids: [id] })).outcomes[0];
}

describe("the ledger", () => {
  it("is found by what stands in a line, and exported whole, one line of JSON each", async () => {
    const threadId = await console.start("run echo lighthouse > lamp.txt");
    await console.approve(await console.onePending(threadId));
    await console.untilStatus(threadId, "done");
    const find = async (query: string) =>
      (await console.client.call("approvals.ledger", { threadId, query, limit: 10 })).entries.length;
    expect([await find("LIGHTHOUSE"), await find(folders.workspace), await find("windmill")]).toEqual([
      1, 1, 0,
    ]);
    const { path } = await console.client.call("approvals.exportLedger", {});
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength((await console.ledger()).length);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({
      threadId,
      tool: "execute",
      originalArgs: { command: "echo lighthouse > lamp.txt" },
      cwd: folders.workspace,
      by: { kind: "person" },
      receipt: { exitCode: 0 },
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("says what a person had on the screen, is found by it, and knows that who said nothing did not see all", async () => {
    const threadId = await console.start(
      "run touch seen\nrun touch glanced\nrun touch unsaid\nrun touch listed-1\nrun touch listed-2",
    );
    const asked = await console.untilPending(threadId, 5);
    const byFile = new Map(
      asked.map((one) => [one.subject.kind === "command" && one.subject.command.slice(6), one]),
    );
    const decide = (type: "approve" | "reject", items: Record<string, Sight | undefined>) =>
      console.client.call("approvals.decide", {
        commandId: newCommandId(),
        items: Object.entries(items).map(([file, seen]) => {
          const { id, digest } = byFile.get(file)!;
          return { id, digest, seen };
        }),
        decision: { type },
      });
    await decide("approve", { seen: { inFull: true, ms: 4_200 } });
    await decide("reject", { glanced: { inFull: false, ms: 300 } });
    await decide("reject", { unsaid: undefined });
    await decide("approve", {
      "listed-1": { inFull: true, ms: 900 },
      "listed-2": { inFull: false, ms: 900 },
    });
    await console.untilRest(threadId);
    await console.client.call("rules.add", {
      text: "touch ruled",
      effect: "allow",
      scope: "user",
      target: "command",
    });
    const ruled = await console.start("run touch ruled");
    await console.untilRest(ruled);

    const seenOf = (lines: LedgerEntry[]) =>
      Object.fromEntries(lines.map((line) => [String(line.originalArgs.command).slice(6), line.seen]));
    expect(seenOf([...(await console.ledger(threadId)), ...(await console.ledger(ruled))])).toEqual({
      seen: { inFull: true, ms: 4_200 },
      glanced: { inFull: false, ms: 300 },
      unsaid: { inFull: false, ms: 0 },
      "listed-1": { inFull: true, ms: 900, among: 2 },
      "listed-2": { inFull: false, ms: 900, among: 2 },
      ruled: undefined,
    });
    const found = async (seen: "inFull" | "notInFull") =>
      (await console.client.call("approvals.ledger", { seen, limit: 200 })).entries;
    const [inFull, notInFull] = [await found("inFull"), await found("notInFull")];
    expect(Object.keys(seenOf(inFull)).sort()).toEqual(["listed-1", "seen"]);
    expect(notInFull.map(({ by }) => by.kind)).not.toContain("rule");
    expect(Object.keys(seenOf(notInFull))).toEqual(expect.arrayContaining(["glanced", "unsaid", "listed-2"]));
    const { path } = await console.client.call("approvals.exportLedger", {});
    const exported = (await readFile(path, "utf8")).trimEnd().split("\n");
    expect(seenOf(exported.map((line) => JSON.parse(line)))).toMatchObject({
      seen: { inFull: true, ms: 4_200 },
    });
  });

  it("keeps nothing of a decision that was taken back", async () => {
    const threadId = await console.start("run touch looked-at-twice");
    const asked = await console.onePending(threadId);
    const decide = (item: ShownApproval, graceMs: number) =>
      console.client.call("approvals.decide", {
        commandId: newCommandId(),
        items: [item],
        decision: { type: "approve" },
        graceMs,
      });
    await decide({ id: asked.id, digest: asked.digest, seen: { inFull: true, ms: 5_000 } }, 10_000);
    await undo(asked);
    const { id, digest } = await console.onePending(threadId);
    await decide({ id, digest }, 0);
    await console.untilRest(threadId);
    expect(await console.ledger(threadId)).toMatchObject([{ seen: { inFull: false, ms: 0 } }]);
  });
});
