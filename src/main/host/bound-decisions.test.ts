/** A decision is about what was shown and nothing else: the content, the place, the tool, and the rules of now. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { console, folders } from "./testing/host-fixture.ts";
import { withLaterHost } from "./testing/later-host.ts";

const { reopen, approveThen } = withLaterHost();

const at = (file: string) => join(folders.workspace, file);
const textOf = (file: string) => readFile(at(file), "utf8").catch(() => undefined);
const detailOf = ({ id }: Approval) => console.client.call("approvals.get", { id });
const edit = (asked: Approval, args: Record<string, unknown>) =>
  console.decide(asked, { type: "edit", args });

const shownEdit = { ok: false, reason: expect.stringContaining("what your edit does") };
const lateEdit = { ok: false, reason: expect.stringContaining("meanwhile") };

/** The rows as a crash between start and receipt leaves them. */
function pretendItStarted(id: ApprovalId): void {
  const database = new Database(join(folders.dataDir, "countersign.db"));
  database
    .prepare(
      "INSERT INTO executions (id, call_key, thread_id, turn_id, item_id, tool, state, what, args, started_at) SELECT 'exec-' || id, call_key, thread_id, turn_id, item_id, tool, 'started', tool, args, 1 FROM approvals WHERE id = ?",
    )
    .run(id);
  database.prepare("UPDATE approvals SET status = 'cancelled' WHERE id = ?").run(id);
  database.close();
}

