/** What becomes of each call, as it was written down when it was judged (I4). */
import type Database from "better-sqlite3";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type PackedText, packText, unpackText } from "../storage/packed-text.ts";
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
export function createRouteStore(database: Database.Database): RouteStore {
  const routeOf = database.prepare("SELECT route FROM tool_calls WHERE key = ?").pluck();
  const argsOf = database.prepare("SELECT args FROM tool_calls WHERE key = ?").pluck();
  const insert = database.prepare("INSERT INTO tool_calls (key, thread_id, args, route) VALUES (?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM tool_calls WHERE thread_id = ?");

  function find(callKey: string): Route | undefined {
    const route = routeOf.get(callKey) as PackedText | undefined;
    return route ? (JSON.parse(unpackText(route)) as Route) : undefined;
  }

  return {
    find,
    add({ key, threadId, args }, route) {
      insert.run(key, threadId, packText(JSON.stringify(args)), packText(JSON.stringify(route)));
    },
    asksAlways(callKey) {
      const route = find(callKey);
      return route?.kind === "ask" && route.always;
    },
    askedVerdict(callKey, args) {
      const route = find(callKey);
      if (route?.kind !== "ask") return undefined;
      const isItself = unpackText(argsOf.get(callKey) as PackedText) === JSON.stringify(args);
      return isItself ? route.verdict : undefined;
    },
    removeThread: (threadId) => void remove.run(threadId),
  };
}
