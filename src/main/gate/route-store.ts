/** What becomes of each call, as it was written down when it was judged (I4). */
import type Database from "better-sqlite3";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import type { GatedCall, Route } from "./call.ts";

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
