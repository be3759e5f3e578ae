/** Everything the palette can find: actions, commands of the open thread, threads, and the parts of the settings. */
import fuzzysort from "fuzzysort";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import type { Action } from "../../base/actions.ts";
import { go } from "../../base/navigation.ts";
import { lastSegment } from "../../base/words.ts";
import type { MenuEntry } from "../../ui/menu.tsx";
import { settingEntries } from "../settings/setting-index.ts";
import { strings as settingStrings } from "../settings/strings.ts";
import { strings } from "./strings.ts";

export type PaletteItem = {
  id: string;
  label: string;
  /** What kind of thing it is, or the heading it stands under elsewhere. */
  kind: string;
  /** Found by these as well, such as the folder of a thread. */
  words: string;
  keys?: string;
  run: () => void;
};

const maxShown = 50;

/**
 * Offered actions first, then what can be done with the open thread, then threads with the latest first, then settings.
 * @param ofOpen the entries of the open thread's menu; what is an action too is left out of them.
 */
export function listItems(
  actions: readonly Action[],
  ofOpen: readonly MenuEntry[],
  threads: Iterable<ThreadSummary>,
): PaletteItem[] {
  const offered = actions.filter((action) => !action.hidden && (action.when?.() ?? true));
  return [
    ...offered.map(toActionItem),
    ...ofOpen.filter(({ label }) => !offered.some((one) => one.label === label)).map(toEntryItem),
    ...[...threads].sort((a, b) => b.updatedAt - a.updatedAt).map(toThreadItem),
    ...settingEntries.map(({ id, section, label }) => ({
      id: `setting:${id}`,
      label,
      kind: `${strings.kinds.setting} · ${settingStrings.sections[section]}`,
      words: settingStrings.sections[section],
      run: () => go({ view: "settings", id: section }),
    })),
  ];
}

function toActionItem(action: Action): PaletteItem {
  return {
    id: `action:${action.id}`,
    label: action.label,
    kind: action.section,
    words: action.section,
    keys: action.keys?.[0],
    run: () => action.run(),
  };
}

function toEntryItem({ label, onSelect }: MenuEntry): PaletteItem {
  const kind = strings.kinds.thisThread;
  return { id: `entry:${label}`, label, kind, words: kind, run: onSelect };
}

function toThreadItem(thread: ThreadSummary): PaletteItem {
  const folder = lastSegment(thread.workspace);
  return {
    id: `thread:${thread.id}`,
    label: thread.title || strings.untitled,
    kind: `${strings.kinds.thread} · ${folder}`,
    words: folder,
    run: () => go({ view: "thread", id: thread.id }),
  };
}

/** The best matches first; for an empty query the items as they stand. */
export function findItems(items: readonly PaletteItem[], query: string): readonly PaletteItem[] {
  const wanted = query.trim();
  if (wanted === "") return items.slice(0, maxShown);
  return fuzzysort
    .go(wanted, items, {
      keys: ["label", "words"],
      limit: maxShown,
      threshold: 0.4,
      scoreFn: ({ obj, score }) => placeOf(obj, wanted) + score,
    })
    .map((result) => result.obj);
}

/** Of two that fit alike the thread is meant: settings are few and have a view of their own. */
const settingsLast = 0.5;

/**
 * A name that has the words as they were typed comes before one that has their letters, or only a folder of that name.
 * Never below 0: fuzzysort takes a negative score for the best.
 */
function placeOf({ id, label }: PaletteItem, wanted: string): number {
  const at = ` ${label.toLowerCase()}`.indexOf(` ${wanted.toLowerCase()}`);
  if (at < 0) return 0;
  return (at === 0 ? 2 : 1) - (id.startsWith("setting:") ? settingsLast : 0);
}
