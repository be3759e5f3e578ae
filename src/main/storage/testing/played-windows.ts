/**
 * Stands for Windows' icacls and whoami, for folders that are there and access lists that are not: it keeps a list for each
 * path, hands entries down as Windows does, and takes the options of icacls by what Microsoft's pages say of them.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { RunTool } from "../private-files.ts";

/** Who may do what, and whether that came from the folder above. */
type Entry = { who: string; rights: string; isInherited: boolean };
type List = { isProtected: boolean; entries: Entry[] };

/** Names that a list shortens; icacls is told the number. */
const shortened: Record<string, string> = {
  "S-1-5-18": "SY",
  "S-1-5-32-544": "BA",
  "S-1-1-0": "WD",
  "S-1-5-11": "AU",
  "S-1-5-32-545": "BU",
  "S-1-5-32-546": "BG",
};
const shown = (identity: string) => shortened[identity] ?? identity;

function write({ isProtected, entries }: List): string {
  const parts = entries.map(
    ({ who, rights, isInherited }) => `(A;OICI${isInherited ? "ID" : ""};${rights};;;${who})`,
  );
  return `D:${isProtected ? "PAI" : "AI"}${parts.join("")}`;
}

function parse(sddl: string): List {
  const entries = [...sddl.matchAll(/\(A;([A-Z]*);([^;]*);;;([^)]*)\)/g)].map(([, flags, rights, who]) => ({
    who: who!,
    rights: rights!,
    isInherited: flags!.includes("ID"),
  }));
  return { isProtected: sddl.startsWith("D:P"), entries };
}

/** Options after which icacls takes values. */
const takesValues = new Set(["/grant:r", "/remove:g", "/save"]);

function readOptions(args: readonly string[]): Map<string, string[]> {
  const options = new Map<string, string[]>();
  let values: string[] | undefined;
  for (const arg of args) {
    if (arg.startsWith("/") && /^\/[a-z:]+$/.test(arg)) {
      if (options.has(arg)) throw new Error(`icacls: ${arg} twice`);
      values = [];
      options.set(arg, values);
    } else if (values === undefined) throw new Error(`icacls: Invalid parameter "${arg}"`);
    else values.push(arg);
  }
  for (const [name, given] of options)
    if (given.length > 0 !== takesValues.has(name)) throw new Error(`icacls: Invalid parameter "${name}"`);
  return options;
}

/**
 * @param lists by path, as Windows writes them; what is below and has none inherits.
 * @param refused options that this Windows does not carry out, though it says that it did.
 */
export function playWindows(owner: string, lists: Record<string, string>, refused: readonly string[] = []) {
  const asked: string[][] = [];
  const known = new Map(Object.entries(lists).map(([path, sddl]) => [path, parse(sddl)]));

  /** What a thing has of its own, and what its folder hands down. */
  function listOf(path: string): List {
    const own = known.get(path) ?? { isProtected: false, entries: [] };
    const isTop = ![...known.keys()].some((each) => path.startsWith(`${each}${sep}`));
    if (own.isProtected || isTop) return own;
    const handedDown = listOf(dirname(path)).entries.map((entry) => ({ ...entry, isInherited: true }));
    return {
      isProtected: false,
      entries: [...own.entries.filter(({ isInherited }) => !isInherited), ...handedDown],
    };
  }

  function save(path: string, file: string): void {
    const paths = path.endsWith("*")
      ? readdirSync(dirname(path)).map((name) => join(dirname(path), name))
      : [path];
    if (paths.length === 0) throw new Error("icacls: The system cannot find the file specified.");
    const lines = paths.flatMap((each) => [basename(each), write(listOf(each))]);
    writeFileSync(file, `\ufeff${lines.join("\r\n")}\r\n`, "utf16le");
  }

  function change(path: string, options: Map<string, string[]>): void {
    const list = structuredClone(listOf(path));
    const doing = (name: string) => options.has(name) && !refused.includes(name);
    if (doing("/reset")) known.delete(path);
    if (!options.has("/reset")) known.set(path, list);
    if (doing("/inheritance:r")) {
      list.isProtected = true;
      list.entries = list.entries.filter(({ isInherited }) => !isInherited);
    }
    for (const given of doing("/grant:r") ? options.get("/grant:r")! : []) {
      const identity = /^\*(S-[0-9-]+):\(OI\)\(CI\)F$/.exec(given)?.[1];
      if (identity === undefined) throw new Error(`icacls: Invalid parameter "${given}"`);
      const who = shown(identity);
      // It takes the place of what this one was given, and of nobody else's.
      list.entries = list.entries.filter((entry) => entry.isInherited || entry.who !== who);
      list.entries.push({ who, rights: "FA", isInherited: false });
    }
    for (const identity of doing("/remove:g") ? options.get("/remove:g")! : [])
      list.entries = list.entries.filter(
        (entry) => entry.isInherited || entry.who !== shown(identity.replace(/^\*/, "")),
      );
  }

  const run: RunTool = (name, args) => {
    asked.push([name, ...args]);
    if (name === "whoami.exe") return `"pc\\ada","${owner}"\r\n`;
    const [path, ...rest] = args;
    const options = readOptions(rest);
    const file = options.get("/save")?.[0];
    if (file !== undefined) save(path!, file);
    else change(path!, options);
    return "";
  };
  return { asked, run, listOf: (path: string) => write(listOf(path)) };
}
