/** Where the person is: a view and an optional id, kept in the address so that reload and back work. */
import { create } from "zustand";

export type Route = { view: string; id?: string };

const home: Route = { view: "queue" };

/** Reads `#/view/id`; any other fragment is home. */
function parseRoute(hash: string): Route {
  const match = /^#\/([a-z-]+)(?:\/(.+))?$/.exec(hash);
  if (!match?.[1]) return home;
  return match[2] ? { view: match[1], id: decodeURIComponent(match[2]) } : { view: match[1] };
}

function formatRoute({ view, id }: Route): string {
  return id ? `#/${view}/${encodeURIComponent(id)}` : `#/${view}`;
}

export const useRoute = create<Route>(() => home);

export function go(route: Route): void {
  byKey = false;
  const hash = formatRoute(route);
  if (location.hash !== hash) history.pushState(null, "", hash);
  useRoute.setState(route, true);
}

let byKey = false;

/** Goes there by a key of the whole window, which is pressed again right after: no field takes the focus. */
export function goByKey(route: Route): void {
  go(route);
  byKey = true;
}

/** Whether the last way was gone by such a key. */
export function cameByKey(): boolean {
  return byKey;
}

/** Takes the address of this window as the first route and follows back and forward. */
export function startNavigation(): void {
  const read = () => {
    byKey = false;
    useRoute.setState(parseRoute(location.hash), true);
  };
  read();
  window.addEventListener("popstate", read);
  window.addEventListener("hashchange", read);
}

/** The thread that is open, if the view is a conversation. */
export function useOpenThreadId(): string | undefined {
  return useRoute((route) => (route.view === "thread" ? route.id : undefined));
}
