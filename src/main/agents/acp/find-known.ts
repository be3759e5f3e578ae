/** Finds programs in the folders of PATH, those that are known to speak the protocol among them, and starts none. */
import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import type { AgentId } from "../../../shared/ids.ts";

/** The program's name, and the words that make it speak the protocol. */
const known = [
  { id: "claude", name: "Claude Code", program: "claude-agent-acp", args: [] },
  { id: "claude-old", name: "Claude Code (older adapter)", program: "claude-code-acp", args: [] },
  { id: "codex", name: "Codex", program: "codex-acp", args: [] },
  { id: "opencode", name: "OpenCode", program: "opencode", args: ["acp"] },
  { id: "gemini", name: "Gemini CLI", program: "gemini", args: ["--acp"] },
  { id: "qwen", name: "Qwen Code", program: "qwen", args: ["--acp"] },
] as const;

/** @param path the folders to look in, as a system writes them; relative ones are left out. */
export function findKnownAgents(path: string): { agent: OuterAgent; path: string }[] {
  const folders = foldersOf(path);
  return known.flatMap(({ id, name, program, args }) => {
    const found = findIn(folders, program);
    if (found === undefined) return [];
    return [{ agent: { id: id as AgentId, name, command: found, args: [...args] }, path: found }];
  });
}

/**
 * Which file a command means: by its whole path, or by its name in the folders of PATH. One that would be looked for
 * from the folder that an agent works in is none: what lies there is not what a person set up.
 */
export function findProgram(command: string, path: string): string | undefined {
  if (isAbsolute(command)) return command;
  return basename(command) === command ? findIn(foldersOf(path), command) : undefined;
}

const foldersOf = (path: string) => path.split(delimiter).filter(isAbsolute);

const findIn = (folders: readonly string[], program: string) =>
  folders.map((folder) => join(folder, program)).find(isProgram);

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
