/** The engine: from a sent message to its effects, through source, gate, queue and actors. */
import type { FileDiff, Reach } from "../../shared/contract/approvals.ts";
import type { Width } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { createModelSlots, type ModelSlots } from "../agents/model-slots.ts";
import type { AgentSource, SourceServices } from "../agents/source.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import { toApproval } from "../approvals/approval-view.ts";
import { type AutoApproveSwitch, createAutoApproveSwitch } from "../approvals/auto-approve.ts";
import { createDecisions, type DecisionParts, type Decisions } from "../approvals/decisions.ts";
import { createWaitingRoom } from "../approvals/waiting-room.ts";
import { passBarrier } from "../base/barriers.ts";
import { createDrawings, diffOfCard } from "../gate/drawings.ts";
import type { Journal } from "../gate/journal.ts";
import { askAnewAtLimit } from "../gate/spending-limit.ts";
import type { Unattended } from "../gate/unattended.ts";
import type { UncoveredCommands } from "../rules/uncovered-commands.ts";
import type { Shell } from "../shell/shell.ts";
import type { Changes } from "../threads/changes.ts";
import { createLiveText, type LiveText } from "../threads/live-text.ts";
import type { ThreadActors } from "../threads/thread-actors.ts";
import type { ToolPolicyParts } from "../tools/tool-policy.ts";
import { createChangedByRun } from "../undo/changed-by-run.ts";
import type { TakeBacks } from "../undo/take-backs.ts";
import { createDesks } from "./desks.ts";
import { createEffects, type EffectsParts } from "./effects.ts";
import type { HomeDesk } from "./home-desk.ts";
import { confinedWidth, createJudgement, heldBySandbox } from "./judgement.ts";
import { tellOverlaps } from "./overlaps.ts";
import type { RehearsalDesk } from "./rehearsal-desk.ts";
import { createSources, type Sources } from "./sources.ts";
import type { Stores } from "./stores.ts";
import { createThreadNotes } from "./thread-notes.ts";
import { createThreadWorktrees, type ThreadWorktrees } from "./thread-worktrees.ts";
import { wake } from "./wake.ts";
import { createWork, goOn } from "./work.ts";

export type EngineParts = EffectsParts & {
  now: () => number;
  stores: Stores;
  changes: Changes;
  /** Makes what works on the turns of threads, by the name that threads carry of it. */
  createSources(services: SourceServices): ReadonlyMap<string, AgentSource>;
  classOfTool: ToolPolicyParts["classOfTool"];
  unattended?: Unattended;
};

export type Engine = {
  actors: ThreadActors;
  decisions: Decisions;
  autoApprove: AutoApproveSwitch;
  journal: Journal;
  slots: ModelSlots;
  shell: Shell;
  sources: Sources;
  liveText: LiveText;
  takeBacks: TakeBacks;
  home: HomeDesk;
  rehearsals: RehearsalDesk;
  uncovered: UncoveredCommands;
  worktrees: ThreadWorktrees;
  /** How far a command that waits may reach at most where it is confined; `outside` where it cannot be. */
  confinedWidth(row: ApprovalRow): Promise<Width>;
  /** Why no switch lets a command that waits start, as the end of a sentence. */
  heldBySandbox(row: ApprovalRow): Promise<string | undefined>;
  diffOf(row: ApprovalRow): Promise<FileDiff | undefined>;
  reachOf(row: ApprovalRow): Promise<Reach>;
  close(): Promise<void>;
};

/** Puts together what runs; it holds in memory the switch, the graces, what runs and what of it was written so far. */
export function createEngine(parts: EngineParts): Engine {
  const { stores, changes, now, sandbox, unattended } = parts;
  const { threads, log } = stores;
  const tellThread = (threadId: ThreadId) => changes.tell({ kind: "thread", threadId });
  const room = createWaitingRoom();
  const liveText = createLiveText();
  changes.listen(liveText.hear);
  const notes = createThreadNotes(log, threads, now);
  const effects = createEffects(parts);
  const slots = createModelSlots(() => stores.settings.get().maxActiveRuns, tellThread);
  changes.listen((change) => change.kind === "settings" && slots.limitChanged());
  const autoApprove = createAutoApproveSwitch(now, tellThread, notes.autoApproveEnded);
  const { policy, judge, uncovered } = createJudgement(parts, effects, autoApprove);
  const drawings = createDrawings(policy, threads, stores.routes);
  const journal: Journal = {
    ...stores,
    now,
    room,
    autoApprove,
    judge,
    drawings,
    isUnattended: unattended !== undefined && !unattended.park,
    underway: new Set(),
    lookAhead: effects.lookAheadOf,
    changedBy: createChangedByRun(stores.database),
  };
  const services: SourceServices = {
    journal,
    effects: { ...effects, commitRehearsed: (origin, name) => desks.rehearsals.commit(origin, name) },
    slots,
    onDelta(threadId, delta) {
      changes.tell({ kind: "delta", threadId, delta });
      passBarrier("mid-stream");
    },
    goOn: (threadId) => queueMicrotask(() => goOn(threadId, threads, actors)),
    noteCheckpoint: (turn, checkpointId) => threads.setTurnCheckpoint(turn.id, checkpointId),
  };
  const sources = createSources(parts.createSources(services));
  const { runs, actors } = createWork({ ...parts, sources, room, liveText, effects, notes });
  const deliver = (row: ApprovalRow) => sources.of(threads.get(row.threadId)).outside?.deliver(row);
  const view = (row: ApprovalRow) => toApproval(row, threads.get(row.threadId));
  const wakeFor = (row: ApprovalRow) => wake({ room, runs, actors, threads, deliver }, row);
  changes.listen((change) => change.kind === "settings" && askAnewAtLimit(journal, wakeFor));
  const decisions = createQueue(parts, { view, draw: drawings.of, wake: wakeFor });
  const worktrees = createThreadWorktrees({ ...stores, dataDir: parts.dataDir, changes });
  const { shell } = effects;
  const desks = createDesks(parts, { sources, actors, worktrees, journal, view, shell });
  const stopTelling = tellOverlaps({ ...stores, changes });

  return {
    actors,
    decisions,
    autoApprove,
    journal,
    slots,
    shell,
    sources,
    liveText,
    ...desks,
    uncovered,
    worktrees,
    confinedWidth: (row) => confinedWidth(sandbox, row),
    heldBySandbox: (row) => heldBySandbox(sandbox, row),
    diffOf: (row) => diffOfCard(row, effects.filesOf(threads.get(row.threadId).workspace)),
    reachOf: (row) => policy.reach(row.subject, row.verdict, threads.get(row.threadId)),
    async close() {
      stopTelling();
      worktrees.close();
      decisions.close();
      desks.rehearsals.close();
      autoApprove.close();
      await actors.close();
      await sources.close();
      await effects.close();
    },
  };
}

/** What decides about what waits. */
function createQueue(
  { stores, now }: EngineParts,
  ways: Pick<DecisionParts, "view" | "draw" | "wake">,
): Decisions {
  const { database, commit, once, approvals, log } = stores;
  return createDecisions({ database, commit, once, now, approvals, log, ...ways });
}
