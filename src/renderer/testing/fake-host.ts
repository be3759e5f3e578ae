/** A stand-in for the host in component tests: scripted answers, streams pushed by hand, every call written down. */
import type { Approval } from "../../shared/contract/approvals.ts";
import { defaultSettings, type HostInfo, type Settings } from "../../shared/contract/console.ts";
import type { Input, Item, Output, ProcedureName, StreamName } from "../../shared/contract/contract.ts";
import type { Spent } from "../../shared/contract/costs.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ThreadSummary } from "../../shared/contract/threads.ts";
import { dayOf } from "../../shared/day.ts";
import type { Client } from "../base/client.ts";
import type { ConnectionState } from "../base/reconnecting-client.ts";

type Answers = { [K in ProcedureName]?: (input: Input<K>) => Output<K> | Promise<Output<K>> };
type Call = { name: ProcedureName; input: unknown };
type Feed = { name: StreamName; push: (item: unknown) => void };

export type FakeHost = {
  client: Client;
  calls: Call[];
  /** The inputs of all calls of one procedure so far. */
  inputsOf<K extends ProcedureName>(name: K): Input<K>[];
  /** Hands an item to everybody who watches. @returns how many that are. */
  push<K extends StreamName>(name: K, item: Item<K>): number;
  setState(state: ConnectionState): void;
  /** From now on no answer arrives any more. */
  end(): void;
};

type Start = {
  threads: ThreadSummary[];
  approvals: Approval[];
  settings?: Partial<Settings>;
  host?: Partial<HostInfo>;
  /** What the calls of today cost. */
  spent?: Spent;
};

/** @param answers by procedure; a call without one is refused, so that a test names all it needs. */
export function createFakeHost(start: Start, answers: Answers): FakeHost {
  const calls: Call[] = [];
  const feeds = new Set<Feed>();
  const listeners = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = "online";
  let hasEnded = false;

  async function* watch<K extends StreamName>(name: K, _input: Input<K>, options?: { signal?: unknown }) {
    const queue: Item<K>[] = name === "console.watch" ? (snapshot(start) as Item<K>[]) : [];
    let wake = () => {};
    const feed: Feed = {
      name,
      push: (item) => {
        queue.push(item as Item<K>);
        wake();
      },
    };
    feeds.add(feed);
    const signal = options?.signal as AbortSignal | undefined;
    signal?.addEventListener("abort", () => wake(), { once: true });
    while (!signal?.aborted) {
      const item = queue.shift();
      if (item !== undefined) yield item;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    feeds.delete(feed);
  }

  const client: Client = {
    async call(name, input) {
      calls.push({ name, input });
      const answer = answers[name];
      if (!answer) throw new ContractError("unavailable", `No answer was given for ${name}.`);
      const output = await answer(input);
      // The stores are the next test's by then.
      return hasEnded ? new Promise<never>(() => undefined) : output;
    },
    watch,
    state: () => state,
    problem: () => (state === "offline" ? "Countersign does not answer." : undefined),
    onState(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    client,
    calls,
    inputsOf: (name) => calls.filter((call) => call.name === name).map((call) => call.input) as never,
    push: (name, item) => {
      const watching = [...feeds].filter((feed) => feed.name === name);
      for (const feed of watching) feed.push(item);
      return watching.length;
    },
    end: () => {
      hasEnded = true;
    },
    setState: (next) => {
      state = next;
      for (const listener of listeners) listener(next);
    },
  };
}

function snapshot({ threads, approvals, settings, host, spent }: Start): Item<"console.watch">[] {
  const info: HostInfo = {
    version: "0.1.0",
    mode: "browser",
    platform: "linux",
    dataDir: "/home/ada/.countersign",
    home: "/home/ada",
    workspace: "/home/ada/shop",
    hasFolderDialog: false,
    commandPath: { source: "as-started", path: "/usr/bin", problem: null },
    commandShell: { kind: "bash", title: "bash 5.2" },
    sandbox: { state: "untried" },
    warnings: [],
    ...host,
  };
  return [
    { kind: "reset", host: info, settings: { ...defaultSettings, firstRunDone: true, ...settings } },
    { kind: "threads", threads },
    { kind: "approvals", approvals },
    { kind: "ready", seq: 1, today: { day: dayOf(Date.now()), ...(spent && { spent }) } },
  ];
}
