/** A real host on folders of its own, reached through the wire as a window would: it waits on what the host tells, never on time. */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Decision } from "../../../shared/contract/decisions.ts";
import type { LedgerEntry } from "../../../shared/contract/ledger.ts";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { ToolCallItem, TranscriptItem } from "../../../shared/contract/transcript.ts";
import type { ApprovalId, ThreadId } from "../../../shared/ids.ts";
import { hangGuardMs } from "../../../shared/testing/hang-guard.ts";
import { type Client, createClient } from "../../../shared/wire/client.ts";
import { connectInProcess } from "../../../shared/wire/in-process.ts";
import { newCommandId } from "../../base/command-id.ts";
import { createHost } from "../create-host.ts";
import type { Host, HostOptions } from "../host.ts";

export type Folders = { root: string; dataDir: string; workspace: string };

export async function makeFolders(): Promise<Folders> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "countersign-host-")));
  const folders = { root, dataDir: join(root, "data"), workspace: join(root, "work") };
  await mkdir(folders.workspace);
  return folders;
}

export function removeFolders({ root }: Folders): Promise<void> {
  return rm(root, { recursive: true, force: true, maxRetries: 5 });
}

/** A grace, in ms, in which something has to happen before it is over, with room for a busy machine. */
export const roomyMs = 2_000;

const restStatuses = ["done", "failed", "stopped", "interrupted"];

/** What one window sees and does. */
export class TestConsole {
  readonly client: Client;
  readonly approvals = new Map<ApprovalId, Approval>();
  readonly threads = new Map<ThreadId, ThreadSummary>();
  readonly #workspace: string;
  readonly #listeners = new Set<() => void>();
  readonly #left = new AbortController();

  constructor(host: Host, workspace: string) {
    const [near, far] = connectInProcess();
    host.connect(far);
    this.client = createClient(near);
    this.#workspace = workspace;
    void this.#follow();
  }

  leave(): void {
    this.#left.abort();
  }

