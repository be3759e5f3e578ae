/** The desk of all remote servers: keeps one link to each that the person entered, and asks it at intervals. */
import { ContractError } from "../../../shared/contract/errors.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import type { RemoteServer, ShownServer } from "../../../shared/contract/remote-servers.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { RemoteServerStore } from "../../agent-files/remote-server-store.ts";
import { TurnStopped } from "../../gate/run-context.ts";
import type { KeyStore } from "../../settings/key-store.ts";
import { type AgentSource, fewAbilities } from "../source.ts";
import {
  type AnswerJournal,
  askAboutUnknown,
  endCall,
  giveUp,
  settleStatus,
  withdraw,
} from "./answer-records.ts";
import { checkServer, type Entered } from "./server-address.ts";
import { isOf, serverSource } from "./server-cards.ts";
import { createServerClient } from "./server-client.ts";
import { leftOf, ServerLink } from "./server-link.ts";
import { cardsWaiting, showStanding } from "./server-queue.ts";
import { ownNetwork, type ServerNetwork } from "./server-request.ts";

export type ServerDeskParts = {
  servers: RemoteServerStore;
  keys: Pick<KeyStore, "open" | "find" | "storageOf" | "set" | "remove">;
  onError(error: unknown): void;
  network?: ServerNetwork;
};

export type ServerDesk = {
  source: AgentSource;
  /** After a start: what waits was not looked at yet, and what was underway may have arrived. */
  recover(): void;
  /** Asks each server for the first time, and goes on at intervals. */
  begin(): void;
  list(): ShownServer[];
  /** Keeps it once it has answered as a server of this kind. */
  save(
    entered: Entered,
    key: string | undefined,
  ): Promise<{ server: ShownServer } | { problem: FieldProblem }>;
  remove(id: string): Promise<void>;
  /** @throws ContractError `not-found` */
  lookNow(id: string): Promise<ShownServer>;
};

const everyMs = 10_000;
const longestPauseMs = 300_000;

type Open = { link: ServerLink; end: AbortController; server: RemoteServer };

const keyNameOf = (id: string) => `server:${id}` as const;

type Links = {
  /** None while its server is being changed: nothing goes out with half of what is said of it. */
  of(server: RemoteServer): ServerLink | undefined;
  find(id: string): ServerLink | undefined;
  /** From here on each goes on by itself, those that are opened later too. */
  begin(servers: readonly RemoteServer[]): void;
  /** Ends the link, then changes what is said of its server; one change of it after another. */
  change(id: string, act: () => Promise<void>): Promise<void>;
  /** Resolves when nothing changes it. */
  settled(id: string): Promise<void>;
  close(): Promise<void>;
};

/** One link to each server, from when it is first needed. */
function createLinks(journal: AnswerJournal, parts: ServerDeskParts): Links {
  const { keys, onError, network = ownNetwork } = parts;
  const opened = new Map<string, Open>();
  const changing = new Map<string, Promise<void>>();
  let begun = false;

  function open(server: RemoteServer): Open {
    const known = opened.get(server.id);
    if (known) return known;
    const end = new AbortController();
    const { signal } = end;
    const keyOf = () => (server.auth === "none" ? undefined : keys.find(keyNameOf(server.id)));
    const client = createServerClient(() => ({ ...server, key: keyOf() }), network, signal);
    const pause = (ms: number) => network.pause(ms, signal);
    const { clock } = network;
    const link = new ServerLink({ journal, server, client, pause, clock, signal, onError });
    const one = { link, end, server };
    opened.set(server.id, one);
    if (begun) void goOn(one);
    return one;
  }

  /** Round after round, further apart while it does not answer; one that refuses its key is not asked again by itself. */
  async function goOn({ link, end: { signal }, server }: Open): Promise<void> {
    await keys.open([keyNameOf(server.id)]);
    let failures = 0;
    while (!signal.aborted) {
      await link.poll();
      const { kind } = link.state;
      if (kind === "refused") return;
      failures = kind === "answers" ? 0 : failures + 1;
      const pauseMs = Math.min(everyMs * 2 ** failures, longestPauseMs) * (0.75 + Math.random() / 2);
      await network.pause(pauseMs, signal).catch(() => undefined);
    }
  }

  async function end(id: string): Promise<void> {
    const one = opened.get(id);
    opened.delete(id);
    one?.end.abort(new Error("The server was removed or changed, or the console ends."));
    await one?.link.idle();
  }

  const settled = async (id: string) => {
    for (let turn = changing.get(id); turn; turn = changing.get(id)) await turn.catch(() => undefined);
  };

  return {
    of: (server) => (changing.has(server.id) ? undefined : open(server).link),
    find: (id) => opened.get(id)?.link,
    begin(servers) {
      begun = true;
      for (const server of servers) if (!opened.has(server.id)) open(server);
    },
    async change(id, act) {
      const before = changing.get(id);
      const turn = (async () => {
        await before?.catch(() => undefined);
        await end(id);
        await act();
      })().finally(() => {
        if (changing.get(id) === turn) changing.delete(id);
      });
      changing.set(id, turn);
      await turn;
    },
    settled,
    async close() {
      begun = false;
      await Promise.all([...opened.keys()].map(end));
    },
  };
}

