/** Tells whether a reading would print what an archive holds: files of names that nobody here can see. */
import { splitPattern } from "./file-pattern.ts";
import { haveCommonName, type NamePattern, readShellPattern, readTablePattern } from "./name-pattern.ts";
import { resolvePathIn } from "./path-place.ts";
import type { PolicyContext } from "./policy-context.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import { recursive } from "./profiles/search-tools.ts";
import type { ShellWord } from "./shell-word.ts";

type Scene = { context: PolicyContext; cwds: readonly string[] };

const endings =
  "tar tgz tbz tbz2 txz tzst tlz zip jar war ear aar apk ipa whl egg gem crate nupkg vsix crx xpi asar phar 7z rar cpio shar xar iso dmg deb rpm bundle gz bz2 xz zst lz lz4 lzma br z".split(
    " ",
  );
const archive = new RegExp(`\\.(?:${endings.join("|")})(?:~|\\.(?:bak|old|orig|\\d+))?$`, "i");
const patterns: readonly NamePattern[] = endings.map((ending) => readTablePattern(`*.${ending}`));

/** Of an archive they print sums, counts or the names in it. */
const summing = /^(?:(?:md5|sha\d+|b2)sum|cksum|sum|wc|tar|unzip)$/;
/** With one of these a search prints lines of files that are no text, as archives are. */
const takesForText = ["-a", "--text", "--binary-files"];

/** Whether a path, as written or behind its links, is named like an archive. */
export function leadsToArchive(path: string, { context, cwds }: Scene): boolean {
  return archive.test(path) || cwds.some((cwd) => archive.test(resolvePathIn(path, cwd, context) ?? ""));
}

/** Whether a pattern matches an archive: by the names that are there, where it could. */
function matchesArchive({ value, pattern }: ShellWord, { context, cwds }: Scene): boolean {
  const last = readShellPattern(pattern.slice(pattern.lastIndexOf("/") + 1));
  if (!patterns.some((each) => haveCommonName(last, each))) return false;
  const { base } = splitPattern(value);
  const isDeep = value.slice(base.length).replace(/^\/+/, "").includes("/");
  return cwds.some((cwd) => {
    const folder = resolvePathIn(base, cwd, context);
    const look = isDeep ? context.look?.namesBelow : context.look?.namesIn;
    const names = folder === undefined ? undefined : look?.(folder);
    return (
      names?.some(
        (name) => archive.test(name) && haveCommonName(last, readTablePattern(name.toLowerCase())),
      ) ?? true
    );
  });
}

/** Whether a search that goes through folders would print lines of an archive there. */
function searchesArchives(
  name: string,
  { flags, content }: ProfileReading,
  { context, cwds }: Scene,
): boolean {
  const descends = name === "rg" || [...recursive, "-d", "--directories"].some((flag) => flags.has(flag));
  if (!descends || !takesForText.some((flag) => flags.has(flag))) return false;
  const roots = content.length === 0 ? ["."] : content.map(({ value, glob }) => (glob ? "." : value));
  return roots.some((root) =>
    cwds.some((cwd) => {
      const folder = resolvePathIn(root, cwd, context);
      const names = folder === undefined ? undefined : context.look?.namesBelow(folder);
      return names?.some((below) => archive.test(below)) ?? true;
    }),
  );
}

/**
 * Why a reading may print secrets that lie in an archive. What compresses may hold no letter of them, but it takes one more step
 * to read them then.
 *
 * @param name the program
 */
export function describeArchives(name: string, reading: ProfileReading, scene: Scene): string | undefined {
  if (summing.test(name)) return undefined;
  const named = reading.content.find((word) => {
    // Git prints a file as it is only where a version and its path are named.
    if (name === "git") return word.value.includes(":") && archive.test(word.value);
    return word.glob ? matchesArchive(word, scene) : leadsToArchive(word.value, scene);
  });
  if (named !== undefined)
    return `${named.text} may print an archive, and nobody sees here which secrets are in it.`;
  return searchesArchives(name, reading, scene)
    ? "The search would print lines of archives, and nobody sees here which secrets are in them."
    : undefined;
}
