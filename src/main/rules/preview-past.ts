/** What a command rule would have decided of what was asked before, each request judged in the folder it was made in. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import type { ApprovalId, ThreadId } from "../../shared/ids.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { Ledger } from "../approvals/ledger.ts";
import { writeRuleText } from "../policy/command-rule.ts";
import type { CommandRule, PolicyContext } from "../policy/policy-context.ts";
import type { PastRequest } from "../policy/preview-rule.ts";
import { judging } from "./judging-thread.ts";

/** What was decided: the record, and what a person decided and can still take back, which the record has not yet. */
export type PastParts = { ledger: Ledger; unconsumed(): readonly ApprovalRow[] };

export type PreviewParts = PastParts & {
  shell: ShellKind;
  contextOf(workspace: string, threadId: ThreadId | undefined): PolicyContext;
};

export type ConfinedParts = Omit<PreviewParts, "shell"> & {
  /** Whether a file of rules says that uncovered commands ask in this folder. */
  uncoveredAsk(workspace: string): boolean;
};

/** A command that waits for a person. */
export type WaitingCommand = { id: ApprovalId; command: string; workspace: string; threadId: ThreadId };

type Preview = Pick<Output<"rules.preview">, "wouldApprove" | "ofWhichRejected" | "samples" | "rejected">;

const previewedRequests = 500;
const shownSamples = 5;
const mostSuggested = 10;
/** Of the newest decisions about commands, as many as a person remembers roughly. */
const countedDecisions = 200;

/** @returns counts over the newest 500 entries of the ledger, those of the folder if one is named; a few as samples. */
export async function previewPast(
  { effect, threadId, workspace }: ParsedInput<"rules.preview">,
  { tokens, exact }: Pick<CommandRule, "tokens" | "exact">,
  { shell, contextOf, ...decided }: PreviewParts,
): Promise<Preview> {
  const candidate = candidateOf({ tokens, exact, effect }, shell);
  const past = (await pastRequests(decided, threadId)).filter((one) => !workspace || one.cwd === workspace);
  const results = await Promise.all(
    [...Map.groupBy(past, (one) => one.cwd)].map(([cwd, requests]) =>
      judging.preview(candidate, requests, contextOf(cwd, threadId)),
    ),
  );
  const approved = new Set(results.flatMap((result) => result.approvedIds));
  const rejected = new Set(results.flatMap((result) => result.rejectedIds));
  const newest = (ids: ReadonlySet<string>) =>
    past
      .filter((one) => ids.has(one.id))
      .slice(0, shownSamples)
      .map((one) => one.command);
  return {
    wouldApprove: approved.size,
    ofWhichRejected: results.reduce((sum, result) => sum + result.ofWhichRejected, 0),
    samples: newest(approved),
    rejected: newest(rejected),
  };
}

/**
 * Which of the commands that wait would not have been asked about, had the rule been there, of its scope alone.
 * @returns `undefined` when there is none.
 */
export async function previewWaiting(
  { effect, scope, threadId, workspace }: ParsedInput<"rules.preview">,
  { tokens, exact }: Pick<CommandRule, "tokens" | "exact">,
  waiting: readonly WaitingCommand[],
  { shell, contextOf }: Pick<PreviewParts, "shell" | "contextOf">,
): Promise<Output<"rules.preview">["waiting"]> {
  const candidate = candidateOf({ tokens, exact, effect }, shell);
  const inScope = waiting.filter((one) =>
    scope === "thread" ? one.threadId === threadId : scope === "user" || one.workspace === workspace,
  );
  const found = await Promise.all(
    [...Map.groupBy(inScope.slice(0, previewedRequests), (one) => one.threadId).values()].map((commands) =>
      judging.preview(
        candidate,
        commands.map(({ id, command }) => ({ id, command, decision: "other" })),
        contextOf(commands[0]!.workspace, commands[0]!.threadId),
      ),
    ),
  );
  const covered = new Set(found.flatMap(({ approvedIds }) => approvedIds));
  const ids = inScope.flatMap(({ id }) => (covered.has(id) ? [id] : []));
  return ids.length === 0 ? undefined : { count: ids.length, ids: ids.slice(0, shownSamples) };
}

function candidateOf(rule: Pick<CommandRule, "tokens" | "exact" | "effect">, shell: ShellKind): CommandRule {
  return { id: "preview", ...rule, scope: "user", text: writeRuleText(rule.tokens, shell) };
}

/** How many of the person's last decisions they would not have been asked for, had uncovered commands run confined. */
export async function previewConfined(
  workspace: string | undefined,
  { contextOf, uncoveredAsk, ...decided }: ConfinedParts,
): Promise<Omit<Output<"rules.previewConfined">, "unavailable">> {
  const past = (await pastRequests(decided, undefined))
    .filter((one) => !workspace || one.cwd === workspace)
    .slice(0, countedDecisions);
  const open = past.filter(({ cwd }) => !uncoveredAsk(cwd));
  const found = await Promise.all(
    [...Map.groupBy(open, (one) => one.cwd)].map(([cwd, requests]) =>
      judging.confined(requests, contextOf(cwd, undefined)),
    ),
  );
  const ids = new Set(found.flat());
  const confined = past.filter(({ id }) => ids.has(id));
  const commandsOf = (requests: typeof past) => requests.slice(0, shownSamples).map(({ command }) => command);
  return {
    decided: past.length,
    wouldRun: confined.length,
    samples: commandsOf(confined),
    rejected: commandsOf(confined.filter(({ decision }) => decision === "rejected")),
  };
}

/** The rules that would have answered most of the person's decisions, each for the folder that these were made in. */
export async function suggestRules(
  { contextOf, ...decided }: Omit<PreviewParts, "shell">,
  declinedIn: (workspace: string) => readonly string[],
): Promise<Output<"rules.suggest">> {
  const past = (await pastRequests(decided, undefined)).slice(0, countedDecisions);
  const found = await Promise.all(
    [...Map.groupBy(past, (one) => one.cwd)].map(async ([workspace, requests]) => {
      const mined = await judging.mine(requests, declinedIn(workspace), contextOf(workspace, undefined));
      return mined.map(({ text, exact, approved }) => ({ text, exact, approved, workspace }));
    }),
  );
  const rules = found
    .flat()
    .toSorted((a, b) => b.approved - a.approved)
    .slice(0, mostSuggested);
  return { decided: past.length, rules };
}

async function pastRequests(
  { ledger, unconsumed }: PastParts,
  threadId: ThreadId | undefined,
): Promise<(PastRequest & { cwd: string })[]> {
  const newest = unconsumed().flatMap(({ id, kind, decision, decidedBy: by, args: originalArgs, ...row }) =>
    kind === "tool" && decision && by && (!threadId || row.threadId === threadId)
      ? [{ ...row, id, imported: undefined, decision, by, originalArgs }]
      : [],
  );
  const { entries } = await ledger.list({ threadId, firstRunsOnly: true, limit: previewedRequests });
  return [...newest.toReversed(), ...entries].flatMap((entry) => {
    const command = entry.originalArgs.command;
    // What somebody allowed elsewhere, or a switch let pass, says nothing about what this person would allow.
    if (
      entry.imported ||
      entry.by.kind !== "person" ||
      kindOf(entry.tool) !== "command" ||
      typeof command !== "string"
    )
      return [];
    const { type } = entry.decision;
    const decision = type === "approve" ? "approved" : type === "reject" ? "rejected" : "other";
    return [{ id: String(entry.id), command, decision, cwd: entry.cwd }];
  });
}
