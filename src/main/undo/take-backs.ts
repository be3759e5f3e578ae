/** Takes the files and the conversation of a thread's turns back, shows beforehand what that does, and brings it all back. */
import { createHash, randomUUID } from "node:crypto";
import type { DecidedBy } from "../../shared/contract/decisions.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import { oneByOne } from "../base/one-by-one.ts";
import { StaleFileError } from "../files/file-error.ts";
import type { Conversation, ConversationPlan } from "./conversation-back.ts";
import { goWay, keepContents, refuseWay, reversed, talkOf, type WayParts } from "./go-way.ts";
import { lookNow } from "./look-now.ts";
import { type ComesBack, joinSteps, planTakeBack, type Stays, type Wish } from "./plan-take-back.ts";
import { notAsBefore } from "./put-folder.ts";
import type { PartlyKnown, StepJournal } from "./step-journal.ts";
import { contentsOf, type TakeBack } from "./take-back-store.ts";

export type TakeBackPreview = {
  readonly back: readonly ComesBack[];
  readonly stays: readonly Stays[];
  /** Calls that may have changed more than is known. */
  readonly partly: readonly PartlyKnown[];
  readonly conversation: ConversationPlan;
  /** Binds what is done to what was shown. */
  readonly digest: string;
  /** What can be brought back again; `wentOn` when something was said since, so that it cannot. */
  readonly last?: TakeBack & { readonly wentOn: boolean };
};

/** From where on, and where the files are. */
export type TurnPlace = {
  readonly threadId: ThreadId;
  readonly turnId: TurnId;
  readonly root: string;
  /** Files from this call of the turn on; the conversation from its message on all the same. */
  readonly executionId?: ExecutionId;
};

/** How much goes back. */
export type TakenPart = "both" | "files" | "conversation";

export type TakeBacks = {
  preview(place: TurnPlace): Promise<TakeBackPreview>;
  /** @throws StaleFileError when it is not what was shown any more, or a file changed meanwhile: all is as before then */
  carryOut(place: TurnPlace, digest: string, part: TakenPart, by: DecidedBy): Promise<TakeBack>;
  /** Does what `plan` says once the thread is at rest: files that are not undone by turns, and a repository with them. @throws as `carryOut` */
  bring(threadId: ThreadId, plan: () => Promise<Brought>, by: DecidedBy): Promise<TakeBack>;
  /** Puts what a rehearsed command would change into the folder, in its running turn; it ends its execution. @throws as `carryOut` */
  commit(threadId: ThreadId, turnId: TurnId, rehearsed: Committed): Promise<void>;
  /** What was brought home last and can be undone. */
  lastHome(threadId: ThreadId): TakeBack | undefined;
  /** Brings the newest way back of the thread back, or undoes what was brought home last. @throws as `carryOut` */
  reverse(threadId: ThreadId, id: string, by: DecidedBy): Promise<TakeBack>;
  /** Finishes what an earlier host left in the middle, or undoes it where that cannot be. @returns what came of it */
  recover(): Promise<LeftTakeBack[]>;
  /** The checkpoints that the thread's ways back lead to, for as long as they can be gone. */
  checkpointsOf(threadId: ThreadId): string[];
  forget(threadId: ThreadId): Promise<void>;
};

/** What becomes of files and of a repository, whatever turns did; the contents that come are kept already. */
export type Brought = Pick<TakeBack["what"], "root" | "otherRoots" | "files" | "repository" | "home">;

/** What a rehearsal found, with what its command gives back. */
export type Committed = Pick<TakeBack["what"], "root" | "files"> &
  Required<Pick<TakeBack["what"], "folders" | "rehearsed">>;

/** `underway`: neither could be done, and the next start tries again. `left`: what somebody else changed meanwhile. */
export type LeftTakeBack = {
  readonly takeBack: TakeBack;
  readonly end: "finished" | "undone" | "underway";
  readonly left: readonly string[];
};

export type TakeBackParts = WayParts & {
  /** Keeps the thread at rest while `act` goes on. @throws ContractError when it is not */
  atRest<T>(threadId: ThreadId, act: () => Promise<T>): Promise<T>;
  /** Ends a turn that was cut off, so that nothing goes on with it. */
  endCutOff(threadId: ThreadId): Promise<void>;
  now(): number;
};

