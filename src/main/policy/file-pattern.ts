/** Answers what an unquoted file pattern could match, without looking at the disk. */
import { readShellPattern } from "./name-pattern.ts";
import { compareWithSecrets } from "./secret-names.ts";
import { classifyName } from "./sensitive-names.ts";

const strength = { aimed: 3, wide: 2, faint: 1 };

/**
 * Whether a pattern (quoted characters escaped with a backslash) could match a file that holds secrets; see
 * `compareWithSecrets` for the answers.
 */
export function couldMatchSecret(pattern: string): keyof typeof strength | undefined {
  const components = pattern.split("/");
  const answers = components.map((component, at) => {
    if (/[*?[]/.test(component)) return compareWithSecrets(readShellPattern(component));
    const plain = component.replace(/\\(.)/g, "$1");
    // Below `.git` names say little: a pattern there may match the configuration, where tokens stand.
    if (plain.toLowerCase() === ".git" && at < components.length - 1) return "aimed";
    return classifyName(`/${plain}`, { workspace: "/", home: "/" }).secret === undefined
      ? undefined
      : "aimed";
  });
  return answers.reduce(
    (strongest, each) => (each && (!strongest || strength[each] > strength[strongest]) ? each : strongest),
    undefined,
  );
}

/** The part of a path before its first component with a wildcard, and whether it climbs after that. */
export function splitPattern(value: string): { base: string; climbs: boolean } {
  const parts = value.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  const base = parts.slice(0, first < 0 ? undefined : first).join("/");
  const climbs =
    first >= 0 && parts.slice(first + 1).some((part) => part === ".." || /^\.[*?[]|^\*?\.\.?$/.test(part));
  return { base: base === "" ? (value.startsWith("/") ? "/" : ".") : base, climbs };
}
