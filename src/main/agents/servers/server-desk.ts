/** The desk of all remote servers: keeps one link to each that the person entered, and asks it at intervals. */
import { ContractError } from "../../../shared/contract/errors.ts";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import type { RemoteServer, ShownAssistant, ShownServer } from "../../../shared/contract/remote-servers.ts";
import type { ThreadId } from "../../../shared/ids.ts";
import type { RemoteServerStore } from "../../agent-files/remote-server-store.ts";
import type { KeyStore } from "../../settings/key-store.ts";
import type { AgentSource, SourceServices } from "../source.ts";
import {
  type AnswerJournal,
  askAboutUnknown,
  endCall,
  giveUp,
  settleStatus,
  withdraw,
} from "./answer-records.ts";
import { leftOf } from "./decided-answers.ts";
import { checkServer, type Entered } from "./server-address.ts";
import { isOf, serverSource, serverThreadPrefix } from "./server-cards.ts";
import { createLinks, keyNameOf, type Links, type LinksParts } from "./server-links.ts";
import { allCardsWaiting, cardsWaiting, showStanding } from "./server-queue.ts";
import { ownNetwork } from "./server-request.ts";
import { createServerSource, createThread, listAssistants } from "./server-source.ts";
import { createServerThreads } from "./server-threads.ts";

export type ServerDeskParts = LinksParts & {
  servers: RemoteServerStore;
  keys: Pick<KeyStore, "open" | "find" | "storageOf" | "set" | "remove">;
};

export type ServerDesk = {
  source: AgentSource;
  /** After a start: what waits was not looked at yet, and what was underway may have arrived. */
  recover(): void;
  /** Asks each server for the first time, and goes on at intervals. */
  begin(): void;
  /** A person has a window in view, until what it gives is called: meanwhile servers are asked more often. */
  inView(): () => void;
  list(): ShownServer[];
  /** Keeps it once it has answered as a server of this kind. */
  save(
    entered: Entered,
    key: string | undefined,
  ): Promise<{ server: ShownServer } | { problem: FieldProblem }>;
  remove(id: string): Promise<void>;
  /** @throws ContractError `not-found` */
  lookNow(id: string): Promise<ShownServer>;
  /** Who can be written to there. @throws ContractError */
  assistants(id: string): Promise<ShownAssistant[]>;
  /** The row of a thread that begins there with its first message. @throws ContractError `not-found` */
  createThread(id: string, assistant: string, title: string): ThreadId;
};

/** Holds in memory the links, and which of them wait for their next round. */
export function createServerDesk(
  { journal: rows, goOn, onDelta }: Pick<SourceServices, "journal" | "goOn" | "onDelta">,
  parts: ServerDeskParts,
): ServerDesk {
  const { servers, keys } = parts;
  const journal: AnswerJournal = {
    ...rows,
    goOn,
    onDelta,
    serverThreads: createServerThreads(rows.database),
  };
  const links = createLinks(journal, parts);

  function show(server: RemoteServer): ShownServer {
    const state = links.find(server.id)?.state ?? { kind: "new", since: journal.now(), waiting: 0 };
    const keyStorage = server.auth === "none" ? undefined : keys.storageOf(keyNameOf(server.id));
    return { ...server, state, ...(keyStorage && { keyStorage }) };
  }

  const openedOf = (threadId: ThreadId) => {
    const server = servers.list().entries.find((one) => isOf(one, threadId));
    return server && links.of(server);
  };

  const settledOf = async (threadId: ThreadId) => {
    for (;;) {
      const server = servers.list().entries.find((one) => isOf(one, threadId));
      if (!server) return undefined;
      await links.settled(server.id);
      const opened = openedOf(threadId);
      if (opened) return opened;
    }
  };

  return {
    source: createServerSource({
      openedOf,
      settledOf,
      openKey: (id) => keys.open([keyNameOf(id)]),
      close: links.close,
      journal,
    }),
    recover() {
      recover(journal);
      const { entries, problems } = servers.list();
      // What cannot be read may be mended; what was taken out of the file is gone.
      if (problems.length > 0) return;
      for (const id of serversAsking(journal))
        if (!entries.some((server) => server.id === id)) giveUpAll(journal, { id });
    },
    begin: () => links.begin(servers.list().entries),
    inView: links.inView,
    list: () => servers.list().entries.map(show),
    save: (entered, key) => saveServer(parts, links, entered, key, show),
    remove: (id) =>
      links.change(id, async () => {
        servers.remove(id);
        giveUpAll(journal, { id });
        await keys.remove(keyNameOf(id));
      }),
    async assistants(id) {
      const server = serverOf(servers, id);
      await keys.open([keyNameOf(id)]);
      await links.settled(id);
      const opened = links.of(server);
      return opened ? listAssistants(opened) : [];
    },
    createThread: (id, assistant, title) => createThread(journal, serverOf(servers, id), assistant, title),
    async lookNow(id) {
      await links.settled(id);
      const server = serverOf(servers, id);
      // One that refused its key was not asked any more.
      if (links.find(id)?.state.kind === "refused") await links.change(id, async () => undefined);
      await keys.open([keyNameOf(id)]);
      await links.of(server)?.link.poll();
      return show(server);
    },
  };
}

/** Asks it once, and keeps it with its key when it answers as such a server. */
async function saveServer(
  { servers, keys, network = ownNetwork }: ServerDeskParts,
  links: Links,
  entered: Entered,
  key: string | undefined,
  show: (server: RemoteServer) => ShownServer,
): ReturnType<ServerDesk["save"]> {
  const name = keyNameOf(entered.id);
  await keys.open([name]);
  const needsKey = entered.auth !== "none";
  const kept = keys.find(name);
  if (needsKey && key === undefined && kept !== undefined && !isSameHost(servers.get(entered.id), entered))
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
    await (now && links.of(now)?.link.poll());
  }
  return { server: show(checked.server) };
}

/** Whether a key that was entered for the one is meant for the other. */
function isSameHost(before: RemoteServer | undefined, { url }: Entered): boolean {
  const now = URL.parse(url);
  return now === null || (before !== undefined && URL.parse(before.url)?.origin === now.origin);
}

function serversAsking(journal: AnswerJournal): Set<string> {
  const { threadsWithUnconsumed, unconsumed } = journal.approvals;
  const answered = threadsWithUnconsumed().filter((id) => id.startsWith(serverThreadPrefix));
  const rows = [...allCardsWaiting(journal), ...answered.flatMap((id) => unconsumed(id))];
  return new Set(rows.flatMap(({ server }) => server?.id ?? []));
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
  const { executions, threads, now } = journal;
  journal.database.transaction(() => {
    const left = executions
      .started()
      .filter(({ threadId }) => threads.find(threadId)?.source === serverSource);
    for (const [first] of leftOf(journal, left))
      if (first) askAboutUnknown(journal, first.row, first.startedAt);
    const standing = { kind: "unseen" as const, since: now(), why: "It was not asked yet since the start." };
    for (const row of allCardsWaiting(journal)) {
      showStanding(journal, row, standing);
      if (row.server) threads.update(row.threadId, { status: "waiting" });
    }
  })();
}

/** @throws ContractError `not-found` */
function serverOf({ get }: RemoteServerStore, id: string): RemoteServer {
  const server = get(id);
  if (server) return server;
  throw new ContractError("not-found", "This server is not entered here any more.", { field: "id" });
}
