/** Says in the title and the tab's icon how much waits, so that a person in another window sees it. */
import { isHalted } from "../../shared/contract/threads.ts";
import { subscribeToClock } from "./clock.ts";
import { useApprovals } from "./stores/approvals-store.ts";
import { useThreads } from "./stores/threads-store.ts";
import { countWaiting, snoozeLookMs } from "./stores/waiting.ts";
import { strings } from "./strings.ts";

/** @returns a function that ends it. */
export function startAttention(): () => void {
  let shown = -1;
  const update = () => {
    const halted = [...useThreads.getState().byId.values()].filter(isHalted).length;
    const count = countWaiting(useApprovals.getState().pending, Date.now()) + halted;
    if (count === shown) return;
    shown = count;
    document.title = count > 0 ? `(${count}) ${strings.app}` : strings.app;
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link) link.href = drawIcon(count);
  };
  update();
  // What is snoozed comes back by itself.
  const stops = [
    useApprovals.subscribe(update),
    useThreads.subscribe(update),
    subscribeToClock(snoozeLookMs, update),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** A ring when nothing waits, a filled disc with the number when something does; as a data address. */
function drawIcon(count: number): string {
  const label = count > 99 ? "99" : String(count);
  const body =
    count > 0
      ? `<circle cx="16" cy="16" r="15" fill="#2438c6"/><text x="16" y="22" font-family="sans-serif" font-size="${label.length > 1 ? 16 : 19}" font-weight="700" text-anchor="middle" fill="#fff">${label}</text>`
      : '<circle cx="16" cy="16" r="11" fill="none" stroke="#7c828f" stroke-width="4"/><circle cx="16" cy="16" r="4" fill="#7c828f"/>';
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${body}</svg>`)}`;
}
