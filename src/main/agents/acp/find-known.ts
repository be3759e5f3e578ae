/** Finds programs that are known to speak the protocol by their names in the folders of PATH, and starts none of them. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
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
  const folders = path.split(delimiter).filter(isAbsolute);
  return known.flatMap(({ id, name, program, args }) => {
    const found = folders.map((folder) => join(folder, program)).find(isProgram);
    if (found === undefined) return [];
    return [{ agent: { id: id as AgentId, name, command: found, args: [...args] }, path: found }];
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
