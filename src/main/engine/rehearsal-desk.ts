/** Rehearses commands that wait, shows on their cards what that found, and commits just that after a yes. */
import type { DecideOutcome, FileDiff, ShownApproval } from "../../shared/contract/approvals.ts";
import type { RehearsedCommand } from "../../shared/contract/subjects.ts";
import { readWidth, type Width, writeWidth } from "../../shared/width.ts";
import type { CommitEnd } from "../agents/source.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { ApprovalStore } from "../approvals/approval-store.ts";
import type { ExecutionRow } from "../approvals/execution-store.ts";
import { type CardParts, findToRehearse, showRehearsal } from "../approvals/rehearsed-card.ts";
import { oneByOne } from "../base/one-by-one.ts";
import { FileError } from "../files/file-error.ts";
import type { OriginalBlobs } from "../files/original-blobs.ts";
import { toDecided } from "../gate/ask.ts";
import { dropExecution } from "../gate/end-execution.ts";
import type { Journal } from "../gate/journal.ts";
import { describeChanges, readDifference } from "../rehearsal/describe-changes.ts";
import type { RehearsalName, Rehearsals } from "../rehearsal/rehearse.ts";
import type { ThreadStore } from "../threads/thread-store.ts";
import { baseOfRehearsal, readBase } from "../tools/shown-base.ts";
import type { StepOrigin } from "../undo/step-journal.ts";
import type { TakeBackStore } from "../undo/take-back-store.ts";
import type { TakeBacks } from "../undo/take-backs.ts";

export type RehearsalDeskParts = CardParts & {
  journal: Journal;
  approvals: ApprovalStore;
  threads: Pick<ThreadStore, "get">;
  rehearsals: Rehearsals;
  /** How far the command may reach at most where it is confined; `outside` where it cannot be. */
  confinedWidth(row: ApprovalRow): Promise<Width>;
  takeBacks: Pick<TakeBacks, "commit">;
  store: Pick<TakeBackStore, "underway">;
  blobs: OriginalBlobs;
  logError(error: unknown): string;
};

export type RehearsalDesk = {
  /** Runs it where nothing of it lasts, and shows it with what that found. */
  rehearse(shown: ShownApproval): Promise<DecideOutcome>;
  /** Shows it as before it was rehearsed. */
  forget(shown: ShownApproval): DecideOutcome;
  /** What a yes to the card as it was shown would make of one file. @returns nothing where that is no text, or not to be told. */
  differenceOf(shown: ShownApproval, path: string): Promise<FileDiff | undefined>;
  /** Never rejects for what is there: where it is not as it was rehearsed on, nothing is changed. */
  commit(origin: StepOrigin, name: RehearsalName): Promise<CommitEnd>;
  /** After a start: an execution of which nothing is there is dropped, and its decision counts as it did. */
  dropUncommitted(execution: ExecutionRow): boolean;
  /** Forgets what no card and no decision is bound to, as a crash leaves it. Never rejects. */
  forgetUnused(): Promise<void>;
  close(): void;
};

/** How much of its output a card shows: of what is longer the end says why it failed. */
const shownOutput = 4_000;

/** @returns what answers the card's key, acts for the gate and is asked by a start */
export function createRehearsalDesk(parts: RehearsalDeskParts): RehearsalDesk {
  const { approvals, rehearsals, journal, logError } = parts;
  const leaving = new AbortController();
  // Each may use all that its bounds allow.
  const inTurn = oneByOne();
  /** Their decisions are used up, and their findings are still needed. */
  const committing = new Set<string>();
  const forgetUnused = () => rehearsals.keepOnly(() => new Set([...idsInUse(approvals), ...committing]));
  return {
    rehearse: (shown) =>
      inTurn(async () => {
        await forgetUnused();
        return rehearse(parts, shown, leaving.signal);
      }),
    forget: (shown) => showRehearsal(parts, shown, undefined),
    async differenceOf({ id, digest }, path) {
      const row = approvals.get(id);
      if (row?.digest !== digest) return undefined;
      const name = readBase(row.baseHash ?? undefined).rehearsal;
      const opened = name && (await rehearsals.open(name));
      return opened && readDifference(opened.rehearsal, path, opened.contents.get);
    },
    async commit(origin, name) {
      committing.add(name.id);
      try {
        return await commit(parts, origin, name);
      } finally {
        committing.delete(name.id);
        await rehearsals.forget(name.id);
      }
    },
    dropUncommitted(execution) {
      const row = approvals.latestOf(execution.callKey);
      const isOne = row?.decision?.type === "approve" && readBase(row.baseHash ?? undefined).rehearsal;
      const isUnderway = parts.store
        .underway()
        .some(({ what }) => what.rehearsed?.executionId === execution.id);
      if (!isOne || isUnderway) return false;
      const { callKey: key, threadId, turnId } = execution;
      dropExecution({ journal, call: { key, threadId, turnId } }, execution.id, toDecided(row));
      return true;
    },
    forgetUnused: () => inTurn(forgetUnused).catch((error) => void logError(error)),
    close: () => leaving.abort(),
  };
}

