/** An engine with sources on a data folder of its own: real stores, gate, journal and shell, without page and wire. */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import type { DecideOutcome } from "../../../shared/contract/approvals.ts";
import type { Decision } from "../../../shared/contract/decisions.ts";
import type { MessageId, ThreadId, TurnId } from "../../../shared/ids.ts";
import { createNews } from "../../../shared/testing/news.ts";
import { defaultAgent } from "../../agent-files/agent-store.ts";
import { createRemoteServerStore } from "../../agent-files/remote-server-store.ts";
import { createKeptSessions } from "../../agents/acp/kept-session.ts";
import { createOuterAgents, outerSource } from "../../agents/acp/outer-agents.ts";
import type { OuterAgentParts } from "../../agents/acp/running-agents.ts";
import { fakeAgent, governFake } from "../../agents/acp/testing/fake-program.ts";
import type { SourceName } from "../../agents/agent-sources.ts";
import { createDeepAgent } from "../../agents/deep-agent/deep-agent.ts";
import { serverSource } from "../../agents/servers/server-cards.ts";
import { createServerDesk, type ServerDesk } from "../../agents/servers/server-desk.ts";
import { ownNetwork, type ServerNetwork } from "../../agents/servers/server-request.ts";
import type { AgentSource, SourceServices } from "../../agents/source.ts";
import { createTerminalSource, terminalSource } from "../../agents/terminal/terminal-question.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { fileRecovery } from "../../gate/recover-call.ts";
import { nothingMore } from "../../sandbox/hidden-places.ts";
import { createSandbox } from "../../sandbox/sandbox.ts";
import { inheritedEnvironment } from "../../shell/environment.ts";
import { findCommandShell } from "../../shell/find-command-shell.ts";
import { type Changes, createChanges } from "../../threads/changes.ts";
import { builtInSource } from "../../threads/thread-store.ts";
import type { TurnRow } from "../../threads/turn-store.ts";
import { createEngine, type Engine } from "../engine.ts";
import { recover } from "../recover.ts";
import { openStores, type Stores } from "../stores.ts";
import { createMemorySource } from "./memory-source.ts";

type Process = { stores: Stores; engine: Engine; changes: Changes; serverDesk: ServerDesk };

/** How remote servers are reached by most tests. */
export const noPauses: ServerNetwork = {
  ...ownNetwork,
  pause: async (_ms: number, signal: AbortSignal) => signal.throwIfAborted(),
};

/** The outer agents of the host where they are not the fake one. */
export type OuterParts = Pick<
  OuterAgentParts,
  | "agentOf"
  | "environment"
  | "wayToGovern"
  | "toolsBeside"
  | "afterIdle"
  | "sandbox"
  | "hidden"
  | "isTrusted"
  | "noteOffers"
>;

const person = { kind: "person" as const };

export class SourceHost {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-sources-")));
  readonly workspace = mkdtempSync(join(this.root, "work-"));
  readonly #news = createNews();
  #lives = 0;
  #process: Process | undefined;
  readonly #outer: Partial<OuterParts>;
  readonly #network: ServerNetwork;

  /** @param network how remote servers are reached: unless it is said, a moment between two looks is none. */
  constructor(outer: Partial<OuterParts> = {}, network = noPauses) {
    this.#outer = outer;
    this.#network = network;
  }

  get stores(): Stores {
    return this.#process!.stores;
  }

  get engine(): Engine {
    return this.#process!.engine;
  }

  get serverDesk(): ServerDesk {
    return this.#process!.serverDesk;
  }

  get changes(): Changes {
    return this.#process!.changes;
  }

