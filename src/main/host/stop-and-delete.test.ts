import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ExecutionId, ThreadId } from "../../shared/ids.ts";
import { isAlive, shellHostOf } from "../shell/testing/open-shell.ts";
import { console, folders, running, TestConsole, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("test");

/** Starts commands that do not hear TERM and run until they are killed. @returns the thread and the process ids. */
async function startDeaf(...names: string[]): Promise<{ threadId: ThreadId; pids: number[] }> {
  const deaf = (name: string) =>
    `run (trap '' TERM; sleep 600 & echo $! > ${name}.child; echo $BASHPID > ${name}.pid; wait; wait)`;
  const threadId = await console.start(names.map(deaf).join("\n"));
  for (const one of await console.untilPending(threadId, names.length)) await console.approve(one);
  const files = names.flatMap((name) => [`${name}.child`, `${name}.pid`]);
  const paths = files.map((file) => join(folders.workspace, file));
  await expect.poll(() => paths.every((path) => existsSync(path))).toBe(true);
  return {
    threadId,
    pids: await Promise.all(paths.map(async (path) => Number(await readFile(path, "utf8")))),
  };
}

/** The tables with rows of a thread which does not exist. */
function orphanRows(): string[] {
  const database = new Database(join(folders.dataDir, "countersign.db"), { readonly: true });
  const tables = ["thread_numbers", "turns", "approvals", "tool_calls", "executions", "readings"];
  const orphans = tables.filter((table) =>
    database.prepare(`SELECT 1 FROM ${table} WHERE thread_id NOT IN (SELECT id FROM threads)`).get(),
  );
  const numbered = ["events", "items"].filter((table) =>
    database.prepare(`SELECT 1 FROM ${table} WHERE thread NOT IN (SELECT number FROM thread_numbers)`).get(),
  );
  database.close();
  return [...orphans, ...numbered];
}

function openWindows(count: number): TestConsole[] {
  return Array.from({ length: count }, () => new TestConsole(running.host, folders.workspace));
}

describe("stopping a thread whose commands do not hear TERM", () => {
  it("answers every window only when the processes are gone and the calls are written down as cancelled", async () => {
    const { threadId, pids } = await startDeaf("one", "two");
    expect(pids.every(isAlive)).toBe(true);
    const windows = openWindows(3);
    const aliveAfter = await Promise.all(
      windows.map(async ({ client }) => {
        await client.call("threads.stop", { threadId });
        return pids.filter(isAlive);
      }),
    );
    for (const window of windows) window.leave();
    expect(aliveAfter).toEqual([[], [], []]);
    const items = await console.items(threadId);
    expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome)).toEqual([
      "cancelled",
      "cancelled",
    ]);
    expect(items.filter(({ kind }) => kind === "turnEnd")).toHaveLength(1);
    expect(items.at(-1)).toMatchObject({ kind: "turnEnd", outcome: "stopped" });
  });

  it("begins what was sent meanwhile only afterwards", async () => {
    const { threadId, pids } = await startDeaf("first");
    const stopping = console.client.call("threads.stop", { threadId });
    const { turnId } = await console.send(threadId, "run touch next");
    const asked = await console.onePending(threadId);
    expect(pids.filter(isAlive)).toEqual([]);
    await stopping;
    await console.approve(asked);
    await console.untilTurnEnd(threadId, turnId);
    expect(existsSync(join(folders.workspace, "next"))).toBe(true);
  });
});

