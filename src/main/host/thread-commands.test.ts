import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ThreadItem } from "../../shared/contract/thread-reading.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { newCommandId } from "../base/command-id.ts";
import { isAlive } from "../shell/testing/open-shell.ts";
import { console, folders, running, TestConsole, withHost } from "./testing/host-fixture.ts";

const { reopen } = withHost("file");

const ran = (file: string) => existsSync(join(folders.workspace, file));

async function saidBy(threadId: ThreadId, kind: "userMessage" | "agentMessage"): Promise<string[]> {
  return (await console.items(threadId)).flatMap((item) => (item.kind === kind ? [item.text] : []));
}

/** Starts a command that runs until it is stopped, and waits until it says so. */
async function startEndless(marker: string): Promise<ThreadId> {
  const threadId = await console.start();
  await console.send(
    threadId,
    `say I begin.\nrun echo $$ > ${marker}.pid; (trap '' TERM; sleep 600 & echo $! > ${marker}.child; echo begun; wait) ; echo never`,
  );
  await console.approve(await console.onePending(threadId));
  await untilEvent(threadId, (item) => item.kind === "events" && ran(`${marker}.child`), "execution.started");
  return threadId;
}

/** Follows the thread until an event of this type was seen and the check holds; the terminal's own output drives the check. */
async function untilEvent(
  threadId: ThreadId,
  check: (item: ThreadItem) => boolean,
  type: string,
): Promise<void> {
  for await (const item of console.client.watch("threads.watch", { threadId, since: 0 })) {
    const event = item.kind === "events" ? item.events.find(({ data }) => data.type === type) : undefined;
    if (event?.data.type === "execution.started") {
      const { executionId } = event.data;
      for await (const { state } of console.client.watch("executions.watch", { executionId }))
        if (check(item) || state === "ended") return;
    }
  }
}

describe("a fork", () => {
  it("is found by what was said before it", async () => {
    const threadId = await console.start("say marmalade");
    await console.untilStatus(threadId, "done");
    const { messageId } = await console.client.call("threads.send", {
      commandId: newCommandId(),
      threadId,
      text: "say later",
    });
    await console.untilStatus(threadId, "done");
    const fork = await console.client.call("threads.fork", {
      commandId: newCommandId(),
      threadId,
      messageId,
    });
    const found = async (query: string) =>
      new Set((await console.client.call("threads.search", { query })).hits.map((hit) => hit.threadId));
    expect(await found("marmalade")).toEqual(new Set([threadId, fork.id]));
    expect(await found("later")).toEqual(new Set([threadId]));
  });
});

describe("a command with one id", () => {
  it("acts once however often and however concurrently it arrives", async () => {
    const create = { commandId: newCommandId(), workspace: folders.workspace };
    const made = await Promise.all([1, 2, 3].map(() => console.client.call("threads.create", create)));
    const threadId = made[0]!.id;
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const send = { commandId: newCommandId(), threadId, text: "say once" };
    const sent = await Promise.all([1, 2, 3].map(() => console.client.call("threads.send", send)));
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    await console.untilStatus(threadId, "done");
    await reopen();
    await console.client.call("threads.send", send);
    expect(await saidBy(threadId, "userMessage")).toEqual(["say once"]);
    const fork = { commandId: newCommandId(), threadId, messageId: sent[0]!.messageId, text: "say forked" };
    const forks = [
      await console.client.call("threads.fork", fork),
      await console.client.call("threads.fork", fork),
    ];
    expect(new Set(forks.map(({ id }) => id)).size).toBe(1);
    await console.untilStatus(forks[0]!.id, "done");
    expect(await saidBy(forks[0]!.id, "userMessage")).toEqual(["say forked"]);
  });

  it.each(["reject", "cancel"] as const)(
    "that answers what waits (%s) does so once, and a retry does nothing more",
    async (whileWaiting) => {
      const threadId = await console.start(`run touch ${whileWaiting}-1`);
      await console.onePending(threadId);
      const send = { commandId: newCommandId(), threadId, text: `run touch ${whileWaiting}-2`, whileWaiting };
      await console.client.call("threads.send", send);
      if (whileWaiting === "reject") await console.untilStatus(threadId, "done");
      else
        await console.until(
          () =>
            console
              .pending(threadId)
              .some(({ subject }) => subject.kind === "command" && subject.command.endsWith("-2")),
          "the new turn asks",
        );
      await console.client.call("threads.send", send);
      await console.approveAll(threadId);
      const messages = whileWaiting === "reject" ? [] : [send.text];
      expect(await saidBy(threadId, "userMessage")).toEqual([`run touch ${whileWaiting}-1`, ...messages]);
      expect([ran(`${whileWaiting}-1`), ran(`${whileWaiting}-2`)]).toEqual([
        false,
        whileWaiting === "cancel",
      ]);
    },
  );

  it("that is empty changes nothing", async () => {
    const threadId = await console.start("run touch kept");
    await console.onePending(threadId);
    const empty = console.send(threadId, "  ", "cancel");
    await expect(empty).rejects.toMatchObject({ code: "invalid-input", field: "text" });
    expect(console.pending(threadId)).toHaveLength(1);
    await console.stop(threadId);
  });
});

