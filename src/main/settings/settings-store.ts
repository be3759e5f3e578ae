/** Settings in a readable file beside the database; a broken file is kept aside and said so, never overwritten in silence. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { defaultSettings, type Settings, settingsSchema } from "../../shared/contract/console.ts";
import { whileBusySync } from "../base/while-busy.ts";
import { readOrSetAside } from "./read-or-set-aside.ts";

export type SettingsStore = {
  get(): Settings;
  update(patch: Partial<Settings>): Settings;
  /** What was wrong with the file at start, in a sentence. */
  warnings: string[];
};

/** @param path of the file. One that cannot be read is set aside with a warning, and the defaults hold. */
export function createSettingsStore(path: string, onChanged: () => void): SettingsStore {
  const { value, warnings } = readOrSetAside(path, "settings file", (content) =>
    settingsSchema.parse({ ...defaultSettings, ...z.record(z.string(), z.unknown()).parse(content) }),
  );
  let current = value;
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

/** A crash in the middle leaves the old file or the new one, never half of one. */
export function writeAtomically(path: string, content: string, mode = 0o600): void {
  const next = `${path}.next`;
  // Whatever lies there by that name, left behind or put there: a link would be written through, and a file keep its mode.
  rmSync(next, { force: true });
  writeFileSync(next, content, { mode, flag: "wx" });
  whileBusySync(path, () => renameSync(next, path));
}
