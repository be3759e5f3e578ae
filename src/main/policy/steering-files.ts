/**
 * Where the texts of a folder stand that steer agents and this app: one table for who reads them, and for who sees to it that
 * no confined command makes one unnoticed.
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
export const skillFolders = [".claude/skills", ".agents/skills", ".deepagents/skills"];

export const commandFolder = ".agents/commands";

/** The names in the folder itself under which all of these stand. */
export const steeringPlaces: readonly string[] = [
  ...new Set(
    [folderRulesFile, ...instructionFiles, ...skillFolders, commandFolder].map((path) =>
      path.replace(/\/.*/s, ""),
    ),
  ),
];