describe("while the process that holds the terminals is frozen", () => {
  it.runIf(process.platform === "linux")(
    "the console decides, a stop ends the command all the same, and the next one runs once it goes on",
    async () => {
      // No beat is missed by the clock of a busy machine: it is still taken for alive when the stop comes.
      vi.useFakeTimers({ toFake: ["setInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      const threadId = await console.start("run echo $$ > held.pid; exec sleep 600");
      await console.approve(await console.onePending(threadId));
      const path = join(folders.workspace, "held.pid");
      await expect.poll(() => existsSync(path) && readFileSync(path, "utf8")).toMatch(/\d/);
      const pid = Number(readFileSync(path, "utf8"));
      const holder = shellHostOf({ pid });
      process.kill(holder, "SIGSTOP");
      const other = await console.start("run touch next");
      const asked = await console.onePending(other);
      expect(console.threads.get(threadId)?.status).toBe("running");
      await console.approve(asked);
      await console.client.call("threads.stop", { threadId });
      await expect.poll(() => isAlive(pid)).toBe(false);
      expect(isAlive(holder)).toBe(true);
      expect((await console.items(threadId)).at(-1)).toMatchObject({ kind: "turnEnd", outcome: "stopped" });
      expect((await console.toolCalls(threadId)).map(({ outcome }) => outcome)).toEqual(["cancelled"]);
      process.kill(holder, "SIGCONT");
      await console.untilStatus(other, "done");
      expect(existsSync(join(folders.workspace, "next"))).toBe(true);
    },
  );
});

describe("deleting a thread whose command left a process behind", () => {
  it.runIf(process.platform === "linux")("ends that process, and none that another thread left", async () => {
    const leave = async (name: string) => {
      const daemon = `env -i setsid -f sh -c 'echo $$ > ${name}.pid; exec sleep 600'`;
      const threadId = await console.start(`run ${daemon}; until test -s ${name}.pid; do :; done`);
      await console.approve(await console.onePending(threadId));
      await console.untilStatus(threadId, "done");
      return { threadId, pid: Number(await readFile(join(folders.workspace, `${name}.pid`), "utf8")) };
    };
    const [deleted, kept] = [await leave("deleted"), await leave("kept")];
    await console.client.call("threads.stop", { threadId: deleted.threadId });
    expect([deleted, kept].map(({ pid }) => isAlive(pid))).toEqual([true, true]);
    await console.client.call("threads.delete", { threadId: deleted.threadId });
    expect([deleted, kept].map(({ pid }) => isAlive(pid))).toEqual([false, true]);
    await reopen(() => expect(isAlive(kept.pid)).toBe(false));
  });
});

describe("ending one command alone", () => {
  it("ends its processes and tells the agent, while the other goes on and the turn too", async () => {
    const { threadId, pids } = await startDeaf("one", "two");
    const [first, second] = await console.toolCalls(threadId);
    await console.client.call("executions.stop", { executionId: first?.executionId as ExecutionId });
    // The child and the shell of the first; those of the second run on.
    expect(pids.map(isAlive)).toEqual([false, false, true, true]);
    await expect
      .poll(async () => (await console.toolCalls(threadId)).map(({ outcome }) => outcome))
      .toEqual(["cancelled", undefined]);
    const [ended] = await console.toolCalls(threadId);
    expect(ended?.result).toContain("A person ended this command");
    expect((await console.items(threadId)).some(({ kind }) => kind === "turnEnd")).toBe(false);
    await console.client.call("executions.stop", { executionId: second?.executionId as ExecutionId });
    await console.untilStatus(threadId, "done");
    await expect(
      console.client.call("executions.stop", { executionId: first?.executionId as ExecutionId }),
    ).rejects.toThrow("This command has ended.");
  });
});

describe("deleting a thread whose commands do not hear TERM", () => {
  it("leaves neither a process nor a row of it, whoever else stops, deletes and sends at the same time", async () => {
    const { threadId, pids } = await startDeaf("one", "two");
    const kept = await console.start("say kept");
    const windows = openWindows(4);
    const [stopper, first, second, sender] = windows as [TestConsole, TestConsole, TestConsole, TestConsole];
    const racing = [
      stopper.client.call("threads.stop", { threadId }),
      second.client.call("threads.delete", { threadId }),
      sender.send(threadId, "run touch too-late"),
    ].map((call) => call.catch((error: unknown) => error));
    await first.client.call("threads.delete", { threadId });
    expect(pids.filter(isAlive)).toEqual([]);
    await Promise.all(racing);
    await console.untilStatus(kept, "done");
    for (const window of windows) window.leave();
    await reopen(() => {
      expect(orphanRows()).toEqual([]);
    });
    await console.until(() => console.threads.has(kept), "the other thread is there");
    expect(console.threads.has(threadId)).toBe(false);
    expect(await console.ledger(threadId)).toHaveLength(2);
    expect(existsSync(join(folders.workspace, "too-late"))).toBe(false);
  });
});
