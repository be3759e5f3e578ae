/** Reads the texts by which a folder steers agents and the app: its rules, its AGENTS.md and CLAUDE.md files and its skills. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { listContextPaths } from "./workspace-context.ts";

/** The folder's own rules, relative to it. */
export const folderRulesFile = ".countersign/rules.json";

/** More than this is not a text that anybody looks through. */
const largestBytes = 256 * 1024;

/** One text, relative to the folder; `null` when it is there but cannot be read or is too large. */
export type SteeringText = { file: string; text: string | null };

/** The text of a file, `null` when it cannot be shown, `undefined` when there is none. */
export function readSteeringText(workspace: string, file: string): string | null | undefined {
  const path = join(workspace, file);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isFile() && stat.size <= largestBytes ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

/** Every text of a folder that steers, in a fixed order. Never throws. */
export function readSteeringTexts(workspace: string): SteeringText[] {
  const { files, skills } = listContextPaths(workspace);
  const names = [folderRulesFile, ...files, ...skills.map((skill) => `${skill}/SKILL.md`)];
  return names.flatMap((file) => {
    const text = readSteeringText(workspace, file);
    return text === undefined ? [] : [{ file, text }];
  });
}
