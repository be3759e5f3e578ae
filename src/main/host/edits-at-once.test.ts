/** Several changes of one file in one message, as models make them daily: none is lost, and each report is true. */
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

withHost("file");

const at = (file: string) => join(folders.workspace, file);
const letters = ["a", "b", "c", "d", "e"];

/** A file with a line for each letter, and a message that edits each of them. */
async function prepare(file: string): Promise<string> {
  await writeFile(at(file), letters.join("\n"));
  return letters.map((letter) => `edit ${file} ${letter} => ${letter.toUpperCase()}`).join("\n");
}

async function approveTogether(threadId: ThreadId, count: number, graceMs = 0) {
  const waiting = await console.untilPending(threadId, count);
  const { outcomes } = await console.client.call("approvals.decide", {
    commandId: newCommandId(),
    items: waiting.map(({ id, digest }) => ({ id, digest })),
    decision: { type: "approve" },
    graceMs,
  });
  expect(outcomes.map(({ ok }) => ok)).toEqual(Array(count).fill(true));
}

/** An edit that was made meanwhile may have changed what the next card shows; then it has to be looked at again. */
async function approveAsItIsNow(shown: Approval, graceMs: number) {
  const outcome = await console.approve(shown, graceMs);
  if (outcome.ok) return;
  expect(outcome.reason).toContain("changed since this was shown");
  await approveAsItIsNow(outcome.approval!, graceMs);
}

async function expectAllMade(threadId: ThreadId, file: string) {
  await console.untilStatus(threadId, "done");
  expect(await readFile(at(file), "utf8")).toBe("A\nB\nC\nD\nE");
  expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome)).toEqual(letters.map(() => "ok"));
}

describe("edits of different lines in one message", () => {
  it("are all made when they are approved together", async () => {
    const threadId = await console.start(await prepare("bulk"));
    await approveTogether(threadId, 5);
    await expectAllMade(threadId, "bulk");
  });

  it.each([0, 300])(
    "are all made when they are approved one by one with a grace of %i ms",
    async (graceMs) => {
      const threadId = await console.start(await prepare(`grace-${graceMs}`));
      const asked = await console.untilPending(threadId, 5);
      for (const one of asked) await approveAsItIsNow(one, graceMs);
      await expectAllMade(threadId, `grace-${graceMs}`);
    },
  );

  it("are all made under the switch", async () => {
    const threadId = await console.start();
    const text = await prepare("switch");
    await console.client.call("threads.setAutoApprove", { threadId, on: true });
    await console.send(threadId, text);
    await expectAllMade(threadId, "switch");
  });

  it("are all made under a rule, by whatever name the file is called, in two threads", async () => {
    await console.client.call("rules.add", {
      text: "ruled*",
      effect: "allow",
      scope: "user",
      target: "file",
    });
    await writeFile(at("ruled"), letters.join("\n"));
    await symlink(at("ruled"), at("ruled-link"));
    const first = await console.start("edit ruled a => A\nedit ruled-link b => B");
    const second = await console.start("edit ./ruled c => C\nedit ruled d => D\nedit ruled-link e => E");
    await console.untilStatus(first, "done");
    await console.untilStatus(second, "done");
    expect(await readFile(at("ruled"), "utf8")).toBe("A\nB\nC\nD\nE");
  });
});

describe("edits that get in each other's way", () => {
  it("of one line are asked about again, with the line as it is now", async () => {
    await writeFile(at("line"), "one two\n");
    const threadId = await console.start("edit line one => 1\nedit line two => 2");
    await approveTogether(threadId, 2);
    const again = await console.onePending(threadId);
    const { diff } = await console.client.call("approvals.get", { id: again.id });
    expect([diff?.before, diff?.after]).toContainEqual("1 2\n");
    await console.approve(again);
    await console.untilStatus(threadId, "done");
    expect(await readFile(at("line"), "utf8")).toBe("1 2\n");
  });

  it("of the same text are made once, and the other is told that the text is gone", async () => {
    await writeFile(at("same"), "one\n");
    const threadId = await console.start("edit same one => 1\nedit same one => uno");
    await approveTogether(threadId, 2);
    await console.untilStatus(threadId, "done");
    expect(["1\n", "uno\n"]).toContain(await readFile(at("same"), "utf8"));
    const calls = await console.toolCalls(threadId);
    expect(calls.map(({ outcome }) => outcome).toSorted()).toEqual(["failed", "ok"]);
    expect(calls.find(({ outcome }) => outcome === "failed")?.result).toContain("not found");
  });
});

describe("an edit that cannot be made", () => {
  it.each([
    ["the text is not there", "absent-text", Buffer.from("else"), "was not found"],
    ["the text is there twice", "twice", Buffer.from("one one"), "2 times"],
    ["the file is not there", "nothing-here", undefined, "does not exist"],
    ["the file is binary", "binary", Buffer.from([0, 1, 2, 255]), "not UTF-8 text"],
    ["the file is UTF-16", "utf16", Buffer.from("\ufeffone", "utf16le"), "not UTF-8 text"],
    ["the file is Latin-1", "latin1", Buffer.from([0x6f, 0x6e, 0x65, 0xe9]), "not UTF-8 text"],
    ["the file is too large", "large", Buffer.alloc(10_000_001, "x"), "too large"],
  ])(
    "since %s is answered at once with the tool's own words, and nobody is asked",
    async (_why, file, content, said) => {
      if (content) await writeFile(at(file), content);
      const threadId = await console.start(`edit ${file} one => 1`);
      await console.untilStatus(threadId, "done");
      const [call] = await console.toolCalls(threadId);
      expect(call).toMatchObject({
        state: "finished",
        outcome: "failed",
        result: expect.stringContaining(said),
      });
      expect(call?.approvalId).toBeUndefined();
      expect(await console.ledger(threadId)).toEqual([]);
    },
  );

  it("tells nothing of a secret's content: that takes a person", async () => {
    await writeFile(at(".env"), "PASSWORD=hunter2");
    const threadId = await console.start("edit .env hunter3 => x");
    const asked = await console.onePending(threadId);
    expect(asked).toMatchObject({ risk: "high", description: expect.stringContaining("cannot be made") });
    await console.decide(asked, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect((await console.toolCalls(threadId))[0]?.result).not.toContain("found");
  });
});
