/** What a command rule would have decided of what was asked before, each request judged in the folder it was made in. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { Output, ParsedInput } from "../../shared/contract/contract.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { Ledger } from "../approvals/ledger.ts";
import { writeRuleText } from "../policy/command-rule.ts";
import type { CommandRule, PolicyContext } from "../policy/policy-context.ts";
import type { PastRequest } from "../policy/preview-rule.ts";
import { judging } from "./judging-thread.ts";

export type PreviewParts = {
  shell: ShellKind;
  ledger: Ledger;
  contextOf(workspace: string, threadId: ThreadId | undefined): PolicyContext;
};

type Preview = Pick<Output<"rules.preview">, "wouldApprove" | "ofWhichRejected" | "samples" | "rejected">;

const previewedRequests = 500;
const shownSamples = 5;

export async function previewPast(
  { effect, threadId, workspace }: ParsedInput<"rules.preview">,
  { tokens, exact }: Pick<CommandRule, "tokens" | "exact">,
  { shell, ledger, contextOf }: PreviewParts,
): Promise<Preview> {
  const text = writeRuleText(tokens, shell);
  const candidate: CommandRule = { id: "preview", tokens, exact, effect, scope: "user", text };
  const past = (await pastRequests(ledger, threadId)).filter((one) => !workspace || one.cwd === workspace);
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

async function pastRequests(
  ledger: Ledger,
  threadId: ThreadId | undefined,
): Promise<(PastRequest & { cwd: string })[]> {
  const { entries } = await ledger.list({ threadId, limit: previewedRequests });
  return entries.flatMap((entry) => {
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
