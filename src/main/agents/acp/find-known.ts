/** Finds the programs in the folders of PATH that are known to speak the protocol, and starts none. */
import type { OuterAgent } from "../../../shared/contract/outer-agents.ts";
import type { AgentId } from "../../../shared/ids.ts";
import { findIn, wholeFolders } from "../../shell/find-program.ts";

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
  const folders = wholeFolders(path);
  return known.flatMap(({ id, name, program, args }) => {
    const found = findIn(folders, program);
    if (found === undefined) return [];
    return [{ agent: { id: id as AgentId, name, command: found, args: [...args] }, path: found }];
  });
}
