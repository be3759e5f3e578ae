/** The list of all settings as words, light enough for the palette; the controls are elsewhere. */
import fuzzysort from "fuzzysort";
import { strings } from "./strings.ts";

export type SectionId = keyof typeof strings.sections;
export type SettingId = keyof typeof strings.entries;
export type SettingEntry = { id: SettingId; section: SectionId; label: string; hint: string };

const placed: Record<SectionId, readonly SettingId[]> = {
  appearance: ["theme", "fontSize"],
  keys: ["singleKeys", "keySheet"],
  deciding: ["undoGraceMs"],
  attention: ["notifications", "doNotDisturb"],
  running: ["maxActiveRuns", "commandTimeoutMs", "modelCallLimit"],
  models: ["models"],
  web: ["webSearch"],
  workspaces: ["workspaces"],
  rules: ["rules"],
  data: ["dataDir", "backup", "check", "ledger", "threadImport", "transfer"],
  about: ["about"],
};

export const sectionIds = Object.keys(placed) as SectionId[];

export const settingEntries: readonly SettingEntry[] = sectionIds.flatMap((section) =>
  placed[section].map((id) => ({ id, section, ...strings.entries[id] })),
);

/** The entries that match, best first in each section; all of them for an empty query. */
export function findSettings(query: string): SettingEntry[] {
  if (query.trim() === "") return [...settingEntries];
  return fuzzysort
    .go(query.trim(), settingEntries, {
      keys: ["label", "hint", (entry) => strings.sections[entry.section]],
      threshold: 0.4,
    })
    .map((result) => result.obj);
}

export function isSection(id: string | undefined): id is SectionId {
  return id !== undefined && Object.hasOwn(placed, id);
}
