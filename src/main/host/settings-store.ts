/** Settings in a readable file beside the database; a broken file is kept aside and said so, never overwritten in silence. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { defaultSettings, type Settings, settingsSchema } from "../../shared/contract/console.ts";

export type SettingsStore = {
  get(): Settings;
  update(patch: Partial<Settings>): Settings;
  /** What was wrong with the file at start, in a sentence. */
  warnings: string[];
};

export function createSettingsStore(path: string, onChanged: () => void): SettingsStore {
  const { settings, warnings } = load(path);
  let current = settings;
  return {
    get: () => current,
    update(patch) {
      const next = settingsSchema.parse({ ...current, ...patch });
      writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`);
      current = next;
      onChanged();
      return next;
    },
    warnings,
  };
}

function load(path: string): { settings: Settings; warnings: string[] } {
  if (!existsSync(path)) return { settings: defaultSettings, warnings: [] };
  try {
    const known = z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, "utf8")));
    return { settings: settingsSchema.parse({ ...defaultSettings, ...known }), warnings: [] };
  } catch (error) {
    const aside = `${path}.broken`;
    renameSync(path, aside);
    const why =
      error instanceof z.ZodError
        ? `${error.issues[0]?.path.join(".")}: ${error.issues[0]?.message}`
        : String(error);
    return {
      settings: defaultSettings,
      warnings: [
        `The settings file could not be read (${why}). It was kept as ${aside}, and the defaults are used.`,
      ],
    };
  }
}

/** A crash in the middle leaves the old file or the new one, never half of one. */
export function writeAtomically(path: string, content: string, mode = 0o600): void {
  const next = `${path}.next`;
  writeFileSync(next, content, { mode });
  renameSync(next, path);
}
