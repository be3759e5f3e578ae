/** Every view the main pane can show; adding one here puts it on the rail, in the palette and in the address. */
import { Bot, Inbox, ListTree, type LucideIcon, Settings } from "lucide-react";
import type { ComponentType } from "react";
import { lazyPart } from "../base/load-code.ts";
import { strings } from "../base/strings.ts";
import { QueueView } from "../features/approvals/queue-region.tsx";
import { ThreadsView } from "../features/threads/threads-view.tsx";

export type View = {
  /** First part of the address, such as `settings` in `#/settings`. */
  id: string;
  label: string;
  icon: LucideIcon;
  /** Where it stands on the rail; absent for views that are opened from elsewhere. */
  rail?: "top" | "bottom";
  /** It has no use for the list column beside it. */
  fillsWindow?: boolean;
  component: ComponentType<{ id?: string }>;
};

export const views: readonly View[] = [
  { id: "queue", label: strings.queue, icon: Inbox, rail: "top", fillsWindow: true, component: QueueView },
  {
    id: "threads",
    label: strings.threads,
    icon: ListTree,
    rail: "top",
    fillsWindow: true,
    component: ThreadsView,
  },
  {
    id: "thread",
    label: strings.threads,
    icon: ListTree,
    component: lazyPart(() => import("../features/thread/conversation-view.tsx")),
  },
  {
    id: "agents",
    label: strings.agents,
    icon: Bot,
    rail: "top",
    component: lazyPart(() => import("../features/agents/agents-view.tsx")),
  },
  {
    id: "settings",
    label: strings.settings,
    icon: Settings,
    rail: "bottom",
    component: lazyPart(() => import("../features/settings/settings-view.tsx")),
  },
];

/** The view of an address; an unknown one is the queue. */
export function viewOf(id: string): View {
  return views.find((view) => view.id === id) ?? (views[0] as View);
}
