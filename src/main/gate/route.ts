/** What becomes of a call: judged at its first sight, written down, and the same ever after (I4). */
import type Database from "better-sqlite3";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import type { GatedCall, Route } from "./call.ts";
import type { Judge } from "./judge.ts";

export type RouteStore = {
  find(callKey: string): Route | undefined;
  add(call: GatedCall, route: Route): void;
  /** Whether the agent's configuration asks for a person about this call. */
  asksAlways(callKey: string): boolean;
  /** What was said of this call when it was judged; `undefined` with other arguments, or when nobody was to be asked. */
  askedVerdict(callKey: string, args: Record<string, unknown>): Verdict | undefined;
  removeThread(threadId: ThreadId): void;
};

/** Kept until their thread is removed. */
export function createRouteStore(database: Database.Database, now: () => number): RouteStore {
  const routeOf = database.prepare("SELECT route FROM tool_calls WHERE key = ?").pluck();
  const argsOf = database.prepare("SELECT args FROM tool_calls WHERE key = ?").pluck();
  const insert = database.prepare(
    "INSERT INTO tool_calls (key, thread_id, turn_id, item_id, tool, args, route, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
  );
  const remove = database.prepare("DELETE FROM tool_calls WHERE thread_id = ?");

  function find(callKey: string): Route | undefined {
    const route = routeOf.get(callKey) as string | undefined;
    return route ? (JSON.parse(route) as Route) : undefined;
  }

  return {
    find,
    add(call, route) {
      const { key, threadId, turnId, itemId, tool, args } = call;
      insert.run(key, threadId, turnId, itemId, tool, JSON.stringify(args), JSON.stringify(route), now());
    },
    asksAlways(callKey) {
      const route = find(callKey);
      return route?.kind === "ask" && route.always;
    },
    askedVerdict(callKey, args) {
      const route = find(callKey);
      const isItself = argsOf.get(callKey) === JSON.stringify(args);
      return route?.kind === "ask" && isItself ? route.verdict : undefined;
    },
    removeThread: (threadId) => void remove.run(threadId),
  };
}

/** Judges a call once and writes it down; after that it is read (I4). @throws when the thread was deleted meanwhile */
export async function routeOf(
  { routes, judge, threads }: { routes: RouteStore; judge: Judge; threads: Pick<ThreadStore, "get"> },
  call: GatedCall,
): Promise<Route> {
  const known = routes.find(call.key);
  if (known) return known;
  const route = await judge.route(call, threads.get(call.threadId));
  // The thread may have been deleted meanwhile; nothing is written for one that is gone.
  threads.get(call.threadId);
  routes.add(call, route);
  return route;
}