type Planned = Omit<TakeBackPreview, "last"> & { readonly firstStep: number; readonly lastStep: number };

type Shown = Pick<TakeBackPreview, "back" | "stays" | "partly" | "conversation">;

function digestOf(place: TurnPlace, { back, stays, partly, conversation }: Shown): string {
  const talk = conversation.back && [conversation.back.turns, conversation.back.from, conversation.back.to];
  return createHash("sha256")
    .update(JSON.stringify([place, back, stays, partly, talk ?? conversation.why]))
    .digest("hex");
}

/** No step of the journal is taken back with it. */
const noSteps = { firstStep: 1, lastStep: 0 };

/** @returns ways back that are gone one after the other, whatever thread they belong to */
export function createTakeBacks(parts: TakeBackParts): TakeBacks {
  const { journal, store, conversation, now, commitDurably } = parts;
  // Two ways back over the same files would each see half of the other.
  const inTurn = oneByOne();
  const atRest = <T>(threadId: ThreadId, act: () => Promise<T>) => inTurn(() => parts.atRest(threadId, act));
  const go = createWays(parts, inTurn);
  const goForth = async (threadId: ThreadId, what: TakeBack["what"]) => {
    const takeBack: TakeBack = { id: randomUUID(), threadId, at: now(), state: "forth", what };
    await commitDurably(() => store.add(takeBack));
    await go(takeBack, "forth");
    return takeBack;
  };

  return {
    async preview(place) {
      const { back, stays, partly, conversation: talk, digest } = await plan(parts, place);
      const last = store.last(place.threadId);
      const wentOn = last !== undefined && isStuck(conversation, last);
      return { back, stays, partly, conversation: talk, digest, ...(last && { last: { ...last, wentOn } }) };
    },
    carryOut: (place, digest, part, by) =>
      atRest(place.threadId, async () => {
        const { threadId, turnId, root } = place;
        const shown = await plan(parts, place);
        const files = part === "conversation" ? [] : shown.back;
        const isPossible = part === "files" ? files.length > 0 : shown.conversation.back !== undefined;
        if (shown.digest !== digest || !isPossible)
          throw new StaleFileError(root, "is not as it was when this was shown");
        await keepContents(parts, { root }, files, giveUpIn(journal, threadId, shown.firstStep));
        const talk = part === "files" ? undefined : await endAndPlan(parts, place);
        const steps = files.length > 0 ? shown : noSteps;
        const { firstStep, lastStep } = steps;
        const what = { root, turnId, firstStep, lastStep, files, ...(talk && { conversation: talk }), by };
        return goForth(threadId, what);
      }),
    bring: (threadId, planIt, by) =>
      atRest(threadId, async () => {
        const brought = await planIt();
        await keepContents(parts, brought, brought.files);
        const what = { ...brought, turnId: "" as TurnId, ...noSteps, by };
        return goForth(threadId, what);
      }),
    commit: (threadId, turnId, rehearsed) =>
      inTurn(async () => {
        const strayed = notAsBefore(rehearsed.folders);
        if (strayed !== undefined) throw new StaleFileError(strayed, "was changed meanwhile");
        await keepContents(parts, rehearsed, rehearsed.files);
        const what = { ...rehearsed, turnId, ...noSteps };
        await goForth(threadId, what);
      }),
    lastHome: (threadId) => store.last(threadId, true),
    reverse: (threadId, id, by) =>
      atRest(threadId, async () => {
        const takeBack = [store.last(threadId), store.last(threadId, true)].find((one) => one?.id === id);
        if (takeBack === undefined) throw new StaleFileError(threadId, "has another way back by now");
        if (isStuck(conversation, takeBack))
          throw new ContractError("conflict", "The conversation went on since, so this stays undone.");
        const talk = talkOf(takeBack);
        if (talk && !(await conversation.isKept(talk)))
          throw new ContractError("conflict", "What the agent knew was pruned, so this stays undone.");
        await keepContents(parts, takeBack.what, reversed(takeBack.what.files));
        await commitDurably(() => store.beginBack(takeBack, by));
        await go({ ...takeBack, what: { ...takeBack.what, by } }, "back");
        return takeBack;
      }),
    recover: () => inTurn(() => finishLeft(parts)),
    checkpointsOf: (threadId) =>
      store.ofThread(threadId).flatMap(({ what }) => what.conversation?.from ?? []),
    forget: (threadId) =>
      inTurn(async () => {
        const hashes = new Set(journal.forget(threadId));
        for (const takeBack of store.ofThread(threadId)) {
          for (const hash of contentsOf(takeBack)) hashes.add(hash);
          store.remove(takeBack.id);
        }
        for (const hash of hashes) await parts.blobs.delete(hash);
      }),
  };
}