describe("an edited file change", () => {
  it("is shown as what it would do before it is decided about", async () => {
    await writeFile(at("precious"), "years of work\n");
    const threadId = await console.start("write harmless hello");
    const asked = await console.onePending(threadId);
    const outcome = await edit(asked, { file_path: "precious", content: "gone" });
    expect(outcome).toMatchObject({ ok: false, reason: expect.stringContaining("what your edit does") });
    expect(await textOf("precious")).toBe("years of work\n");
    const { approval, diff, args } = await detailOf(asked);
    expect(diff).toMatchObject({ path: "precious", before: "years of work\n", after: "gone" });
    expect(args).toMatchObject({ file_path: "precious" });
    expect(await console.approve(asked)).toMatchObject({ ok: false });
    expect(await console.approve(approval)).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect([await textOf("precious"), await textOf("harmless")]).toEqual(["gone", undefined]);
    expect(await console.ledger(threadId)).toMatchObject([
      { originalArgs: { file_path: "harmless" }, finalArgs: { file_path: "precious", content: "gone" } },
    ]);
  });

  it("is asked about again when the file changes in its grace", async () => {
    await writeFile(at("graced"), "one");
    const threadId = await console.start("write graced two");
    const asked = await console.onePending(threadId);
    await edit(asked, { file_path: "graced", content: "three" });
    const { approval } = await detailOf(asked);
    await approveThen(approval, () => writeFile(at("graced"), "somebody else's"));
    await console.until(() => console.pending(threadId).some(({ id }) => id !== asked.id), "it asks again");
    expect(await textOf("graced")).toBe("somebody else's");
    await console.stop(threadId);
  });

  it("changes no card that was decided, or edited by another window, while it was looked up on the disk", async () => {
    const threadId = await console.start("write first hello\nwrite second hello");
    const [first, second] = await console.untilPending(threadId, 2);
    const edits = await Promise.all([
      edit(first!, { file_path: "one", content: "x" }),
      edit(first!, { file_path: "other", content: "x" }),
    ]);
    // Whichever was looked up first is shown.
    const { args } = await detailOf(first!);
    const answers = [shownEdit, lateEdit];
    if (args.file_path === "other") answers.reverse();
    else expect(args).toMatchObject({ file_path: "one" });
    expect(edits).toMatchObject(answers);
    const [edited, rejected] = await Promise.all([
      edit(second!, { file_path: "late", content: "x" }),
      console.decide(second!, { type: "reject" }),
    ]);
    // It may come to be looked up only when the rejection is written down.
    const tooLate = { ok: false, reason: expect.stringMatching(/meanwhile|decided already/) };
    expect([edited, rejected]).toMatchObject([tooLate, { ok: true }]);
    expect((await detailOf(second!)).args).toMatchObject({ file_path: "second" });
    await console.stop(threadId);
  });

  it("to what can never be, or cannot be made, is refused and changes nothing of the card", async () => {
    const threadId = await console.start("write kept hello");
    const asked = await console.onePending(threadId);
    const into = (path: string) => edit(asked, { file_path: path, content: "x" });
    expect(await into(join(folders.dataDir, "rules.jsonc"))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("never allowed"),
    });
    await mkdir(at("a-folder"));
    expect(await into("a-folder")).toMatchObject({ ok: false, reason: expect.stringContaining("folder") });
    expect((await detailOf(asked)).approval.digest).toBe(asked.digest);
    await console.stop(threadId);
  });

  it("leads nowhere else when a folder becomes a link between the edit and the yes", async () => {
    const threadId = await console.start("write plain hello");
    const asked = await console.onePending(threadId);
    await mkdir(at("folder"));
    const content = `${"\u202e天שלום\u200b\n".repeat(3_000)}end`;
    expect(await edit(asked, { file_path: "folder/x", content })).toMatchObject(shownEdit);
    const { approval, diff } = await detailOf(asked);
    expect(diff).toMatchObject({ path: "folder/x", after: content });
    const outside = await mkdtemp(join(tmpdir(), "countersign-outside-"));
    await rm(at("folder"), { recursive: true });
    await symlink(outside, at("folder"));
    expect(await console.approve(approval)).toMatchObject({ ok: false });
    expect((await detailOf(asked)).approval).toMatchObject({
      risk: "high",
      subject: { path: join(await realpath(outside), "x") },
    });
    await console.decide(asked, { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
    await rm(at("folder"));
  });

  it("says so when it leads outside of the workspace", async () => {
    const threadId = await console.start("write inside hello");
    const asked = await console.onePending(threadId);
    const outside = join(folders.root, "edited-outside");
    await edit(asked, { file_path: outside, content: "x" });
    const { approval } = await detailOf(asked);
    expect(approval).toMatchObject({ risk: "high", subject: { path: outside } });
    await console.approve(approval);
    await console.untilStatus(threadId, "done");
    expect(await readFile(outside, "utf8")).toBe("x");
  });
});

describe("an edited command", () => {
  const command = (text: string) => ({ command: text });

  it.each([
    ["of a higher risk", "node -e 1", undefined],
    ["that leaves this machine", "touch mild && git push", "leaves"],
    ["that cannot be undone", "rm -r mild", "final"],
    ["with a character that turns the words behind it", "touch 'm\u202eild'", undefined],
  ])("is shown first where it is one %s", async (_what, text, beyond) => {
    const threadId = await console.start("run touch mild");
    const asked = await console.onePending(threadId);
    expect(asked).toMatchObject({ risk: "medium" });
    expect(await edit(asked, command(text))).toMatchObject(shownEdit);
    const { approval, args } = await detailOf(asked);
    expect([args, approval.risk]).toEqual([command(text), "high"]);
    expect(approval.verdict.units.some((unit) => unit.class === beyond)).toBe(true);
    expect(await console.approve(asked)).toMatchObject({ ok: false });
    // Edited into what is as mild as the first it runs, and the same answer sent again acts once.
    const { id, digest } = approval;
    const decision = { type: "edit" as const, args: command("touch milder") };
    const back = { commandId: newCommandId(), items: [{ id, digest }], decision };
    const send = async () => (await console.client.call("approvals.decide", back)).outcomes;
    expect([await send(), await send()]).toMatchObject([[{ ok: true }], [{ ok: true }]]);
    await console.untilStatus(threadId, "done");
    expect(await console.ledger(threadId)).toMatchObject([{ finalArgs: command("touch milder") }]);
  });

  it("runs as it was typed where its card said as much of it, in any script and to its end", async () => {
    const threadId = await console.start("run touch mild");
    await mkdir(at("long"));
    const text = `touch 'שלום ${"天".repeat(40)}' ${"long/../".repeat(200)}end`;
    expect(await edit(await console.onePending(threadId), command(text))).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect(await console.ledger(threadId)).toMatchObject([{ finalArgs: command(text) }]);
    expect(await textOf("end")).toBe("");
  });
});

describe("running a file change again after a crash", () => {
  it("shows the difference to the file as it is now, and is asked again when that changes", async () => {
    const threadId = await console.start("write crashed hello");
    const asked = await console.onePending(threadId);
    await reopen(async () => {
      pretendItStarted(asked.id);
      await writeFile(at("crashed"), "written by a person");
    });
    const recovery = await console.onePending(threadId);
    expect(recovery).toMatchObject({
      kind: "recovery",
      subject: { change: { path: "crashed", added: 1, removed: 1 } },
    });
    expect((await detailOf(recovery)).diff).toMatchObject({ before: "written by a person", after: "hello" });
    await writeFile(at("crashed"), "and by another");
    expect(await console.approve(recovery)).toMatchObject({ ok: false });
    const seen = await detailOf(recovery);
    expect(seen.diff).toMatchObject({ before: "and by another", after: "hello" });
    await approveThen(seen.approval, () => writeFile(at("crashed"), "in the grace"));
    await console.until(
      () => console.pending(threadId).some(({ id }) => id !== recovery.id),
      "it asks again",
    );
    const again = await console.onePending(threadId);
    expect([again.kind, await textOf("crashed")]).toEqual(["recovery", "in the grace"]);
    expect((await detailOf(again)).diff).toMatchObject({ before: "in the grace", after: "hello" });
    await console.approve((await detailOf(again)).approval);
    await console.untilStatus(threadId, "done");
    expect(await textOf("crashed")).toBe("hello");
  });

  it("says when it cannot be made again, as when it was made before the crash", async () => {
    await writeFile(at("made"), "one");
    const threadId = await console.start("edit made one => two");
    const asked = await console.onePending(threadId);
    await reopen(async () => {
      pretendItStarted(asked.id);
      await writeFile(at("made"), "two");
    });
    const recovery = await console.onePending(threadId);
    expect(recovery.description).toContain("was not found");
    await console.approve(recovery);
    await console.untilStatus(threadId, "done");
    expect(await textOf("made")).toBe("two");
  });
});

describe("whatever a person and others do in turn", () => {
  type Step = "person-edits" | "other-writes" | "approve" | "approve-old" | "crash" | "look";
  const steps = fc.array(
    fc.constantFrom<Step>("person-edits", "other-writes", "approve", "approve-old", "crash", "look"),
    { minLength: 1, maxLength: 6 },
  );

  it("nothing is written whose exact difference was not shown", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        runs += 1;
        const file = `random-${runs}`;
        await writeFile(at(file), "start");
        let onDisk = "start";
        const shown = new Set<string>();
        const threadId = await console.start(`write ${file} wanted`);
        let card = await console.onePending(threadId);
        const first = card;
        const look = async () => {
          const { approval, diff } = await detailOf(card);
          card = approval;
          shown.add(JSON.stringify([diff?.before, diff?.after]));
        };
        for (const [index, step] of plan.entries()) {
          if (step === "look") await look();
          if (step === "person-edits" && card.kind === "tool")
            await edit(card, { file_path: file, content: `edited ${index}` });
          if (step === "other-writes") {
            onDisk = `other ${index}`;
            await writeFile(at(file), onDisk);
          }
          if (step === "crash" && card.kind === "tool") {
            await reopen(() => pretendItStarted(card.id));
            card = await console.onePending(threadId);
            await look();
          }
          if (step !== "approve" && step !== "approve-old") continue;
          const outcome = await console.approve(step === "approve" ? card : first);
          if (!outcome.ok) continue;
          await console.untilStatus(threadId, "done");
          const now = await textOf(file);
          // The first card was on the screen with the file as it was then.
          shown.add(JSON.stringify(["start", "wanted"]));
          expect([...shown]).toContain(JSON.stringify([onDisk, now]));
          return;
        }
        expect(await textOf(file)).toBe(onDisk);
        await console.stop(threadId);
      }),
      { numRuns: runsOf(12) },
    );
  });
});

