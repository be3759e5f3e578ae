/** Tells whether a command would print what an archive holds: files of names that nobody here can see. */

import { quote } from "../../shared/foreign-words.ts";
import { isArchiveName } from "./archive-names.ts";
import { resolvePathIn, writtenPath } from "./path-place.ts";
import { isHeldBelow } from "./pattern-links.ts";
import type { Scene } from "./policy-context.ts";
import type { ProfileReading } from "./profiles/flag-profile.ts";
import { recursive } from "./profiles/search-tools.ts";

/** Of an archive they print sums, counts or the names in it. */
const summing = /^(?:(?:md5|sha\d+|b2)sum|cksum|sum|wc|tar|unzip)$/;
/**
 * Of the programs that a rule may cover, those that neither print a file that they are given, nor put what it holds under
 * another name: they take it away, change its rights, keep it in git, or pack it.
 */
const leavingClosed =
  /^(?:git|rm|unlink|rmdir|mkdir|touch|chmod|chown|chgrp|tar|zip|gzip|bzip2|xz|zstd|lz4|pigz)$/;
/** With one of these a search prints lines of files that are no text, as archives are. */
const takesForText = ["-a", "--text", "--binary-files"];

/** Whether a reading tool only sums up or lists an archive. Git prints a file as it is only where a version and its path are named. */
export function onlySums(name: string): boolean {
  return summing.test(name) || name === "git";
}

/** Whether a program that a rule may cover shows and copies nothing of an archive that it is given. */
export function leavesClosed(name: string): boolean {
  return leavingClosed.test(name);
}

/** Whether a search that goes through folders would print lines of an archive there. */
function searchesArchives({ content }: ProfileReading, { context, cwds }: Scene): boolean {
  const roots = content.length === 0 ? ["."] : content.map(({ value, glob }) => (glob ? "." : value));
  return roots.some((root) =>
    cwds.some((cwd) => {
      const folder = resolvePathIn(root, cwd, context);
      return folder === undefined || isHeldBelow(folder, context);
    }),
  );
}

/** Whether a version and a path, such as `HEAD:src/a.ts`, may be an archive or a private key; git prints it as it is. */
function isHeldInGit(value: string, { context, cwds }: Scene): boolean {
  const [, version = "", path] = /^([^:]*):(?:[0-3]:)?([^/:].*)$/s.exec(value) ?? [];
  if (path === undefined || path.endsWith("/")) return false;
  if (isArchiveName(path)) return true;
  return cwds.some((cwd) => {
    const isHere = /^\.\.?\//.test(path);
    const real = isHere ? writtenPath(path, cwd, context) : `${context.workspace}/${path}`;
    const below = real.startsWith(`${context.workspace}/`) ? real.slice(context.workspace.length + 1) : "";
    if (below === "" || context.look?.kindOf(real) !== undefined) return true;
    return context.gitKind === undefined || context.gitKind(version, below) !== undefined;
  });
}

/**
 * Why a reading may print secrets that lie in an archive which its words do not name as a file. What compresses may hold no
 * letter of them, but it takes one more step to read them then.
 *
 * @param name the program
 */
export function describeArchives(name: string, reading: ProfileReading, scene: Scene): string | undefined {
  const shown = name === "git" ? reading.content.find(({ value }) => isHeldInGit(value, scene)) : undefined;
  if (shown !== undefined)
    return `${quote(shown.text)} may print an archive, and nobody sees here which secrets are in it.`;
  const descends =
    name === "rg" || [...recursive, "-d", "--directories"].some((flag) => reading.flags.has(flag));
  if (summing.test(name) || !descends || !takesForText.some((flag) => reading.flags.has(flag)))
    return undefined;
  return searchesArchives(reading, scene)
    ? "The search would print lines of archives, and nobody sees here which secrets are in them."
    : undefined;
}
