/** What the engine asks before a call may run: policy and judge, and how far a command that waits may reach. */
import type { Width } from "../../shared/contract/decisions.ts";
import { reachesBeyond, writeWidth } from "../../shared/width.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import { createJudge } from "../gate/judge.ts";
import type { Unattended } from "../gate/unattended.ts";
import { widthOf } from "../policy/width-of.ts";
import { findCardOrigins } from "../provenance/card-origins.ts";
import { createUncoveredCommands } from "../rules/uncovered-commands.ts";
import { whyNeverStarted } from "../shell/shell-options.ts";
import { createToolPolicy, type ToolPolicyParts } from "../tools/tool-policy.ts";
import type { EffectsParts, EngineEffects } from "./effects.ts";
import type { Stores } from "./stores.ts";

export type JudgementParts = Pick<EffectsParts, "dataDir" | "sandbox" | "commandShell"> & {
  stores: Stores;
  classOfTool: ToolPolicyParts["classOfTool"];
  unattended?: Unattended;
};

/** What is asked before a call may run: the policy under the rules in force, and what may run confined unasked. */
export function createJudgement(
  parts: JudgementParts,
  effects: EngineEffects,
  autoApprove: AutoApproveSwitch,
) {
  const { stores, sandbox, unattended } = parts;
  const shell = parts.commandShell.kind;
  const policy = createToolPolicy({
    dataDir: parts.dataDir,
    shell,
    rulesFor: (thread) => stores.rules.inForce(thread),
    isTrusted: stores.workspaces.isTrusted,
    classOfTool: parts.classOfTool,
    filesOf: effects.filesOf,
    whyNeverStarted: (command) => whyNeverStarted(command, parts.commandShell),
  });
  const uncovered = createUncoveredCommands({
    setting: () => stores.settings.get().uncoveredCommands,
    sandbox,
    isTrusted: stores.workspaces.isTrusted,
    uncoveredAsk: (place) => stores.rules.inForce(place).uncoveredAsk ?? false,
  });
  const judge = createJudge({
    policy,
    shell,
    autoApprove,
    sandbox,
    originsOf: (call) => findCardOrigins(stores.readings, call),
    // Where nobody is there to ask, the options of the run alone say what may run.
    ...(unattended ? { unattended } : { uncovered }),
  });
  return { policy, judge, uncovered };
}

/** How far a command that waits may reach at most where it is confined; `outside` where it cannot be. */
export async function confinedWidth(
  sandbox: EffectsParts["sandbox"],
  { verdict }: ApprovalRow,
): Promise<Width> {
  const { usable } = await sandbox.ready();
  if (!usable || sandbox.mode() === "off") return "outside";
  const folders = sandbox.folders();
  const width = widthOf(verdict, folders);
  // A person may well want to see what such a command does without a network.
  return width === "outside" ? writeWidth({ files: "workspace and git", folders }) : width;
}

/** @returns why nothing lets a command that waits start unasked as far as it may reach, as the end of a sentence. */
export async function heldBySandbox(
  sandbox: Pick<EffectsParts["sandbox"], "mode" | "ready">,
  { width }: Pick<ApprovalRow, "width">,
): Promise<string | undefined> {
  const mode = sandbox.mode();
  if (!width || mode === "off" || !reachesBeyond(width)) return undefined;
  if ((await sandbox.ready()).usable) return "it reaches beyond the sandbox";
  return mode === "require" ? "your settings let nothing run unasked outside of the sandbox" : undefined;
}
