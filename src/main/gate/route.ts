/** What becomes of a call: judged at its first sight, written down, and the same ever after (I4). */
import type { GatedCall, Route } from "./call.ts";
import type { Journal } from "./journal.ts";

export async function routeOf({ routes, judge, threads }: Journal, call: GatedCall): Promise<Route> {
  const known = routes.find(call.key);
  if (known) return known;
  const route = await judge.route(call, threads.get(call.threadId));
  // The thread may have been deleted meanwhile; nothing is written for one that is gone.
  threads.get(call.threadId);
  routes.add(call, route);
  return route;
}
