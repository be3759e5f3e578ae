/** The keys that lead through the queue and to its views. */
import type { Action } from "../../base/actions.ts";
import { goByKey, useRoute } from "../../base/navigation.ts";
import { leadToPane } from "./lead-to-card.ts";
import { areKeysForQueue, areSharedKeysForQueue, isQueueBeside } from "./queue-focus.ts";
import { makeCurrent, moveCurrent, type QueueViewName, showView, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

const section = strings.region;

export function moves(): Action[] {
  const { keys } = strings;
  const move = (id: string, label: string, keys: string[], run: () => void): Action => ({
    id: `queue.${id}`,
    label,
    section,
    keys,
    hidden: true,
    when: () => areKeysForQueue() || isQueueBeside(),
    run: () => (isQueueBeside() ? leadToPane() : run()),
  });
  // Beside another view the arrows are that view's.
  const arrow = (id: string, key: string, by: 1 | -1): Action => ({
    ...move(id, strings.keys[by === 1 ? "down" : "up"], [key], () => moveCurrent(by)),
    when: areSharedKeysForQueue,
  });
  const toEnd = (end: 0 | -1) => makeCurrent(useQueue.getState().order.at(end), true);
  return [
    move("down", keys.down, ["j"], () => moveCurrent(1)),
    move("up", keys.up, ["k"], () => moveCurrent(-1)),
    arrow("downByArrow", "ArrowDown", 1),
    arrow("upByArrow", "ArrowUp", -1),
    ...viewKeys(),
    move("first", keys.first, ["g g"], () => toEnd(0)),
    move("last", keys.last, ["Shift+g"], () => toEnd(-1)),
    {
      ...move("search", keys.search, ["[Shift]+/"], focusSearch),
      when: isQueueView,
      hidden: false,
    },
    {
      ...move("filter", keys.filter, ["f"], openFilters),
      when: () => isQueueView() && filterButton() !== null,
      hidden: false,
    },
  ];
}

export function isQueueView(): boolean {
  return useRoute.getState().view === "queue";
}

/** What waits, alike ones together, what was put off and what was decided: each by a key of its own, from every view. */
function viewKeys(): Action[] {
  const keysOfViews = { all: "g w", shape: "g u", snoozed: "g z", decided: "g d" } as const;
  return Object.entries(keysOfViews).map(([view, key]) => ({
    id: `queue.view.${view}`,
    label: strings.keys.views[view as keyof typeof keysOfViews],
    section,
    keys: [key],
    run: () => {
      showView(view as QueueViewName);
      goByKey({ view: "queue" });
    },
  }));
}

function openFilters(): void {
  filterButton()?.click();
}

/** There is none among decisions, which have a filter of their own. */
function filterButton(): HTMLElement | null {
  return document.querySelector("[data-queue-filter]");
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("[data-queue-search], [data-queue] input[type=search]")?.focus();
}