  async open(): Promise<void> {
    mkdirSync(this.#dataDir, { recursive: true });
    // Keys are kept in a folder that nobody else can read, and nowhere else.
    chmodSync(this.#dataDir, 0o700);
    this.#process = await openProcess(this.#dataDir, this.#outer, this.#network, this.#news.tell);
  }

  async close(): Promise<void> {
    await this.engine.close();
    await this.stores.close();
  }

  /**
   * Goes on from what is on the disk at this moment, as after a kill: what the process would still have written goes to
   * a folder that nobody reads again.
   * @param between changes what is on the disk before anything goes on.
   */
  async kill(between?: (stores: Stores) => void): Promise<void> {
    const left = this.#dataDir;
    const dead = this.#process!;
    this.#lives += 1;
    // The logs first: what moves from one into its database meanwhile is then in both, and in the same order.
    for (const kind of [/-wal$/, /\.db$/, /(?<!-wal|-shm|\.db)$/]) copyFiles(left, this.#dataDir, kind);
    await dead.engine.close();
    await dead.stores.close();
    if (between !== undefined) {
      const options = { dataDir: this.#dataDir };
      const stores = await openStores(options, commandShell.kind, createChanges(rethrow), Date.now);
      between(stores);
      await stores.close();
    }
    await this.open();
  }

  /** A thread of the source with a first message. @param agentId whom it is for, where the source has several */
  start(source: string, text: string, agentId = defaultAgent.id): ThreadId {
    const { threads } = this.stores;
    // Its processes carry it: another test on this machine may list them at the same time.
    const id = `thread-${randomUUID()}` as ThreadId;
    const model = { provider: "demo" as const, model: "demo" };
    const how = { title: "t", titled: true, agentId, forkedFrom: undefined };
    threads.create({ id, source, model, workspace: this.workspace, ...how });
    this.send(id, text);
    return id;
  }

  send(threadId: ThreadId, text: string, attachments: TurnRow["attachments"] = []): void {
    const { threads, log } = this.stores;
    const sent = `${threadId}-${log.lastSeq(threadId)}`;
    const turn: TurnRow = {
      id: `turn-${sent}` as TurnId,
      messageId: `message-${sent}` as MessageId,
      threadId,
      text,
      attachments,
      status: "queued",
      checkpointBefore: null,
    };
    threads.addTurn(turn);
    const { id: turnId, messageId: itemId } = turn;
    log.append(threadId, [{ type: "message.sent", itemId, turnId, text, attachments: [], queued: false }]);
    this.engine.actors.poke(threadId);
  }

  /** Resolves when the condition holds; looks again at whatever is told. */
  until(condition: () => boolean): Promise<void> {
    return this.#news.until(condition);
  }

  async onePending(threadId: ThreadId): Promise<ApprovalRow> {
    await this.until(() => this.stores.approvals.pendingCount(threadId) === 1);
    return this.stores.approvals.pending(threadId)[0]!;
  }

  async untilStatus(threadId: ThreadId, status: "done" | "stopped" | "failed"): Promise<void> {
    await this.until(() => this.stores.threads.get(threadId).status === status);
  }

  async decide({ id, digest }: ApprovalRow, decision: Decision): Promise<DecideOutcome> {
    const items = [{ id, digest }];
    return (await this.engine.decisions.decide({ items, decision, graceMs: 0, by: person }))[0]!;
  }

  /** What is said of a thread in any file of the data folder but those that every source shares. */
  keptOf(threadId: ThreadId): string[] {
    const names = readdirSync(this.#dataDir, { recursive: true, encoding: "utf8" });
    const rows = names
      .filter((name) => name.endsWith(".db") && name !== "countersign.db" && name !== "lock.db")
      .flatMap((name) => rowsOf(join(this.#dataDir, name), threadId));
    return [...names.filter((name) => name.includes(threadId)), ...rows];
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  get #dataDir(): string {
    return join(this.root, `data-${this.#lives}`);
  }
}

function copyFiles(from: string, to: string, names: RegExp): void {
  // A socket is there too, and goes with its process.
  const isCopied = (path: string) => {
    const entry = statSync(path);
    return entry.isDirectory() || (entry.isFile() && names.test(path));
  };
  cpSync(from, to, { recursive: true, filter: isCopied });
}

function rowsOf(path: string, threadId: ThreadId): string[] {
  const database = new Database(path, { readonly: true });
  try {
    const tables = database
      .prepare(
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'thread_id' WHERE m.type = 'table'",
      )
      .pluck()
      .all() as string[];
    return tables.filter((table) =>
      database.prepare(`SELECT 1 FROM ${table} WHERE thread_id = ?`).get(threadId),
    );
  } finally {
    database.close();
  }
}

const commandShell = findCommandShell(process.platform, process.env);

async function openProcess(
  dataDir: string,
  outer: Partial<OuterParts>,
  network: ServerNetwork,
  onNews: () => void,
): Promise<Process> {
  const changes = createChanges(rethrow);
  changes.listen(onNews);
  const stores = await openStores({ dataDir }, commandShell.kind, changes, Date.now);
  let serverDesk: ServerDesk | undefined;
  const openDesk = (services: SourceServices) => {
    const servers = createRemoteServerStore(dataDir);
    serverDesk = createServerDesk(services, { servers, keys: stores.keys, onError: rethrow, network });
    return serverDesk.source;
  };
  const engine = createEngine({
    dataDir,
    now: Date.now,
    stores,
    changes,
    createSources: (services) => sourcesOver(dataDir, outer, stores, services, openDesk(services)),
    classOfTool: async () => undefined,
    commandShell,
    sandbox: createSandbox({ mode: () => "off", onKnown: () => undefined }),
    pathKnown: Promise.resolve(),
    logError: String,
  });
  const goOn = recover({
    ...stores,
    sources: engine.sources,
    dropUncommitted: () => false,
    fileRecovery: (execution) => void fileRecovery(engine.journal, execution),
  });
  serverDesk!.recover();
  for (const threadId of goOn) engine.actors.resume(threadId);
  return { stores, engine, changes, serverDesk: serverDesk! };
}

function sourcesOver(
  dataDir: string,
  outerParts: Partial<OuterParts>,
  stores: Stores,
  services: SourceServices,
  server: AgentSource,
): Map<string, AgentSource> {
  const deepAgent = createDeepAgent(
    {
      ...stores,
      dataDir,
      settings: stores.settings.get,
      agentOf: () => defaultAgent,
      toolsOf: async () => [],
      contextOf: async () => ({ folder: [], skills: [], own: [] }),
      isLookedAt: () => false,
      shellTitle: async () => "bash",
      mayConfine: () => false,
    },
    services,
  );
  const outer = createOuterAgents(
    {
      dataDir,
      kept: createKeptSessions(dataDir),
      // What the fake agent knows outlives each data folder of the host, as a real one's own files do.
      agentOf: (id) => fakeAgent(id, join(dirname(dataDir), "fake-agent.txt")),
      isTrusted: () => true,
      environment: () => inheritedEnvironment({ source: process.env, allow: [] }),
      pathKnown: Promise.resolve(),
      wayToGovern: governFake,
      sandbox: async () => undefined,
      hidden: () => nothingMore,
      toolsBeside: async () => [],
      afterIdle: () => () => undefined,
      noteOffers: () => undefined,
      ...outerParts,
    },
    services,
  );
  const sources: Record<SourceName | "memory" | "brief", AgentSource> = {
    [builtInSource]: deepAgent,
    [terminalSource]: createTerminalSource(services),
    [outerSource]: outer,
    [serverSource]: server,
    memory: createMemorySource(services),
    brief: createMemorySource(services, { resume: false }),
  };
  return new Map(Object.entries(sources));
}

function rethrow(error: unknown): never {
  throw error;
}