/** Those that a card or a decision is bound to. */
function idsInUse(approvals: ApprovalStore): Set<string> {
  const rows = [
    ...approvals.pending(),
    ...approvals.threadsWithUnconsumed().flatMap((threadId) => approvals.unconsumed(threadId)),
  ];
  return new Set(rows.flatMap(({ baseHash }) => readBase(baseHash ?? undefined).rehearsal?.id ?? []));
}

async function rehearse(
  parts: RehearsalDeskParts,
  shown: ShownApproval,
  signal: AbortSignal,
): Promise<DecideOutcome> {
  const asked = findToRehearse(parts, shown);
  if ("refusal" in asked) return asked.refusal;
  const { row } = asked;
  const found = await look(parts, row, signal).catch((error): Found => {
    const id = parts.logError(error);
    return cannot(row, `It could not be rehearsed; the log says why (${id}).`);
  });
  return showRehearsal(parts, shown, found);
}

type Found = { rehearsed: RehearsedCommand; width: Width; base: string | undefined };

const cannot = ({ width = "outside" }: ApprovalRow, why: string): Found => ({
  rehearsed: { could: false, why },
  width,
  base: undefined,
});

async function look(parts: RehearsalDeskParts, row: ApprovalRow, signal: AbortSignal): Promise<Found> {
  const reach = await parts.confinedWidth(row);
  const { subject } = row;
  if (reach === "outside" || subject.kind !== "command")
    return cannot(row, "Commands cannot be confined here, so none can be rehearsed.");
  // Nothing of it may last but what is shown, so nothing is granted and no other folder written.
  const width = writeWidth({ files: readWidth(reach).files, folders: [] });
  const { workspace } = parts.threads.get(row.threadId);
  const done = await parts.rehearsals.rehearse({ command: subject.command, workspace, width, signal });
  if ("why" in done) return cannot(row, done.why);
  const { name, rehearsal } = done;
  const { exitCode, output, refused } = rehearsal;
  const told = { exitCode, output: output.slice(-shownOutput), refused: [...refused] };
  const { contents } = (await parts.rehearsals.open(name)) ?? {};
  const changes = await describeChanges(rehearsal, async (hash) => (await contents?.get(hash)) ?? null);
  return { rehearsed: { could: true, ...told, changes }, width, base: baseOfRehearsal(name) };
}

const note =
  "[A person approved what a rehearsal of this command had found. Just that is in the folder now.]";

async function commit(
  { rehearsals, takeBacks, blobs }: RehearsalDeskParts,
  { threadId, turnId, executionId }: StepOrigin,
  name: RehearsalName,
): Promise<CommitEnd> {
  const nothing = (why: string) => ({
    committed: false as const,
    why: `What was rehearsed was not put into the folder. ${why}`,
  });
  const opened = await rehearsals.open(name);
  if (opened === undefined) return nothing("It is not kept any more.");
  const { root, files, folders, exitCode, truncated, bytes } = opened.rehearsal;
  const result = [opened.rehearsal.output, note].filter(Boolean).join("\n");
  const rehearsed = { executionId, exitCode, result, truncated, bytes };
  try {
    for (const { to } of files) {
      const content = to && (await opened.contents.get(to.hash));
      if (content) await blobs.put(content);
    }
    await takeBacks.commit(threadId, turnId, { root, files, folders, rehearsed });
  } catch (error) {
    if (error instanceof FileError) return nothing(error.message);
    throw error;
  } finally {
    // Those that undo needs stay.
    for (const { to } of files) if (to) await blobs.delete(to.hash);
  }
  return { committed: true, output: result, exitCode, truncated };
}
