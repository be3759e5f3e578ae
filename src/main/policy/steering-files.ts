/**
 * Where the texts of a folder stand that steer agents and this app, for who reads them. The names of `sensitive-names.ts`, by
 * which no confined command makes one unnoticed, hold all of these; the test of guarded places goes through them.
 */

/** The folder's own rules. */
export const folderRulesFile = ".countersign/rules.json";

/** Later ones add to earlier ones. */
export const instructionFiles = [
  "AGENTS.md",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  ".agents/AGENTS.md",
  ".deepagents/AGENTS.md",
];

/** Their sub-folders each hold a SKILL.md; of two skills with one name the later wins. */
export const skillFolders = [
  ".claude/skills",
  ".agents/skills",
  ".deepagents/agent/skills",
  ".deepagents/skills",
];

export const commandFolder = ".agents/commands";
