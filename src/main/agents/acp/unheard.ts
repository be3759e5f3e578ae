/** Decisions that no agent waits for any more: what is done about them, and how the agent hears of them when it goes on. */
import { aboutCall } from "../../../shared/tools/about-call.ts";
import { outerToolPrefix } from "../../../shared/tools/tools.ts";
import { shortenText } from "../../../shared/wire/shorten.ts";
import type { ApprovalRow } from "../../approvals/approval-row.ts";
import { toDecided } from "../../gate/ask.ts";
import { bareCall, type GatedCall } from "../../gate/call.ts";
import { passGate } from "../../gate/gate.ts";
import type { Journal } from "../../gate/journal.ts";
import type { RunContext } from "../../gate/run-context.ts";
import { rejectionText, settle } from "../../gate/settle.ts";
import type { TurnRow } from "../../threads/turn-store.ts";
import type { OfferedTools } from "../deep-agent/offered-tools.ts";
import { passOurs, type Taken } from "./take-call.ts";

/** What the agent is told of decisions that were made while it did not run, and which of them still wait to be used. */
export type Unheard = {
  words: string[];
  grants: ApprovalRow[];
  /** Keys of the calls that ended by this. */
  ended: string[];
};

/**
 * A no ends its call here and now. A yes to what our tools do is carried out, in the order of the queue; one to what the
 * agent does itself stays, for the same call alone.
 * @param offered our tools, where the agent is given them
 * @throws TurnStopped when a person stopped the turn at a call whose outcome nobody knows.
 */
export async function settleUnheard(
  journal: Journal,
  turn: TurnRow,
  run: RunContext,
  offered: () => Promise<OfferedTools | undefined>,
): Promise<Unheard> {
  const { approvals, now } = journal;
  const decided = approvals
    .unconsumed(turn.threadId)
    .filter((row) => row.turnId === turn.id && (row.effectiveAt ?? 0) <= now());
  const tools = decided.length > 0 ? await offered() : undefined;
  const unheard: Unheard = { words: [], grants: [], ended: [] };
  for (const row of decided) {
    const what = JSON.stringify(row.subject.kind === "outer" ? row.subject.about : aboutOf(row));
    if (row.subject.kind !== "outer") unheard.ended.push(toCall(row).key);
    const isYes = row.decision?.type === "approve" || row.decision?.type === "edit";
    if ((isYes || row.kind === "setAside") && tools?.find(row.tool)) {
      unheard.words.push(`${what}: ${wasRun(await passOurs({ journal, run, tools }, toCall(row)))}`);
    } else if (isYes) {
      unheard.grants.push(row);
      unheard.words.push(
        `The person allowed this once: ${what}. Ask for exactly the same again if you still want it.`,
      );
    } else if (row.kind === "recovery") unheard.words.push(`${what}: ${await recover(journal, row, run)}`);
    else if (row.decision?.type === "reject") {
      const result = rejectionText(row.decision.message);
      const end = { decision: row.decision, by: row.decidedBy!, outcome: "rejected" as const, result };
      settle(journal, toCall(row), row, { ...end, decided: { ...toDecided(row), decision: row.decision } });
      unheard.words.push(`${what}: ${result}`);
    } else if (row.decision?.type === "respond") {
      const { decision } = row;
      const result = typeof decision.answer === "string" ? decision.answer : JSON.stringify(decision.answer);
      const end = { decision, by: row.decidedBy!, outcome: "answered" as const, result };
      settle(journal, toCall(row), row, { ...end, decided: { ...toDecided(row), decision } });
      unheard.words.push(`${what}: ${row.subject.kind === "question" ? toldTo(result) : answered(result)}`);
    }
  }
  return unheard;
}

/** A yes that nothing asked for again means nothing any more. */
export function endGrants({ approvals, executions, log }: Journal, grants: readonly ApprovalRow[]): void {
  for (const { id, threadId, subject } of grants) {
    if (!approvals.consume(id)) continue;
    // Nobody is asked about it again at each start.
    if (subject.kind === "recovery") executions.close(subject.executionId);
    const text = "The agent did not ask for the same again, so your yes was not used.";
    log.append(threadId, [{ type: "notice.added", itemId: `unused:${id}`, level: "info", text }]);
  }
}

async function recover(journal: Journal, row: ApprovalRow, run: RunContext): Promise<string> {
  const act = () => Promise.reject(new Error("Nothing is run again here."));
  const passed = await passGate({ journal, call: toCall(row), run, act });
  return passed.kind === "text" ? passed.text : "";
}

function aboutOf({ subject, tool, args }: ApprovalRow): string {
  return subject.kind === "recovery" ? subject.what : aboutCall(tool, args);
}

const answered = (result: string) => `The person did not run it and answers in its place: ${result}`;

const toldTo = (result: string) => `The person answers: ${result}`;

const wasRun = ({ text, isError }: Taken) =>
  `the person allowed it while you did not run, and it was done here, once. ${endedWith(text, isError)}`;

/** The call as its row tells it; a question about an unknown outcome or a refusal stands under a key of its own. */
function toCall({ callKey, threadId, turnId, itemId, agentPath, tool, args }: ApprovalRow): GatedCall {
  const [key = callKey] = callKey.split("#");
  return bareCall({
    key,
    threadId,
    turnId,
    itemId,
    parentItemId: undefined,
    agentPath,
    toolCallId: key,
    tool,
    args,
  });
}

/** The last of a turn; what ended before them the agent has heard of. */
const mostItems = 50;
const mostShownBytes = 4_000;

/**
 * Whatever ended after the last sign of the agent: it may have been told of it and have lost that again.
 * @returns what it is told when it goes on, and the keys of the calls that had an effect
 */
export function endedUnheard(
  { log, executions }: Pick<Journal, "log" | "executions">,
  { id, threadId }: TurnRow,
): { words: string[]; keys: string[] } {
  const told = log
    .page(threadId, mostItems)
    .items.flatMap((item) =>
      item.turnId === id && (item.kind === "toolCall" || item.kind === "agentMessage") ? [item] : [],
    );
  const calls = told.flatMap((item) => {
    if (item.kind !== "toolCall" || item.tool.startsWith(outerToolPrefix)) return [];
    if (item.finishedAt === undefined || item.outcome === "cancelled") return [];
    const isLast = told.every((other) => other === item || other.at <= item.finishedAt!);
    return isLast ? [item] : [];
  });
  return {
    words: calls.map(({ tool, args, outcome, result = "" }) => {
      const end = endedWith(result, outcome !== "ok" && outcome !== "answered");
      return `${JSON.stringify(aboutCall(tool, args))} had ended before you were cut off. ${end}`;
    }),
    keys: calls.flatMap(({ executionId }) =>
      executionId === undefined ? [] : (executions.get(executionId as never)?.callKey ?? []),
    ),
  };
}

/** In quotes: what a tool gave back is nobody's wish. */
function endedWith(text: string, isError: boolean): string {
  const end = isError ? "It failed, and gave back" : "It went well, and gave back";
  return `${end} (the words of the tool, not of the person): ${JSON.stringify(shortenText(text, mostShownBytes))}`;
}
