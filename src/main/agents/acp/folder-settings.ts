/** What a folder tells programs of others about themselves: which files run something, or decide what is asked, before they ask anything. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import { readWhole } from "../../files/read-whole.ts";
import { findSecretFile } from "../../policy/secret-names.ts";
import { programOf } from "./governing.ts";

/** Of each program that is known, files and folders by their names in the folder itself. */
const places = {
  claude: [".claude", ".mcp.json"],
  codex: [".codex"],
  // Variables of this file can lead it to other settings, and to another model.
  gemini: [".gemini", ".env"],
  openCode: ["opencode.json", "opencode.jsonc", ".opencode"],
  qwen: [".qwen", ".env"],
};

const placesOf: Readonly<Record<string, readonly string[]>> = {
  "claude-agent-acp": places.claude,
  "claude-code-acp": places.claude,
  "codex-acp": places.codex,
  gemini: places.gemini,
  opencode: places.openCode,
  qwen: places.qwen,
};

/** What still holds where the program is governed: nothing of the folder is read by one, and plugins run in the other. */
const placesGoverned: Readonly<Record<string, readonly string[]>> = {
  "claude-agent-acp": [],
  opencode: [".opencode"],
};

/** In the home these are the person's own settings, which hold in every folder, and hold credentials. */
const ofPerson: readonly string[] = [".claude", ".codex", ".gemini", ".qwen"];

/** What a program installs or keeps for itself; nobody could look through it. */
const passedOver = new Set(["node_modules", ".git", "worktrees"]);
const mostFiles = 200;
const deepest = 6;
/** More is named with its digest only: of one file, and of all. */
const mostTextBytes = 64 * 1024;
const mostTextsBytes = 512 * 1024;
/** A larger one would hold everything up while it is read. */
const mostFileBytes = 4 * 1024 * 1024;

export type FolderSetting = {
  /** Relative to the folder. */
  file: string;
  /** What it says, or what stands for that where it cannot be shown. */
  text: string;
};

export type FolderSettings = {
  files: readonly FolderSetting[];
  /** Stands for all of them, in this folder and for a program with these words. */
  digest: string;
};

/**
 * @param isGoverned whether the program is started so that it passes over most of them
 * @returns `undefined` where the folder says nothing. What lies behind a link counts and is not shown: it may be anything
 *   that this user can read. So may be what names of secrets stand for.
 * @throws Error when there is more than anybody could look through
 */
export function readFolderSettings(
  workspace: string,
  { command, args }: Pick<OuterAgent, "command" | "args">,
  isGoverned: boolean,
  home = homedir(),
): FolderSettings | undefined {
  const program = programOf({ command, args });
  const names = (isGoverned ? placesGoverned[program] : undefined) ?? placesOf[program] ?? allPlaces;
  const found: Found[] = [];
  for (const folder of foldersUpTo(workspace))
    for (const name of names)
      if (folder !== home || !ofPerson.includes(name))
        for (const one of filesAt({ path: join(folder, name), isLinked: false }))
          if (found.push(one) > mostFiles)
            throw new Error(`There are more than ${mostFiles} files in this folder that steer the program.`);
  if (found.length === 0) return undefined;
  let texts = 0;
  const read = found.map((one) => {
    const { text, digest } = contentOf(one, mostTextsBytes - texts);
    texts += text.length;
    return { file: relative(workspace, one.path), text, digest };
  });
  const files = read.map(({ file, text }) => ({ file, text }));
  const bytes = read.map(({ file, digest }) => [file, digest]);
  return { files, digest: digestOf(JSON.stringify([workspace, command, args, bytes])) };
}

const allPlaces = [...new Set(Object.values(places).flat())];

/** Such programs look in the folders above as well, as far as the repository goes. */
function foldersUpTo(workspace: string): string[] {
  const folders = [workspace];
  for (let at = workspace; dirname(at) !== at; at = dirname(at)) {
    if (lstatSync(join(at, ".git"), { throwIfNoEntry: false })) return folders;
    folders.push(dirname(at));
  }
  // It is in no repository.
  return [workspace];
}

/** @param isLinked whether a link leads there, itself or a folder above it */
type Found = { path: string; isLinked: boolean };

function* filesAt({ path, isLinked }: Found, depth = deepest): Generator<Found> {
  const here = lstatSync(path, { throwIfNoEntry: false });
  if (here === undefined || passedOver.has(basename(path))) return;
  const one = { path, isLinked: isLinked || here.isSymbolicLink() };
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) yield one;
  else if (depth === 0) throw new Error(`${path} lies deeper than anybody would look.`);
  else
    for (const name of readdirSync(path).sort())
      yield* filesAt({ ...one, path: join(path, name) }, depth - 1);
}

/** @param room how many characters may still be shown */
function contentOf({ path, isLinked }: Found, room: number): { text: string; digest: string } {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) return { text: "[Not shown: this is no plain file.]", digest: "none" };
  if (found.size > mostFileBytes) throw new Error(`${path} is larger than anybody could look through.`);
  const real = realpathSync(path);
  const bytes = readWhole(real, found.size);
  if (bytes === null) throw new Error(`${path} cannot be read, or is written right now.`);
  const digest = digestOf(bytes);
  const text = bytes.toString("utf8");
  const isFit = bytes.length <= mostTextBytes && text.length <= room && !text.includes("\0");
  const whyNot = isLinked
    ? `a link leads to ${real}: `
    : findSecretFile(basename(path)) !== undefined
      ? "such files hold secrets: "
      : isFit
        ? undefined
        : "";
  return whyNot === undefined
    ? { text, digest }
    : { text: `[Not shown: ${whyNot}${bytes.length} bytes, SHA-256 ${digest}]`, digest };
}

const digestOf = (what: string | Buffer) => createHash("sha256").update(what).digest("hex");
