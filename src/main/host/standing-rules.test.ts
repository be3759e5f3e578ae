/** What a rule lets pass, asks about or forbids from then on: its place, its preview, its file. */
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Input } from "../../shared/contract/contract.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

const ran = (file: string) => existsSync(join(folders.workspace, file));

function addRule(rule: Input<"rules.add">) {
  return console.client.call("rules.add", rule);
}

/** What passed a call: the kinds of who decided, oldest first. */
async function decidedBy(threadId: ThreadId): Promise<string[]> {
  return (await console.ledger(threadId)).map(({ by }) => by.kind);
}

describe("a rule", () => {
  it("covers calls in its scope only, is named in the ledger, and never changes a card that waits", async () => {
    const [own, other] = [
      await console.start("run touch frozen-1"),
      await console.start("run touch frozen-2"),
    ];
    const asked = await console.onePending(own);
    await console.onePending(other);
    const rule = await addRule({ text: "touch", effect: "allow", scope: "thread", threadId: own });
    await reopen();
    const card = await console.onePending(own);
    expect([card.id, card.verdict]).toEqual([asked.id, asked.verdict]);
    await console.approve(card);
    await console.untilStatus(own, "done");
    await console.run(own, "run touch covered");
    expect((await console.ledger(own)).map(({ by }) => by)).toEqual([
      { kind: "person" },
      { kind: "rule", ruleIds: [rule.id] },
    ]);
    await console.stop(other);
    await console.send(other, "run touch elsewhere");
    await console.decide(await console.onePending(other), { type: "reject" });
    await console.untilStatus(other, "done");
    await console.client.call("rules.remove", { id: rule.id });
    await console.send(own, "run touch uncovered");
    await console.decide(await console.onePending(own), { type: "reject" });
    await console.untilStatus(own, "done");
  });

  it("yields to a stricter one of any scope: deny beats ask beats allow", async () => {
    const { workspace } = folders;
    const threadId = await console.start();
    const allow = await addRule({ text: "mkdir", effect: "allow", scope: "thread", threadId });
    await console.run(threadId, "run mkdir allowed");
    const ask = await addRule({ text: "mkdir", effect: "ask", scope: "workspace", workspace });
    await console.send(threadId, "run mkdir asked");
    await console.decide(await console.onePending(threadId), { type: "reject" });
    await console.untilStatus(threadId, "done");
    const deny = await addRule({ text: "mkdir", effect: "deny", scope: "user" });
    await console.run(threadId, "run mkdir denied");
    expect(["allowed", "asked", "denied"].map(ran)).toEqual([true, false, false]);
    expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome)).toEqual([
      "ok",
      "rejected",
      "denied",
    ]);
    for (const { id } of [allow, ask, deny]) await console.client.call("rules.remove", { id });
  });

  it.each(["sudo", "rm -rf /", "bash -c", "npm test && ls", "curl"])(
    "cannot be made for %s, and the preview says why",
    async (text) => {
      await expect(addRule({ text, effect: "allow", scope: "user" })).rejects.toMatchObject({
        code: "invalid-input",
        field: "text",
      });
      const preview = await console.client.call("rules.preview", { text, effect: "allow", scope: "user" });
      expect(preview).toMatchObject({ ok: false, message: expect.stringMatching(/\w/) });
    },
  );

  it("is previewed against what was asked before, and may be as long as the form lets it be", async () => {
    const threadId = await console.start("run touch preview-1\nrun touch preview-2");
    const [first, second] = await console.untilPending(threadId, 2);
    await console.approve(first!);
    await console.decide(second!, { type: "reject" });
    await console.untilStatus(threadId, "done");
    const rule = {
      text: "touch",
      effect: "allow",
      scope: "thread",
      threadId,
      workspace: folders.workspace,
    } as const;
    expect(await console.client.call("rules.preview", rule)).toMatchObject({
      ok: true,
      wouldApprove: 2,
      ofWhichRejected: 1,
      rejected: [expect.stringMatching(/^touch preview-/)],
    });
    const long = await addRule({ text: `npm run ${"x".repeat(450)}`, effect: "allow", scope: "user" });
    const { rules } = await console.client.call("rules.list", {});
    expect(rules.map(({ id }) => id)).toContain(long.id);
    await console.client.call("rules.remove", { id: long.id });
  });

  it("is previewed against what waits, in its own place alone, and decides nothing of it", async () => {
    const [here, there] = [
      await console.start("run touch waits-1\nrun touch waits-2"),
      await console.start("run touch waits-3"),
    ];
    const [first, second] = await console.untilPending(here, 2);
    const third = await console.onePending(there);
    const touch = { text: "touch", effect: "allow", workspace: folders.workspace } as const;
    const waiting = async (rule: Omit<Input<"rules.preview">, "text" | "effect">) => {
      const preview = await console.client.call("rules.preview", { ...touch, ...rule });
      return preview.waiting?.ids.toSorted();
    };
    const ids = [first!, second!, third].map(({ id }) => id);
    expect(await waiting({ scope: "user" })).toEqual(ids.toSorted());
    expect(await waiting({ scope: "workspace" })).toEqual(ids.toSorted());
    expect(await waiting({ scope: "workspace", workspace: "/elsewhere" })).toBeUndefined();
    expect(await waiting({ scope: "thread", threadId: there })).toEqual([third.id]);
    expect(await waiting({ scope: "thread", threadId: here, except: first!.id })).toEqual([second!.id]);
    const { id } = await addRule({ ...touch, scope: "user" });
    expect(console.pending(here).concat(console.pending(there))).toHaveLength(3);
    await console.client.call("rules.remove", { id });
    for (const one of [first!, second!, third]) await console.decide(one, { type: "reject" });
  });

  it("is set beside what would have run confined, which is no choice where nothing is confined", async () => {
    const threadId = await console.start("run make confined-1\nrun rm -rf confined-2");
    for (const approval of await console.untilPending(threadId, 2))
      await console.decide(approval, { type: "reject" });
    await console.untilStatus(threadId, "done");
    const { workspace } = folders;
    const preview = () => console.client.call("rules.previewConfined", { workspace });
    expect(await preview()).toMatchObject({ wouldRun: 0 });
    await console.trust(workspace);
    const found = await preview();
    expect(found.rejected).toContain("make confined-1");
    expect([...found.samples, ...found.rejected]).not.toContain("rm -rf confined-2");
    expect(found.wouldRun).toBeLessThan(found.decided);
    expect(found.unavailable).toMatch(/switched off/);
    // A folder's own file can take it back, also before anybody looked at the file.
    const file = join(workspace, ".countersign", "rules.json");
    await mkdir(dirname(file));
    await writeFile(file, '{"uncovered": "ask", "rules": []}');
    expect(await preview()).toMatchObject({ wouldRun: 0 });
    await rm(dirname(file), { recursive: true });
    expect(await preview()).toEqual(found);
    await console.client.call("workspaces.setTrust", { path: workspace, trusted: false });
    await expect(
      console.client.call("settings.update", { uncoveredCommands: "confined" }),
    ).rejects.toMatchObject({ code: "conflict", field: "uncoveredCommands" });
    expect(await console.client.call("settings.get", {})).toMatchObject({ uncoveredCommands: "ask" });
  });

  it("is proposed from a card whole, however long its command, and lets exactly that pass", async () => {
    const names = Array.from({ length: 180 }, (_, at) => `file-${at}.txt`).join(" ");
    const command = `touch ${names}`;
    const threadId = await console.start(`run ${command}`);
    const waiting = await console.onePending(threadId);
    const { proposal } = await console.client.call("approvals.get", { id: waiting.id });
    expect(proposal).toEqual({ rule: command, exact: true });
    await addRule({ text: command, exact: true, effect: "allow", scope: "thread", threadId });
    await console.decide(waiting, { type: "reject" });
    await console.untilStatus(threadId, "done");
    await console.run(threadId, `run ${command}`);
    expect([ran("file-179.txt"), (await decidedBy(threadId)).at(-1)]).toEqual([true, "rule"]);
  });

  it("that a person wrote into the file is listed and can be removed; a broken file is never written over", async () => {
    const file = join(folders.dataDir, "rules.json");
    const byHand = [
      { command: "npm test", effect: "allow" },
      { command: "npm publish", effect: "deny" },
    ];
    await writeFile(file, `// mine\n${JSON.stringify({ version: 1, rules: byHand })}`);
    const { rules } = await console.client.call("rules.list", {});
    expect(rules.map(({ text, effect }) => [text, effect])).toEqual([
      ["npm test", "allow"],
      ["npm publish", "deny"],
    ]);
    await console.client.call("rules.remove", { id: rules[0]!.id });
    expect((await console.client.call("rules.list", {})).rules.map(({ text }) => text)).toEqual([
      "npm publish",
    ]);
    const broken = '{ "rules": [ { "command": "npm publish", "effect": "deny" } ';
    await writeFile(file, broken);
    await expect(addRule({ text: "npm test", effect: "allow", scope: "user" })).rejects.toThrow(
      /mended first, line 1/,
    );
    expect(await readFile(file, "utf8")).toBe(broken);
    await writeFile(file, "{}");
  });

  it("of a folder's own file only tightens until the folder is trusted", async () => {
    await mkdir(join(folders.workspace, ".countersign"));
    const rules = [
      { command: "touch", effect: "allow" },
      { command: "mkdir", effect: "deny" },
    ];
    await writeFile(join(folders.workspace, ".countersign/rules.json"), JSON.stringify({ rules }));
    const threadId = await console.start("run touch own-1\nrun mkdir own-2");
    await console.decide(await console.onePending(threadId), { type: "reject" });
    await console.untilStatus(threadId, "done");
    expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome).sort()).toEqual([
      "denied",
      "rejected",
    ]);
    await console.trust(folders.workspace);
    await console.run(threadId, "run touch own-3");
    expect(ran("own-3")).toBe(true);
    await console.client.call("workspaces.setTrust", { path: folders.workspace, trusted: false });
  });
});