  /** Resolves when the condition holds, for what the console stream told or on disk; the message says what was waited for. */
  async until(condition: () => boolean, what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const seen = () =>
      `threads ${[...this.threads.values()].map((thread) => `${thread.status}${thread.problem ? ` (${thread.problem})` : ""}`)}, ${this.pending().length} pending`;
    const timer = setTimeout(() => reject(new Error(`Never came: ${what}; ${seen()}`)), hangGuardMs);
    const look = () => {
      if (condition()) resolve();
    };
    this.#listeners.add(look);
    // What a command leaves on disk comes without news of the console.
    const again = setInterval(look, 50);
    look();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(again);
      this.#listeners.delete(look);
    }
  }

  pending(threadId?: ThreadId): Approval[] {
    return [...this.approvals.values()].filter(
      (one) => one.status === "pending" && (threadId === undefined || one.threadId === threadId),
    );
  }

  /** Waits until this many approvals wait in the thread, and answers them in the order they were asked. */
  async untilPending(threadId: ThreadId, count = 1): Promise<Approval[]> {
    await this.until(() => this.pending(threadId).length === count, `${count} pending in ${threadId}`);
    return this.pending(threadId).sort((a, b) => a.requestedAt - b.requestedAt || (a.id < b.id ? -1 : 1));
  }

  async onePending(threadId: ThreadId): Promise<Approval> {
    return (await this.untilPending(threadId, 1))[0]!;
  }

  async untilStatus(threadId: ThreadId, ...statuses: ThreadSummary["status"][]): Promise<ThreadSummary> {
    await this.until(
      () => statuses.includes(this.threads.get(threadId)?.status ?? "new"),
      `${threadId} is ${statuses.join(" or ")}`,
    );
    return this.threads.get(threadId)!;
  }

  untilRest(threadId: ThreadId): Promise<ThreadSummary> {
    return this.untilStatus(threadId, ...(restStatuses as ThreadSummary["status"][]));
  }

  /** A thread on the demo model, with a first message when one is given. */
  async start(text?: string, more: { agentId?: string } = {}): Promise<ThreadId> {
    const { id } = await this.client.call("threads.create", {
      commandId: newCommandId(),
      workspace: this.#workspace,
      ...(more as { agentId?: never }),
    });
    if (text !== undefined) await this.send(id, text);
    return id;
  }

  send(threadId: ThreadId, text: string, whileWaiting?: "queue" | "reject" | "cancel") {
    return this.client.call("threads.send", { commandId: newCommandId(), threadId, text, whileWaiting });
  }

  /** Trusts a folder with all that it says now. */
  async trust(path: string): Promise<void> {
    const { digest } = await this.client.call("workspaces.review", { path });
    await this.client.call("workspaces.setTrust", { path, trusted: true, digest });
  }

  /** Sends and waits until the turn it began has come to rest; nothing may wait for a person in it. */
  async run(threadId: ThreadId, text: string): Promise<ThreadSummary> {
    const { turnId } = await this.send(threadId, text);
    // The list of threads comes over a feed of its own, and may still say how the turn before ended.
    return this.untilStatus(threadId, await this.untilTurnEnd(threadId, turnId));
  }

  /** @returns how it ended */
  async untilTurnEnd(threadId: ThreadId, turnId: string): Promise<ThreadSummary["status"]> {
    for await (const item of this.client.watch("threads.watch", { threadId, since: 0 }))
      for (const { data } of item.kind === "events" ? item.events : [])
        if (data.type === "turn.finished" && data.turnId === turnId) return data.outcome;
    throw new Error(`The events of ${threadId} ended before the turn ${turnId}.`);
  }

  /** Stops and waits until the window shows it, so that nothing cancelled is taken for pending. */
  async stop(threadId: ThreadId): Promise<void> {
    await this.client.call("threads.stop", { threadId });
    await this.untilStatus(threadId, "stopped");
    await this.until(() => this.pending(threadId).length === 0, "nothing waits in the stopped thread");
  }

  /** Decides and waits until the window shows it. */
  async decide(approval: Pick<Approval, "id" | "digest">, decision: Decision, graceMs?: number) {
    const { id, digest } = approval;
    const input = { commandId: newCommandId(), items: [{ id, digest }], decision, graceMs };
    const outcome = (await this.client.call("approvals.decide", input)).outcomes[0]!;
    if (outcome.ok)
      await this.until(() => this.approvals.get(id)?.status !== "pending", "the decision is shown");
    return outcome;
  }

  approve(approval: Pick<Approval, "id" | "digest">, graceMs?: number) {
    return this.decide(approval, { type: "approve" }, graceMs);
  }

  /** Approves whatever waits until the thread rests. */
  async approveAll(threadId: ThreadId): Promise<ThreadSummary> {
    for (;;) {
      await this.until(
        () =>
          this.pending(threadId).length > 0 ||
          restStatuses.includes(this.threads.get(threadId)?.status ?? ""),
        `${threadId} asks or rests`,
      );
      const waiting = this.pending(threadId);
      if (waiting.length === 0) return this.threads.get(threadId)!;
      for (const one of waiting) await this.approve(one);
      await this.until(
        () => waiting.every(({ id }) => this.approvals.get(id)?.status !== "pending"),
        "the decisions arrived",
      );
    }
  }

  async items(threadId: ThreadId): Promise<TranscriptItem[]> {
    return (await this.client.call("threads.page", { threadId, limit: 200 })).items;
  }

  async toolCalls(threadId: ThreadId): Promise<ToolCallItem[]> {
    return (await this.items(threadId)).filter((item) => item.kind === "toolCall");
  }

  /** What the agent said last. */
  async lastWords(threadId: ThreadId): Promise<string> {
    const said = (await this.items(threadId)).findLast(
      (item) => item.kind === "agentMessage" && item.agentPath.length === 0,
    );
    return said?.kind === "agentMessage" ? said.text : "";
  }

  async notices(threadId: ThreadId): Promise<Extract<TranscriptItem, { kind: "notice" }>[]> {
    return (await this.items(threadId)).filter((item) => item.kind === "notice");
  }

  /** Oldest first. */
  async ledger(threadId?: ThreadId): Promise<LedgerEntry[]> {
    return (await this.client.call("approvals.ledger", { threadId, limit: 200 })).entries.reverse();
  }

  async #follow(): Promise<void> {
    try {
      for await (const item of this.client.watch("console.watch", {}, { signal: this.#left.signal })) {
        if (item.kind === "threads" || item.kind === "changes")
          for (const thread of item.threads) this.threads.set(thread.id, thread);
        if (item.kind === "approvals" || item.kind === "changes")
          for (const approval of item.approvals) this.approvals.set(approval.id, approval);
        if (item.kind === "changes") {
          for (const id of item.removedThreads) this.threads.delete(id);
          for (const id of item.removedApprovals) this.approvals.delete(id);
        }
        for (const listener of this.#listeners) listener();
      }
    } catch {
      // The host is closed; whoever waits runs into its own limit and says what it waited for.
    }
  }
}

// What `withHost` opened last, for the tests of the file that called it.
export let folders: Folders;
export let running: RunningHost;
export let console: TestConsole;

/**
 * Gives the tests of a file a host, one for all or one for each: `folders`, `running` and `console`.
 * @returns `reopen`, which closes the host and opens it again on the same folders; `between` acts while it is closed.
 */
export function withHost(
  span: "file" | "test",
  options: () => Partial<HostOptions> = () => ({}),
): { reopen(between?: () => void | Promise<void>): Promise<void> } {
  const [before, after] = span === "file" ? [beforeAll, afterAll] : [beforeEach, afterEach];
  let own: RunningHost | undefined;
  const open = async () => {
    own = await openHost(folders, options());
    running = own;
    console = own.console;
  };
  before(async () => {
    folders = await makeFolders();
    own = undefined;
    await open();
  });
  after(async () => {
    await own?.close();
    await removeFolders(folders);
  });
  return {
    async reopen(between) {
      await own?.close();
      await between?.();
      await open();
    },
  };
}

export type RunningHost = { host: Host; console: TestConsole; close(): Promise<void> };

/** Opens a host on the folders and one window on it. @throws what createHost throws. */
export async function openHost(folders: Folders, options: Partial<HostOptions> = {}): Promise<RunningHost> {
  const host = await createHost({
    dataDir: folders.dataDir,
    mode: "browser",
    version: "0.0.0-test",
    // What is tested in most places is the same with and without it, and it is not there on every machine.
    sandbox: { mode: "off" },
    ...options,
  });
  const console = new TestConsole(host, folders.workspace);
  return {
    host,
    console,
    async close() {
      console.leave();
      await host.close();
    },
  };
}
