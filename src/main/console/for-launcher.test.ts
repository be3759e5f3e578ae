/** What the desktop asks of the host and hears from it: running commands, decisions in passing, folders, and what to show. */
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConsoleItem } from "../../shared/contract/console.ts";
import type { AgentId, ApprovalId } from "../../shared/ids.ts";
import { isDecidableInPassing } from "../approvals/in-passing.ts";
import { console, folders, running, withHost } from "../host/testing/host-fixture.ts";
import type { Attention } from "./attention-feed.ts";
import type { DesktopState } from "./for-launcher.ts";

const asked: string[] = [];
withHost("test", () => ({
  pickFolder: async (startAt) => {
    asked.push(startAt);
    return null;
  },
}));

/** Follows what the host reports until it says what is looked for. */
function follow<T>(listen: (listener: (news: T) => void) => void) {
  const heard: T[] = [];
  let look = () => {};
  listen((news) => {
    heard.push(news);
    look();
  });
  const until = (is: (news: T) => boolean) =>
    new Promise<T>((resolve) => {
      look = () => {
        const found = heard.find(is);
        if (found !== undefined) resolve(found);
      };
      look();
    });
  return { heard, until };
}

describe("a command that runs", () => {
  it("is named while it runs, keeps the machine awake, and a question does neither", async () => {
    const states = follow<DesktopState>(running.host.onState);
    const threadId = await console.start("run read line");
    const approval = await console.onePending(threadId);
    expect(running.host.runningCommands()).toEqual([]);
    await console.approve(approval);
    await console.until(() => running.host.runningCommands().length > 0, "the command runs");
    expect(running.host.runningCommands()).toEqual(["read line"]);
    await states.until(({ isWorking }) => isWorking);
    states.heard.length = 0;
    await console.stop(threadId);
    await states.until(({ isWorking }) => !isWorking);
    // The turn is over at once; its command is named until it has ended.
    await console.until(() => running.host.runningCommands().length === 0, "no command is named any more");
  });

  it("tells the theme that was chosen", async () => {
    const states = follow<DesktopState>(running.host.onState);
    await console.client.call("settings.update", { theme: "dark" });
    await states.until(({ theme }) => theme === "dark");
  });
});

