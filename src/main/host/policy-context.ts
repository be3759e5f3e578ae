/** What commands and file changes of a folder are judged against: the same for the queue, for rules and for their preview. */
import { homedir } from "node:os";
import type { ShellKind } from "../../shared/command-shell.ts";
import { lookAtDisk } from "../policy/disk.ts";
import { type CommandRule, type ShellContext, toolsOf } from "../policy/shell-context.ts";

export type PolicyContextParts = {
  workspace: string;
  dataDir: string;
  shell: ShellKind;
  trusted: boolean;
  rules: readonly CommandRule[];
};

export function makePolicyContext(parts: PolicyContextParts): ShellContext {
  const { workspace, dataDir, shell, trusted, rules } = parts;
  return {
    workspace,
    cwd: workspace,
    home: homedir(),
    trusted,
    rules,
    ...lookAtDisk(workspace),
    protectedDirs: [dataDir],
    shell,
    tools: toolsOf(process.platform),
  };
}
