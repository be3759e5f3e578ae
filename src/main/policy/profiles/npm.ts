/** Reads the few uses of npm that only tell what is installed and configured. npm obeys the folder's `.npmrc`. */
import type { ShellWord } from "../shell-word.ts";
import type { ProfileReading } from "./flag-profile.ts";

const listFlags = /^(?:--depth=\d{1,2}|--all|-a|--json|--long|-l|--parseable|-p|--omit=dev|--link)$/;
const packageName = /^@?[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)?$/i;
const settings =
  /^(?:cache|prefix|save-exact|save-prefix|engine-strict|fund|audit|loglevel|node-options|ignore-scripts)$/;

/** Reads the words after `npm`, or says that they are another use. */
export function readNpm(words: readonly ShellWord[]): ProfileReading | undefined {
  const [subcommand, ...args] = words.map((word) => word.value);
  if (words.some((word) => word.glob)) return undefined;
  const lists =
    /^(?:ls|list)$/.test(subcommand ?? "") &&
    args.every((arg) => listFlags.test(arg) || packageName.test(arg));
  const gets =
    (subcommand === "config" && args[0] === "get" && args.length === 2 && settings.test(args[1]!)) ||
    (/^(?:prefix|root|bin)$/.test(subcommand ?? "") && args.length === 0);
  return lists || gets ? { content: [], metadata: [], patterns: [], flags: new Set() } : undefined;
}
