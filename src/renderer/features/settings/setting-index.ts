/** The list of all settings as words, light enough for the palette; the controls are elsewhere. */
import fuzzysort from "fuzzysort";
import {
  otherEntries,
  type SectionId,
  type SettingEntry,
  type SettingId,
  storedSettings,
} from "./setting-table.ts";
import { strings } from "./strings.ts";

export type FoundSetting = SettingEntry & { id: SettingId };

export const sectionIds = Object.keys(strings.sections) as SectionId[];

const entries = Object.entries<SettingEntry>({ ...storedSettings, ...otherEntries }) as [
  SettingId,
  SettingEntry,
][];

/** In the order of the sections, and in each as in the table. */
export const settingEntries: readonly FoundSetting[] = sectionIds.flatMap((section) =>
  entries.filter(([, entry]) => entry.section === section).map(([id, entry]) => ({ id, ...entry })),
);

/** The entries that match, best first in each section; all of them for an empty query. */
export function findSettings(query: string): FoundSetting[] {
  if (query.trim() === "") return [...settingEntries];
  return fuzzysort
    .go(query.trim(), settingEntries, {
      keys: ["label", "hint", (entry) => strings.sections[entry.section]],
      threshold: 0.4,
    })
    .map((result) => result.obj);
}

export function isSection(id: string | undefined): id is SectionId {
  return id !== undefined && Object.hasOwn(strings.sections, id);
}