describe("a decision in passing", () => {
  const news = () => follow<Attention>(running.host.onAttention);
  const named = (one: Attention) => one.newest.length > 0;

  /** An agent that asks about every command, also about what the policy would let pass. */
  async function askCautiously(text: string) {
    const id = "cautious" as AgentId;
    const interruptOn = { execute: true };
    await console.client.call("agents.save", { id, name: id, prompt: "Work.", interruptOn, subAgents: [] });
    const threadId = await console.start(text, { agentId: id });
    return { threadId, approval: await console.onePending(threadId) };
  }

  it("is counted with the threads that came to a halt, until one is archived", async () => {
    const attention = news();
    const id = "brief" as AgentId;
    await console.client.call("agents.save", { id, name: id, prompt: "Work.", subAgents: [] });
    const failed = await console.start(undefined, { agentId: id });
    await writeFile(join(folders.dataDir, "agents", `${id}.json`), "no agent");
    await console.send(failed, "say hello");
    await console.untilStatus(failed, "failed");
    const halted = await attention.until(named);
    expect(halted).toMatchObject({ waiting: 1, newest: [{ entry: { haltedId: failed } }] });
    expect(halted.newest[0]?.text).toMatch(/^Failed: .*brief/);
    await console.start("run touch x");
    await attention.until(({ waiting }) => waiting === 2);
    attention.heard.length = 0;
    await console.client.call("threads.setFlags", { threadId: failed, archived: true });
    const left = await attention.until(({ waiting }) => waiting === 1);
    expect(left.withdrawn).toEqual([failed]);
  });

  it("counts for what was shown of low risk, once", async () => {
    const attention = news();
    const { threadId, approval } = await askCautiously("run ls");
    const [newest] = (await attention.until(named)).newest;
    expect(newest).toMatchObject({ text: "ls", decidable: { digest: approval.digest } });
    const { id, digest } = approval;
    expect(await running.host.decideShown({ id, digest: "another" }, "reject")).toBe(false);
    expect(console.pending(threadId)).toHaveLength(1);
    expect(await running.host.decideShown({ id, digest }, "approve")).toBe(true);
    expect(await running.host.decideShown({ id, digest }, "approve")).toBe(false);
    await console.untilStatus(threadId, "done");
    expect(await console.ledger(threadId)).toMatchObject([
      { by: { kind: "person" }, decision: { type: "approve" }, seen: { inFull: false, ms: 0 } },
    ]);
  });

  it.each(["run npm test", "run rm -rf build", "write notes.txt hello"])(
    "does not count for what has a higher risk or shows less: %s",
    async (text) => {
      const attention = news();
      const threadId = await console.start(text);
      const { id, digest } = await console.onePending(threadId);
      const [newest] = (await attention.until(named)).newest;
      expect(newest?.decidable).toBeUndefined();
      expect(await running.host.decideShown({ id, digest }, "approve")).toBe(false);
      expect(await running.host.decideShown({ id, digest }, "reject")).toBe(false);
      expect(console.pending(threadId)).toHaveLength(1);
    },
  );

  it("needs a command that a notification shows as it is and as a whole", () => {
    const row = (command: string, change = {}) =>
      ({
        status: "pending",
        kind: "tool",
        risk: "low",
        subject: { kind: "command", command, cwd: "/" },
        allowed: ["approve", "reject"],
        ...change,
      }) as Parameters<typeof isDecidableInPassing>[0];
    expect(isDecidableInPassing(row("git status"))).toBe(true);
    for (const command of ["", "ls\nls", "ls \u202e", "l\u0455", "ls \u200b", "x".repeat(101)])
      expect(isDecidableInPassing(row(command))).toBe(false);
    for (const change of [
      { risk: "medium" },
      { risk: "high" },
      { kind: "batch" },
      { kind: "recovery" },
      { status: "decided" },
      { allowed: ["approve"] },
      { allowed: ["reject", "respond"] },
      { subject: { kind: "file", operation: "write", path: "a", added: 1, removed: 0, stale: false } },
      { subject: { kind: "arguments" } },
    ])
      expect(isDecidableInPassing(row("ls", change))).toBe(false);
  });
});

describe("what the window is told", () => {
  /** The first change of the console stream that carries what is looked for. */
  async function firstChange<T>(act: () => unknown, pick: (item: Changes) => T | undefined): Promise<T> {
    for await (const item of console.client.watch("console.watch", {})) {
      if (item.kind === "ready") act();
      const found = item.kind === "changes" ? pick(item) : undefined;
      if (found !== undefined) return found;
    }
    throw new Error("The console stream ended.");
  }
  type Changes = Extract<ConsoleItem, { kind: "changes" }>;

  it("is the approval that a person asked for outside of it", async () => {
    const entry = { approvalId: "approval-of-a-notification" as ApprovalId };
    expect(
      await firstChange(
        () => running.host.showEntry(entry),
        ({ show }) => show,
      ),
    ).toEqual(entry);
  });

  it("is that the system shows no notifications", async () => {
    const host = await firstChange(running.host.noteSilentSystem, (item) => item.host);
    expect(host).toMatchObject({ notificationsFail: true, warnings: [] });
  });

  it("is the folder of a second start, or why that one cannot be opened", async () => {
    const shop = join(folders.root, "shop");
    await mkdir(shop);
    const host = await firstChange(
      () => void running.host.offerWorkspace(shop),
      (item) => item.host,
    );
    expect(host).toMatchObject({ workspace: shop, warnings: [] });
    const file = join(folders.root, "file");
    await writeFile(file, "");
    for (const bad of [file, join(folders.root, "nowhere")]) {
      const after = await firstChange(
        () => void running.host.offerWorkspace(bad),
        (item) => item.host,
      );
      expect(after.workspace).toBe(shop);
      expect(after.warnings.at(-1)).toContain(bad);
    }
  });
});

it("a folder dialog begins at home, and then beside the workspace that was used last", async () => {
  await console.client.call("workspaces.pick", {});
  await console.client.call("workspaces.open", { path: folders.workspace });
  await console.client.call("workspaces.pick", {});
  expect(asked.splice(0)).toEqual([homedir(), folders.root]);
});