describe("a thread's mailbox", () => {
  it("is worked off in order, also when messages come from several windows and one is taken back", async () => {
    const threadId = await console.start("run touch first");
    const asked = await console.onePending(threadId);
    const sent = [];
    for (const word of ["one", "two", "three", "four"])
      sent.push(await console.send(threadId, `say ${word}`));
    await console.client.call("threads.cancelQueued", { threadId, messageId: sent[1]!.messageId });
    await console.approve(asked);
    await console.untilTurnEnd(threadId, sent[3]!.turnId);
    expect(
      (await saidBy(threadId, "agentMessage")).filter((text) => /^(one|two|three|four)$/.test(text)),
    ).toEqual(["one", "three", "four"]);
    const taken = console.client.call("threads.cancelQueued", { threadId, messageId: sent[2]!.messageId });
    await expect(taken).rejects.toMatchObject({ code: "conflict" });
  });

  it("stays shut after a stop, also over a restart, until the person says something new", async () => {
    const threadId = await console.start("run touch stopped-turn");
    await console.onePending(threadId);
    await console.send(threadId, "say queued before the stop");
    await console.stop(threadId);
    await reopen();
    const after = await console.start();
    await console.run(after, "say hello");
    expect(console.threads.get(threadId)).toMatchObject({ status: "stopped", mailbox: 1 });
    const last = await console.send(threadId, "say new");
    await console.untilTurnEnd(threadId, last.turnId);
    expect(await saidBy(threadId, "agentMessage")).toEqual(
      expect.arrayContaining(["queued before the stop", "new"]),
    );
  });

  it("takes a message sent in the same moment as the stop", async () => {
    const threadId = await console.start("run touch same-moment");
    await console.onePending(threadId);
    const stopping = console.client.call("threads.stop", { threadId });
    const { turnId } = await console.send(threadId, "say after all");
    await stopping;
    await console.untilTurnEnd(threadId, turnId);
    expect(await saidBy(threadId, "agentMessage")).toContain("after all");
    expect(ran("same-moment")).toBe(false);
  });

  it("loses nothing and runs one turn at a time when windows send and stop at random", async () => {
    const threadId = await console.start();
    const windows = [
      console,
      new TestConsole(running.host, folders.workspace),
      new TestConsole(running.host, folders.workspace),
    ];
    const sends = Array.from({ length: 9 }, (_, i) => windows[i % 3]!.send(threadId, `say word-${i}`));
    const stops = [
      windows[1]!.client.call("threads.stop", { threadId }),
      windows[2]!.client.call("threads.stop", { threadId }),
    ];
    await Promise.all([...sends, ...stops]);
    const last = await console.send(threadId, "say the end");
    await console.untilTurnEnd(threadId, last.turnId);
    for (const window of windows.slice(1)) window.leave();
    const items = await console.items(threadId);
    expect(items.filter((item) => item.kind === "userMessage")).toHaveLength(10);
    const ends = items.flatMap((item) => (item.kind === "turnEnd" ? [item.turnId] : []));
    expect(new Set(ends).size).toBe(10);
    expect(items.at(-1)?.kind).toBe("turnEnd");
  });
});

describe("stopping and deleting", () => {
  it("ends a command's whole process tree and keeps what it and the agent said", async () => {
    const threadId = await startEndless("endless");
    const pids = await Promise.all(
      ["endless.pid", "endless.child"].map(async (file) =>
        Number(await readFile(join(folders.workspace, file), "utf8")),
      ),
    );
    await console.client.call("threads.stop", { threadId });
    await expect.poll(() => pids.some(isAlive)).toBe(false);
    await console.untilStatus(threadId, "stopped");
    expect((await saidBy(threadId, "agentMessage")).join()).toContain("I begin.");
    expect(await console.ledger(threadId)).toMatchObject([{ by: { kind: "person" } }]);
    const { status } = await console.run(threadId, "say still here");
    expect([status, await console.lastWords(threadId)]).toEqual(["done", "still here"]);
  });

  it("works while the thread runs: everything of it is gone but its ledger lines", async () => {
    const threadId = await startEndless("deleted");
    const pid = Number(await readFile(join(folders.workspace, "deleted.child"), "utf8"));
    const racing = console.send(threadId, "say too late").catch((error: unknown) => error);
    await console.client.call("threads.delete", { threadId });
    await racing;
    await console.until(() => !console.threads.has(threadId), "the thread is gone");
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect(console.send(threadId, "say hello")).rejects.toMatchObject({ code: "not-found" });
    expect(await console.items(threadId)).toEqual([]);
    expect(await console.ledger(threadId)).toHaveLength(1);
    await reopen();
    await console.run(await console.start(), "say other");
    expect(console.threads.has(threadId)).toBe(false);
  });
});

describe("the cap on active model calls", () => {
  it("lets threads stand in line, says so, and serves every one", async () => {
    await console.client.call("settings.update", { maxActiveRuns: 1 });
    const seen = new Set<ThreadSummary["status"]>();
    const threads = await Promise.all(
      Array.from({ length: 5 }, () => console.start("say one two three four five six")),
    );
    await console.until(() => {
      for (const id of threads) seen.add(console.threads.get(id)?.status ?? "new");
      return threads.every((id) => console.threads.get(id)?.status === "done");
    }, "all are done");
    expect(seen).toContain("queued");
    await console.client.call("settings.update", { maxActiveRuns: 8 });
  });
});
