/** What a folder tells programs of others about themselves: which files run something, or decide what is asked, before they ask anything. */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";

/** Of each program that is known, files and folders by their names in the folder itself. */
const places = {
  claude: [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"],
  codex: [".codex"],
  gemini: [".gemini"],
  openCode: ["opencode.json", "opencode.jsonc", ".opencode"],
  qwen: [".qwen"],
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

/** What a program installs for itself; nobody could look through it. */
const passedOver = new Set(["node_modules", ".git"]);
const mostFiles = 200;
const deepest = 6;
/** More is named with its digest only. */
const mostTextBytes = 64 * 1024;

export type FolderSetting = {
  /** Relative to the folder. */
  file: string;
  /** What it says, or what stands for that where it cannot be shown. */
  text: string;
};

export type FolderSettings = {
  files: readonly FolderSetting[];
  /** Stands for all of them. */
  digest: string;
};

/**
 * @param isGoverned whether the program is started so that it passes over most of them
 * @returns `undefined` where the folder says nothing. Links are named and not followed.
 * @throws Error when there is more than anybody could look through
 */
export function readFolderSettings(
  workspace: string,
  { command }: Pick<OuterAgent, "command">,
  isGoverned: boolean,
): FolderSettings | undefined {
  const program = basename(command);
  const names =
    (isGoverned ? placesGoverned[program] : undefined) ?? placesOf[program] ?? Object.values(places).flat();
  const files = foldersUpTo(workspace).flatMap((folder) =>
    names.flatMap((name) => [...filesAt(join(folder, name))]),
  );
  if (files.length > mostFiles)
    throw new Error(`There are more than ${mostFiles} files in this folder that steer the program.`);
  if (files.length === 0) return undefined;
  const read = files.map((path) => ({ file: relative(workspace, path), text: textOf(path) }));
  return { files: read, digest: digestOf(JSON.stringify(read)) };
}

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

function* filesAt(path: string, depth = deepest): Generator<string> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || passedOver.has(basename(path))) return;
  if (!found.isDirectory()) yield path;
  else if (depth === 0) throw new Error(`${path} lies deeper than anybody would look.`);
  else for (const name of readdirSync(path).sort()) yield* filesAt(join(path, name), depth - 1);
}

function textOf(path: string): string {
  const found = lstatSync(path);
  if (!found.isFile()) return "[Not shown: this is no plain file.]";
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8");
  const isShown = bytes.length <= mostTextBytes && !text.includes("\0");
  return isShown ? text : `[Not shown: ${bytes.length} bytes, SHA-256 ${digestOf(bytes)}]`;
}

const digestOf = (what: string | Buffer) => createHash("sha256").update(what).digest("hex");
