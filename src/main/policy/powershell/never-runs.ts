/** What never runs in PowerShell, looked for in the raw text, so that no quoting or nesting hides it. */
import { isOwnWorktree } from "../../paths/own-worktree.ts";
import { isWithin, normalizePath } from "../../paths/path-style.ts";
import type { PolicyContext } from "../policy-context.ts";
import { placeWindowsPath } from "./windows-path.ts";

const diskEnds =
  /(?:^|[\s;|&({"'])(?:format-volume|clear-disk|initialize-disk|remove-partition|remove-volume|reset-physicaldisk|diskpart|format(?:\.com|\.exe)?\s+[a-z]:|vssadmin(?:\.exe)?\s+(?:delete|resize)\s+shadow|wbadmin(?:\.exe)?\s+delete|wmic(?:\.exe)?\s+shadowcopy\s+delete|manage-bde(?:\.exe)?\s+.*-(?:forcerecovery|off)|cipher(?:\.exe)?\s+\/w|mkfs|bcdedit(?:\.exe)?\s+\/(?:delete|deletevalue))/i;
const rawDisk = /[\\/]{2}[.?][\\/](?:physicaldrive\d|harddisk|[a-z]:(?![\\/]))/i;
const remover =
  /(?:^|[\s;|&({"'`])(remove-item|ri|rm|rmdir|rd|del|erase|clear-item|robocopy|icacls|takeown|attrib|set-acl|move-item|mv|move|mi)(?:\.exe)?(?=[\s"'(])/gi;
const deleteCall = /(?:io\.)?(?:directory|directoryinfo)\]?(?:::|\)?\.)delete\(([^)]*)/gi;
const deletedObject = /\(([^()]{1,2000})\)\s*\.delete\(/gi;
const recursion = /(?:^|\s)(?:-r[a-z]*|\/s|\/mir|\/purge|\/t|\/r|-fo[a-z]*)(?=$|[\s:;|&)}"'])/i;
const systemRoots =
  /^\/[a-z]:(?:\/(?:windows|users|program files(?: \(x86\))?|programdata|boot|recovery|system volume information|documents and settings)?(?:\/(?:system32|syswow64|[^/]+))?)?\/?$/i;
const writers =
  /(?:remove-item|set-content|add-content|clear-content|out-file|new-item|copy-item|move-item|rename-item|tee-object|export-|set-item|writealltext|delete\(|>|(?:^|[\s;|&({])(?:ri|rm|rmdir|rd|del|erase|sc|ac|clc|ni|cp|copy|cpi|mv|move|mi|ren|rni|tee)\s)/i;

/** The text with its variables for well-known places written out and everything that only hides letters taken away. */
function readings(text: string, { home }: PolicyContext): string[] {
  const drive = /^\/[a-z]:/i.exec(home)?.[0].slice(1) ?? "c:";
  const windowsHome = home.replace(/^\/(?=[a-z]:)/i, "");
  const open = text
    // To PowerShell dashes and quotes of other alphabets are its own.
    .replace(/[\u2013-\u2015]/g, "-")
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201e]/g, '"')
    .replace(/`\r?\n/g, " ")
    .replace(/`/g, "")
    .replace(
      /\$\{?(?:env:)?(?:userprofile|home)\}?|%userprofile%|\$env:homedrive\$env:homepath/gi,
      windowsHome,
    )
    .replace(/\$\{?env:(?:systemroot|windir)\}?|%(?:systemroot|windir)%/gi, `${drive}/Windows`)
    .replace(/\$\{?env:(?:systemdrive|homedrive)\}?|%systemdrive%/gi, drive)
    .replace(/\$\{?env:programfiles\}?|%programfiles%/gi, `${drive}/Program Files`)
    .replace(/\$\{?pwd(?:\.path)?\}?/gi, ".")
    .replaceAll("\\", "/")
    .replace(/(^|[\s"',=:(])~(?=\/)/g, `$1${windowsHome}`);
  return [open, open.replace(/["']/g, ""), open.replace(/["']\s*\+\s*["']/g, "").replace(/["']/g, "")];
}

function isCatastrophe(written: string, context: PolicyContext): boolean {
  const target = written
    .replace(/^(?:-[a-z]+:)?["'(@]+|^-[a-z]+:|["'),;]+$/gi, "")
    .replace(/\/(?:\*|\.\*)?$/, "/");
  const bare = /^[a-z]:$/i.test(target) ? `${target}/` : target;
  const placed = placeWindowsPath(bare.length > 1 ? bare.replace(/\/$/, "") : bare, context);
  const path =
    "path" in placed
      ? normalizePath(placed.path).replace(/\/$/, "")
      : `/${bare.toLowerCase()}`.replace(/\/$/, "");
  const folded = path.toLowerCase();
  if (isWithin(folded, context.workspace.toLowerCase()) && folded !== context.workspace.toLowerCase())
    return false;
  if (isWithin(context.home.toLowerCase(), folded) || isWithin(context.workspace.toLowerCase(), folded))
    return folded !== context.workspace.toLowerCase();
  return systemRoots.test(`${path}`) || /^\/[a-z]:$/i.test(path);
}

const wordsOf = (text: string): string[] => text.match(/"[^"]*"|'[^']*'|[^\s,]+(?: \(x86\))?/g) ?? [];

function scanRemovals(text: string, context: PolicyContext): boolean {
  for (const match of text.matchAll(remover)) {
    const rest = text
      .slice(match.index + match[0].length)
      .split(/[;\n]|&&|\|\|/)[0]!
      .slice(0, 2_000);
    const before = text.slice(0, match.index);
    const piped = /\|\s*$/.test(before + match[0].slice(0, match[0].length - match[1]!.length));
    const words = wordsOf(rest);
    const source = piped
      ? (before
          .split(/[;\n]/)
          .at(-1)
          ?.match(/"[^"]*"|'[^']*'|[^\s,|]+/g) ?? [])
      : [];
    const recursive =
      recursion.test(` ${rest}`) ||
      (piped && recursion.test(before)) ||
      /^(?:move|mv|mi|set-acl)/i.test(match[1]!);
    // What a variable stands for is written somewhere else in the text.
    const elsewhere = words.some((word) => word.startsWith("$")) ? wordsOf(text) : [];
    if (recursive && [...words, ...source, ...elsewhere].some((word) => isCatastrophe(word, context)))
      return true;
    if (/Program Files/i.test(rest) && recursive) return true;
  }
  for (const [, inner] of text.matchAll(deleteCall)) {
    const [first] = inner!.split(",");
    if (isCatastrophe(first!.trim(), context)) return true;
  }
  for (const [, made] of text.matchAll(deletedObject))
    if (wordsOf(made!).some((word) => isCatastrophe(word, context))) return true;
  return false;
}

/** Whether the text names one of our own data folders, in any of Windows' spellings. */
function namesOwnData(text: string, context: PolicyContext): boolean {
  const written = text.toLowerCase().replace(/\/{2,}/g, "/");
  const local = ["$env:appdata", "%appdata%", "$env:localappdata", "%localappdata%"];
  return context.protectedDirs.some((dir) => {
    const windows = dir.toLowerCase().replace(/^\/(?=[a-z]:)/, "");
    const last = windows.slice(windows.lastIndexOf("/"));
    // A worktree of ours lies there: its own name is none of the rest.
    const own = context.workspace.toLowerCase().replace(/^\/(?=[a-z]:)/, "");
    const plain = isOwnWorktree(own, windows) ? written.replaceAll(own, " ") : written;
    return plain.includes(windows) || local.some((each) => plain.includes(`${each}${last}`));
  });
}

/** Why the text never runs, or undefined. Mentions count: a text that only prints such a command is refused as well. */
export function scanPowerShell(source: string, context: PolicyContext): string | undefined {
  for (const text of readings(source, context)) {
    if (diskEnds.test(text)) return "It erases a disk, its copies or what the machine starts from.";
    if (rawDisk.test(text) && writers.test(text)) return "It writes to a raw disk.";
    if (scanRemovals(text, context))
      return "It wipes a drive, a system folder, a home or a parent of the workspace.";
    if (namesOwnData(text, context) && writers.test(text))
      return "It names this app's own records in a command that does more than read.";
  }
  return undefined;
}