/** Holds in memory the links, and which of them wait for their next round. */
export function createServerDesk(journal: AnswerJournal, parts: ServerDeskParts): ServerDesk {
  const { servers, keys, network = ownNetwork } = parts;
  const links = createLinks(journal, parts);

  function show(server: RemoteServer): ShownServer {
    const state = links.find(server.id)?.state ?? { kind: "new", since: journal.now(), waiting: 0 };
    const keyStorage = server.auth === "none" ? undefined : keys.storageOf(keyNameOf(server.id));
    return { ...server, state, ...(keyStorage && { keyStorage }) };
  }

  const linkOf = (threadId: ThreadId) => {
    const server = servers.list().entries.find((one) => isOf(one, threadId));
    return server && links.of(server);
  };

  return {
    source: createServerSource(linkOf, links.close),
    recover() {
      recover(journal);
      const { entries, problems } = servers.list();
      // What cannot be read may be mended; what was taken out of the file is gone.
      if (problems.length > 0) return;
      for (const id of serversAsking(journal))
        if (!entries.some((server) => server.id === id)) giveUpAll(journal, { id });
    },
    begin: () => links.begin(servers.list().entries),
    list: () => servers.list().entries.map(show),
    async save(entered, key) {
      const name = keyNameOf(entered.id);
      await keys.open([name]);
      const needsKey = entered.auth !== "none";
      const kept = keys.find(name);
      if (
        needsKey &&
        key === undefined &&
        kept !== undefined &&
        !isSameHost(servers.get(entered.id), entered)
      )
        return {
          problem: { field: "key", message: "It has another address now. Give the key for that one." },
        };
      const checked = await checkServer(entered, needsKey ? (key ?? kept) : undefined, network);
      if ("problem" in checked) return checked;
      try {
        await links.change(entered.id, async () => {
          if (!needsKey) await keys.remove(name);
          else if (key !== undefined) await keys.set(name, key);
          servers.save(checked.server);
        });
      } finally {
        // Also when it could not be kept: then the one there was goes on.
        const now = servers.get(entered.id);
        await (now && links.of(now)?.poll());
      }
      return { server: show(checked.server) };
    },
    remove: (id) =>
      links.change(id, async () => {
        servers.remove(id);
        giveUpAll(journal, { id });
        await keys.remove(keyNameOf(id));
      }),
    async lookNow(id) {
      await links.settled(id);
      const server = servers.get(id);
      if (!server)
        throw new ContractError("not-found", "This server is not entered here any more.", { field: "id" });
      // One that refused its key was not asked any more.
      if (links.find(id)?.state.kind === "refused") await links.change(id, async () => undefined);
      await keys.open([keyNameOf(id)]);
      await links.of(server)?.poll();
      return show(server);
    },
  };
}

/** Whether a key that was entered for the one is meant for the other. */
function isSameHost(before: RemoteServer | undefined, { url }: Entered): boolean {
  const now = URL.parse(url);
  return now === null || (before !== undefined && URL.parse(before.url)?.origin === now.origin);
}

function serversAsking({ approvals }: AnswerJournal): Set<string> {
  const decided = approvals.threadsWithUnconsumed().flatMap((threadId) => approvals.unconsumed(threadId));
  return new Set([...approvals.pending(), ...decided].flatMap(({ server }) => server?.id ?? []));
}

/** Nothing more is sent for a server that was removed, also not for one that takes its name later. */
function giveUpAll(journal: AnswerJournal, server: Pick<RemoteServer, "id">): void {
  const { approvals, executions, database } = journal;
  const reason = "its server was removed here";
  database.transaction(() => {
    const left = executions.started().filter(({ threadId }) => isOf(server, threadId));
    for (const begun of leftOf(journal, left)) giveUp(journal, begun, reason);
    const decided = approvals.threadsWithUnconsumed().filter((threadId) => isOf(server, threadId));
    for (const row of decided.flatMap((threadId) => approvals.unconsumed(threadId))) {
      if (approvals.consume(row.id)) endCall(journal, row, "cancelled", `Nothing was sent: ${reason}.`);
      settleStatus(journal, row.threadId);
    }
    for (const row of cardsWaiting(journal, server)) {
      withdraw(journal, row, reason);
      settleStatus(journal, row.threadId);
    }
  })();
}

/** Until the first look nobody knows whether what waits does still, and an answer that was underway may have arrived. */
function recover(journal: AnswerJournal): void {
  const { approvals, executions, threads, now } = journal;
  journal.database.transaction(() => {
    const left = executions
      .started()
      .filter(({ threadId }) => threads.find(threadId)?.source === serverSource);
    for (const [first] of leftOf(journal, left))
      if (first) askAboutUnknown(journal, first.row, first.startedAt);
    const standing = { kind: "unseen" as const, since: now(), why: "It was not asked yet since the start." };
    for (const row of approvals.pending()) {
      showStanding(journal, row, standing);
      if (row.server) threads.update(row.threadId, { status: "waiting" });
    }
  })();
}

/** @returns a source whose threads work on their servers: nothing of them runs here. */
function createServerSource(
  linkOf: (threadId: ThreadId) => ServerLink | undefined,
  close: () => Promise<void>,
): AgentSource {
  return {
    can: { ...fewAbilities, messages: false },
    async run() {
      throw new TurnStopped("failed", "This thread works on its server. Write to it there.");
    },
    outside: { deliver: (row) => linkOf(row.threadId)?.deliver(row) },
    forget: async () => undefined,
    close,
  };
}