/** What was lost or damaged where it was kept is named from now on, so that the others come back. */
const giveUpIn =
  (journal: StepJournal, threadId: ThreadId, first: number) =>
  ({ path, to }: ComesBack): void => {
    for (const file of journal.filesSince(threadId, first))
      if (file.path === path && file.before?.hash === to?.hash) journal.giveUp(file.step, path);
  };

/** What a full disk refused is tried again after so long. */
const againMs = 1_000;

/** Goes ways, and puts back later what could not be put back where one was refused. */
function createWays(parts: TakeBackParts, inTurn: ReturnType<typeof oneByOne>) {
  const putBackLater = () => void setTimeout(putBack, againMs).unref();
  const putBack = async () => {
    if (parts.database.open && !(await inTurn(() => putBackRefused(parts)))) putBackLater();
  };
  return async (takeBack: TakeBack, way: "forth" | "back") => {
    try {
      await goWay(parts, takeBack, way);
    } catch (error) {
      putBackLater();
      throw error;
    }
  };
}

/** @returns whether nothing is left that was refused and not put back */
async function putBackRefused(parts: TakeBackParts): Promise<boolean> {
  let isDone = true;
  for (const takeBack of parts.store.underway()) {
    const way = refusedWayOf(takeBack);
    if (way === undefined) continue;
    await parts
      .atRest(takeBack.threadId, () => refuseWay(parts, takeBack, way))
      .catch(() => {
        isDone = false;
      });
  }
  return isDone;
}

function refusedWayOf({ state }: TakeBack): "forth" | "back" | undefined {
  if (state === "forthRefused") return "forth";
  return state === "backRefused" ? "back" : undefined;
}

async function finishLeft(parts: TakeBackParts): Promise<LeftTakeBack[]> {
  const { store } = parts;
  const ends: LeftTakeBack[] = [];
  for (const takeBack of store.underway()) {
    const refused = refusedWayOf(takeBack);
    const left: string[] = [];
    const finished = await (refused
      ? refuseWay(parts, takeBack, refused, left).then(() => false)
      : goWay(parts, takeBack, takeBack.state === "back" ? "back" : "forth", left).then(() => true)
    ).catch(() => false);
    const isUnderway = () => store.underway().some(({ id }) => id === takeBack.id);
    ends.push({ takeBack, end: finished ? "finished" : isUnderway() ? "underway" : "undone", left });
  }
  return ends;
}

async function plan(parts: TakeBackParts, place: TurnPlace): Promise<Planned> {
  const { journal } = parts;
  const { threadId, turnId, root, executionId } = place;
  const first = executionId ? journal.stepOf(threadId, executionId) : journal.firstSince(threadId, turnId);
  const firstStep = first ?? Number.MAX_SAFE_INTEGER;
  const files = journal.filesSince(threadId, firstStep);
  const partly = journal.partlyKnown(threadId, firstStep);
  const lastStep = journal.lastOf(threadId);
  const wishes = joinSteps(files);
  const there = await lookNow(root, wishes.values());
  const { back, stays } = planTakeBack(wishes, (wish: Wish) => there.get(wish.path)!);
  // Of what the agent knew in the middle of a turn nothing is kept, so from a call on it forgets the whole turn.
  const conversation: ConversationPlan = await parts.conversation.plan(threadId, turnId);
  const shown = { back, stays, partly, conversation };
  return { ...shown, firstStep, lastStep, digest: digestOf(place, shown) };
}

/** A turn that was cut off ends first, which changes how the thread stands. */
async function endAndPlan(parts: TakeBackParts, { threadId, turnId }: TurnPlace) {
  await parts.endCutOff(threadId);
  const { back } = await parts.conversation.plan(threadId, turnId);
  if (!back) throw new ContractError("conflict", "The conversation cannot be taken back any more.");
  return back;
}

function isStuck(conversation: Conversation, takeBack: TakeBack): boolean {
  const talk = talkOf(takeBack);
  return talk !== undefined && conversation.wentOn(talk);
}