describe("a rule that comes while a card waits", () => {
  const addRule = (text: string, effect: "allow" | "deny") =>
    console.client.call("rules.add", { text, effect, scope: "user", target: "command" });

  async function waiting(command: string): Promise<{ threadId: ThreadId; asked: Approval }> {
    const threadId = await console.start(`run ${command}`);
    return { threadId, asked: await console.onePending(threadId) };
  }

  it("and forbids it is shown on the card at once, and approving it is refused", async () => {
    const { threadId, asked } = await waiting("touch forbidden-later");
    const { id } = await addRule("touch forbidden-later", "deny");
    await console.until(
      () => console.approvals.get(asked.id)?.verdict.verdict === "deny",
      "the card says that it is denied",
    );
    expect(await console.approve(asked)).toMatchObject({
      ok: false,
      reason: expect.stringContaining("forbids"),
    });
    await console.client.call("rules.remove", { id });
    await console.until(
      () => console.approvals.get(asked.id)?.verdict.verdict === "new",
      "the card is as it was",
    );
    expect(await console.approve(asked)).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
    expect(existsSync(at("forbidden-later"))).toBe(true);
  });

  it("and forbids it counts also in the grace of a yes", async () => {
    const { threadId, asked } = await waiting("touch forbidden-in-grace");
    await approveThen(asked, () => addRule("touch forbidden-in-grace", "deny"));
    await console.untilStatus(threadId, "done");
    expect(existsSync(at("forbidden-in-grace"))).toBe(false);
    expect(await console.toolCalls(threadId)).toMatchObject([{ outcome: "denied" }]);
  });

  it("and allows it decides nothing, but the card says so", async () => {
    const { threadId, asked } = await waiting("touch allowed-later");
    await addRule("touch allowed-later", "allow");
    await console.until(
      () => console.approvals.get(asked.id)?.description?.includes("covers this") === true,
      "the card says that it is covered",
    );
    expect(console.approvals.get(asked.id)).toMatchObject({ status: "pending", verdict: { verdict: "new" } });
    expect(await console.approve(asked)).toMatchObject({ ok: true });
    await console.untilStatus(threadId, "done");
  });
});
