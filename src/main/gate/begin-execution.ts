/** How an effect begins: its decision used up and its row on disk, in one transaction (I1, I3), with what it may reach. */
import { randomUUID } from "node:crypto";
import type { DecidedBy, Verdict, Width } from "../../shared/contract/decisions.ts";
import type { ExecutionId, ThreadId } from "../../shared/ids.ts";
import { aboutCall } from "../../shared/tools/about-call.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { isInside } from "../paths/real-of.ts";
import { isDatabaseError } from "../storage/storage-error.ts";
import { readBase } from "../tools/shown-base.ts";
import { toDecided } from "./ask.ts";
import { type Decided, type EffectRoute, faceIn, type GatedCall } from "./call.ts";
import { dropExecution } from "./end-execution.ts";
import type { Journal, Pass } from "./journal.ts";
import { addToLedger } from "./record.ts";
import type { Started } from "./run-context.ts";
import type { ToolFace } from "./tool-face.ts";

/** With what an effect begins, and who let it. */
export type How = {
  args: Record<string, unknown>;
  by: DecidedBy;
  decided: Decided | undefined;
  verdict: Verdict;
  /** For a command: how far it may reach. */
  width: Width | undefined;
};

/**
 * In one transaction: the decision is used up, an unknown earlier execution is closed, the row and its ledger line are
 * written. Resolves when they are on disk.
 * @throws StorageError when the disk does not keep them; the row is dropped then, since nothing will run by it.
 */
export async function beginExecution(
  journal: Journal,
  call: GatedCall,
  route: EffectRoute,
  how: How,
): Promise<Started> {
  const executionId = `exec-${randomUUID()}` as ExecutionId;
  try {
    return await writeStart(journal, call, route, how, executionId);
  } catch (error) {
    if (isDatabaseError(error)) dropUnkept({ journal, call }, executionId, how.decided);
    throw error;
  }
}

/** On a disk that keeps nothing the row may stay as well: what it began is asked about then (I5). */
function dropUnkept(
  of: Pick<Pass<unknown>, "journal" | "call">,
  executionId: ExecutionId,
  decided?: Decided,
) {
  try {
    if (of.journal.executions.get(executionId)) dropExecution(of, executionId, decided);
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
  }
}

function writeStart(
  journal: Journal,
  call: GatedCall,
  route: EffectRoute,
  how: How,
  executionId: ExecutionId,
): Promise<Started> {
  const { args, by, decided, verdict } = how;
  const { approvals, executions, threads, log, underway } = journal;
  // Where no width was named, as in what was judged before there was one, the card said nothing of a sandbox.
  const width = kindOf(call.tool) === "command" ? (how.width ?? "outside") : undefined;
  const mayChangeFiles = verdict.verdict !== "safe";
  // While the disk takes its time with what is about to run, the look at the folder takes its own.
  if (width !== undefined)
    journal.lookAhead(threads.get(call.threadId).workspace, { executionId, mayChangeFiles, width });
  return journal.commitDurably(() => {
    if (decided && !approvals.consume(decided.approvalId)) throw new Error("This decision was used already.");
    const earlier = executions.latestOf(call.key);
    // One that ended stays as it is.
    if (earlier) executions.close(earlier.id);
    const { threadId, turnId, itemId, tool, key } = call;
    const what = aboutCall(tool, args);
    executions.start({ id: executionId, callKey: key, threadId, turnId, itemId, tool, what, width, args });
    const edited = JSON.stringify(args) !== JSON.stringify(call.args);
    addToLedger(journal, call, {
      verdict,
      decision: edited ? { type: "edit", args } : { type: "approve" },
      by,
      width,
      seen: decided?.seen,
      cwd: route.cwd,
      approvalId: decided?.approvalId,
      executionId,
      finalArgs: edited ? args : undefined,
    });
    log.append(threadId, [{ type: "execution.started", itemId, executionId, width }]);
    underway.add(executionId);
    const baseHash = decided?.decision.type === "edit" ? undefined : decided?.baseHash;
    const shown = { verdict, by, baseHash: decided?.baseHash, face: faceIn(route) };
    return { executionId, args, baseHash, ...permitOf(journal, threadId, shown), mayChangeFiles, width };
  });
}

/** An answer that the tool waited for is there: the same execution goes on, and nothing new is decided or in the ledger. */
export function continueExecution(journal: Journal, call: GatedCall, executionId: ExecutionId): Started {
  const { executions, approvals, routes } = journal;
  executions.continue(executionId);
  const latest = approvals.latestOf(call.key);
  const decided = latest?.decidedBy && toDecided(latest);
  const { args, width } = executions.get(executionId)!;
  const nobody = {
    verdict: { verdict: "new" as const, units: [] },
    by: { kind: "policy" as const },
    baseHash: undefined,
  };
  const shown = { ...nobody, ...decided, face: faceIn(routes.find(call.key)) };
  return {
    executionId,
    args,
    baseHash: decided?.baseHash,
    ...permitOf(journal, call.threadId, shown),
    mayChangeFiles: true,
    width: width ?? undefined,
  };
}

/** What an effect may reach, from what a person saw when they said yes to it. */
function permitOf(
  { threads }: Journal,
  threadId: ThreadId,
  { verdict, by, baseHash, face }: Pick<Decided, "verdict" | "by" | "baseHash"> & { face?: ToolFace },
): Pick<Started, "mayLeaveWorkspace" | "mayReachOwnNetwork" | "shownPath" | "toolDigest"> {
  const bound = readBase(baseHash);
  const isPerson = by.kind === "person";
  return {
    mayLeaveWorkspace:
      isPerson && bound.paths.some((path) => !isInside(threads.get(threadId).workspace, path)),
    mayReachOwnNetwork: isPerson && verdict.units.some(({ source }) => source === "web:private"),
    shownPath: bound.readPath,
    toolDigest: bound.toolDigest ?? face?.digest,
  };
}
