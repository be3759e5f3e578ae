/** Looks for what never runs in the raw text of a command, so that no quoting, nesting or parse error hides it. */

import { foldName } from "../paths/fold-name.ts";
import { isOwnWorktree } from "../paths/own-worktree.ts";
import { findDenial, isRawDisk } from "./deny-unit.ts";
import type { PolicyContext } from "./policy-context.ts";

const selfStart = [
  /([\w:.+-]{1,40})\(\)[{(](?:[^{}]{0,200}[|&;])?\1(?:\|&?\1)+&?;?[})]/,
  /([\w:.+-]{1,40})\(\)[{(][^{}]{0,200}\1&[^{}]{0,200}\1/,
  /function([\w:.+-]{1,40}?)(?:\(\))?\{\1\|\1&/,
];
const programs =
  "rm|chmod|chown|chgrp|chattr|dd|find|mv|rsync|shred|rimraf|tee|cp|truncate|wipefs|blkdiscard|mke2fs|mkswap|mkfs(?:[.-][a-z0-9]+)?|newfs|fdisk|sfdisk|parted|sgdisk|diskutil|asr|gpt";
const watched = new RegExp(`(${programs})$`);
const hint = new RegExp(programs);

/** Readings of the text: with quotes dropped, with quotes as separators, with braces opened. */
function readings(text: string, home: string): string[] {
  const spaced = text
    .replace(/\\\n/g, "")
    .replace(/\$\{IFS[^}]*\}|\$IFS(?!\w)(?:\$\d)?/g, " ")
    .replace(/\$\{HOME[^}]*\}|\$HOME(?!\w)/g, home)
    .replace(/\$\{?PWD\}?/g, ".");
  const plain = spaced.replace(/['"\\]|\$(?=['"])/g, "");
  const parted = spaced.replace(/['"]/g, " ; ").replace(/\\/g, "");
  return [...new Set([plain, parted, plain.replace(/[{},]/g, " ")])];
}

/** The watched program that a token ends with; remembered, since long texts say the same again and again. */
function findWatched(token: string, names: Map<string, string | undefined>): string | undefined {
  const end = token.slice(-24);
  if (!names.has(end)) names.set(end, watched.exec(end)?.[1]);
  return names.get(end);
}

function scanReading(reading: string, context: PolicyContext): string | undefined {
  // Most texts hold nothing to look for, and a long one takes time with each of its parts.
  if (!reading.includes(">") && !hint.test(reading)) return undefined;
  const names = new Map<string, string | undefined>();
  for (const segment of reading.split(/[;&|()\n`<]|>(?!\s*[\w/~.])/)) {
    const target = />\s*([^\s>]+)/.exec(segment)?.[1];
    if (target !== undefined && isRawDisk(target)) return "It writes to a raw disk.";
    const tokens = segment.split(/[\s>]+/).filter((token) => token !== "");
    const seen = new Set<string>();
    for (let at = 0; at < tokens.length; at += 1) {
      const name = findWatched(tokens[at]!, names);
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      const args = tokens.slice(at + 1).map((token) => token.replace(/^~(?=\/|$)/, context.home));
      const reason = findDenial(name, args, {
        context: { ...context, resolvePath: undefined },
        cwds: [context.cwd],
      });
      if (reason !== undefined) return reason;
    }
  }
  return undefined;
}

/** Why the text never runs, or undefined. Mentions count too: `echo "rm -rf /"` is refused like the command. */
export function scanRawText(command: string, context: PolicyContext): string | undefined {
  const dense = command.replace(/\s+/g, "");
  // Looked for first, because the patterns take time with each word of a long text.
  const definesFunction = /\(\)[{(]|function/.test(dense);
  if (definesFunction && selfStart.some((pattern) => pattern.test(dense)))
    return "A function starts copies of itself without end.";
  for (const reading of readings(command, context.home)) {
    const reason = scanReading(reading, context);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** A folder of a Windows drive as Git's bash may name it, also where its backslashes were taken away. */
function spellingsOf(dir: string): string[] {
  if (!/^\/[a-z]:/.test(dir)) return [dir];
  return [dir.slice(1), dir.slice(1).replaceAll("/", ""), dir.replace(/^\/([a-z]):/, "/$1")];
}

/** Whether the text names one of our own data directories, literally or from the home directory. */
export function mentionsOwnData(command: string, context: PolicyContext): boolean {
  const plain = foldName(command.replace(/\\\n|['"\\]/g, ""));
  return context.protectedDirs.some((dir) => {
    const names = namesOf(dir, context);
    if (!isOwnWorktree(context.workspace, dir)) return names.some((each) => plain.includes(each));
    // A worktree of ours lies there: its own name is none of the rest.
    const rest = namesOf(context.workspace, context)
      .sort((a, b) => b.length - a.length)
      .reduce((text, own) => text.replaceAll(own, " "), plain);
    return names.some((each) => rest.includes(each));
  });
}

/** How a command may write a folder, literally or from the home directory. */
function namesOf(dir: string, context: PolicyContext): string[] {
  const lower = foldName(dir);
  const home = foldName(context.home);
  const spellings = spellingsOf(lower);
  if (!lower.startsWith(`${home}/`)) return spellings;
  const rest = lower.slice(home.length);
  return [...spellings, `~${rest}`, `$home${rest}`, `{home}${rest}`];
}
