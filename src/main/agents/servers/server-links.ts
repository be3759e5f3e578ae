/** One link to each remote server, opened when it is first needed, asked at intervals, and changed in turns. */
import type { RemoteServer } from "../../../shared/contract/remote-servers.ts";
import type { KeyStore } from "../../settings/key-store.ts";
import type { AnswerJournal } from "./answer-records.ts";
import { hiderOf } from "./hide-key.ts";
import { createServerClient } from "./server-client.ts";
import { ServerLink } from "./server-link.ts";
import { ownNetwork, type ServerNetwork } from "./server-request.ts";
import type { TurnParts } from "./server-turn.ts";

export type LinksParts = {
  keys: Pick<KeyStore, "open" | "find">;
  onError(error: unknown): void;
  network?: ServerNetwork;
};

/** Everything that is held of one server while it is asked. */
export type OpenServer = {
  link: ServerLink;
  server: RemoteServer;
  end: AbortController;
  /** What a turn works with, whose signal ends it. */
  partsUntil(signal: AbortSignal): TurnParts;
};

/** The name that the key of a server is kept under. */
export const keyNameOf = (id: string) => `server:${id}` as const;

export type Links = {
  /** None while its server is being changed: nothing goes out with half of what is said of it. */
  of(server: RemoteServer): OpenServer | undefined;
  find(id: string): ServerLink | undefined;
  /** A person has a window in view, until what it gives is called. */
  inView(): () => void;
  /** From here on each goes on by itself, those that are opened later too. */
  begin(servers: readonly RemoteServer[]): void;
  /** Ends the link, then changes what is said of its server; one change of it after another. */
  change(id: string, act: () => Promise<void>): Promise<void>;
  /** Resolves when nothing changes it. */
  settled(id: string): Promise<void>;
  close(): Promise<void>;
};

/** One link to each server, from when it is first needed. */
export function createLinks(journal: AnswerJournal, parts: LinksParts): Links {
  const { keys, onError, network = ownNetwork } = parts;
  const opened = new Map<string, OpenServer>();
  const changing = new Map<string, Promise<void>>();
  let begun = false;
  const pace = createPollPace(network);

  function open(server: RemoteServer): OpenServer {
    const known = opened.get(server.id);
    if (known) return known;
    const end = new AbortController();
    const { signal } = end;
    const keyOf = () => (server.auth === "none" ? undefined : keys.find(keyNameOf(server.id)));
    const partsUntil = (until: AbortSignal): TurnParts => {
      const client = createServerClient(() => ({ ...server, key: keyOf() }), network, until);
      const pause = (ms: number) => network.pause(ms, until);
      return { journal, server, client, hider: () => hiderOf(keyOf()), pause, clock: network.clock };
    };
    const link = new ServerLink({ ...partsUntil(signal), signal, onError });
    const one = {
      link,
      end,
      server,
      partsUntil: (until: AbortSignal) => partsUntil(AbortSignal.any([signal, until])),
    };
    opened.set(server.id, one);
    if (begun) void goOn(one, keys, pace);
    return one;
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
    of: (server) => (changing.has(server.id) ? undefined : open(server)),
    find: (id) => opened.get(id)?.link,
    inView: pace.inView,
    begin(servers) {
      begun = true;
      for (const server of servers) {
        const known = opened.get(server.id);
        if (known) void goOn(known, keys, pace);
        else open(server);
      }
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

/** Round after round, further apart while it does not answer; one that refuses its key is not asked again by itself. */
async function goOn(
  { link, end: { signal }, server }: OpenServer,
  keys: LinksParts["keys"],
  { nextRound }: PollPace,
): Promise<void> {
  await keys.open([keyNameOf(server.id)]);
  let failures = 0;
  while (!signal.aborted) {
    await link.poll();
    const { kind } = link.state;
    if (kind === "refused") return;
    failures = kind === "answers" ? 0 : failures + 1;
    await nextRound(failures, signal);
  }
}

type PollPace = {
  /** A person has a window in view, until what it gives is called. */
  inView(): () => void;
  /** Resolves when the next round is due. @param failures rounds in a row without an answer */
  nextRound(failures: number, signal: AbortSignal): Promise<void>;
};

/** While a person has a window in view. */
const inViewMs = 5_000;
const outOfViewMs = 60_000;
const longestPauseMs = 300_000;

/** Holds in memory how many windows are in view. */
function createPollPace({ pause }: Pick<ServerNetwork, "pause">): PollPace {
  let windows = 0;
  /** Aborted when the first window comes into view: whoever waits for the next round does not any more. */
  let cameIntoView = new AbortController();
  return {
    inView() {
      let isIn = true;
      windows += 1;
      if (windows === 1) {
        cameIntoView.abort();
        cameIntoView = new AbortController();
      }
      return () => {
        windows -= Number(isIn);
        isIn = false;
      };
    },
    async nextRound(failures, signal) {
      const everyMs = windows > 0 ? inViewMs : outOfViewMs;
      const pauseMs = Math.min(everyMs * 2 ** failures, longestPauseMs) * (0.75 + Math.random() / 2);
      // One that does not answer is asked no sooner for it.
      const until = failures > 0 ? signal : AbortSignal.any([signal, cameIntoView.signal]);
      await pause(pauseMs, until).catch(() => undefined);
    },
  };
}
