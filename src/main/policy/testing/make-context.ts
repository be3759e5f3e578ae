/** The context of the fixture: a trusted workspace, its root as cwd, and a few rules. For tests only. */
import { posixStyle } from "../../paths/posix-style.ts";
import { parseCommandRule } from "../command-rule.ts";
import { type CommandRule, noGitProgram, type PolicyContext } from "../policy-context.ts";

const fixtureRules = ["npm test", "npm run build", "git log", "git commit", "git status", "git diff"];

export function makeRule(text: string, part: Partial<CommandRule> = {}): CommandRule {
  const parsed = parseCommandRule(text, "bash");
  if ("problem" in parsed) throw new Error(parsed.problem);
  return { id: text, tokens: parsed.tokens, effect: "allow", scope: "user", text, ...part };
}

export function makeContext(part: Partial<PolicyContext> = {}): PolicyContext {
  return {
    paths: posixStyle,
    workspace: "/home/ada/code/app",
    cwd: "/home/ada/code/app",
    home: "/home/ada",
    trusted: true,
    rules: fixtureRules.map((text) => makeRule(text)),
    findSecretBelow: () => undefined,
    trackedSecrets: () => [],
    gitKind: () => undefined,
    gitPrograms: () => noGitProgram,
    look: {
      isThere: (path) => path === "/home/ada/code/app/.git",
      entriesIn: () => [],
      namesIn: () => [],
      namesBelow: () => [],
      kindOf: () => undefined,
    },
    protectedDirs: ["/home/ada/.local/share/countersign"],
    shell: "bash",
    tools: "gnu",
    ...part,
  };
}
