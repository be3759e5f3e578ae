/** Has commands judged beside the host's own loop, so that no text and no folder holds up what else it does. */
import { AsyncLocalStorage } from "node:async_hooks";
import { Worker } from "node:worker_threads";
import type { Reach } from "../../shared/contract/approvals.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import { ContractError } from "../../shared/contract/errors.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { fileBeside } from "../base/file-beside.ts";
import { lookAtDisk } from "../policy/disk.ts";
import type { MinedRule } from "../policy/mine-rules.ts";
import type { CommandRule, PolicyContext } from "../policy/policy-context.ts";
import type { PastRequest, RulePreview } from "../policy/preview-rule.ts";
import type { RuleProposal } from "../policy/propose-rule.ts";
import type { Answered, Asked, JudgedCommand, Judgements, JudgingFacts } from "./judging-worker.ts";

/** The policy for commands. What cannot be judged asks. */
export type Judging = {
  /** Begins to load what it needs, so that the first command does not wait for it. */
  warmUp(): void;
  judge(command: string, context: PolicyContext): Promise<Verdict>;
  /** The same with what else its card says, where it may be asked about. */
  judgeForCard(command: string, context: PolicyContext): Promise<JudgedCommand>;
  /** What commands must have in common to be decided together; empty when nothing is known. */
  shape(command: string, context: PolicyContext): Promise<string>;
  propose(command: string, context: PolicyContext): Promise<RuleProposal>;
  /** What it would reach as things are now; of what cannot be looked up in time nothing is known. */
  reach(subject: Subject, verdict: Verdict, context: PolicyContext): Promise<Reach>;
  /** @throws ContractError `unavailable` */
  preview(rule: CommandRule, past: readonly PastRequest[], context: PolicyContext): Promise<RulePreview>;
  /** The ids of those that would have run confined instead of being asked about. @throws ContractError `unavailable` */
  confined(past: readonly PastRequest[], context: PolicyContext): Promise<string[]>;
  /** The few rules that would have answered most. @throws ContractError `unavailable` */
  mine(
    past: readonly PastRequest[],
    declined: readonly string[],
    context: PolicyContext,
  ): Promise<MinedRule[]>;
};

const workerFile = fileBeside(import.meta.url, "judging-worker.js");

/** A text on which the readers spend longer than this is given up, and the thread with it. */
const defaultLimitMs = 30_000;
const maxHeapMb = 256;
const unjudged = "This could not be judged.";
const notJudged = (text: string): Verdict => ({
  verdict: "ask",
  units: [{ text, verdict: "ask", reason: unjudged }],
});

/** @param file the thread's program; another one only in tests */
export function createJudging(limitMs = defaultLimitMs, file = workerFile): Judging {
  const { warmUp, ask } = createWorkerThread(limitMs, file);

  /** @throws ContractError `unavailable` when the thread did not answer. */
  async function need<K extends keyof Judgements>(
    what: string,
    kind: K,
    context: PolicyContext,
    ...args: unknown[]
  ): Promise<ReturnType<Judgements[K]>> {
    const answer = await ask(kind, context, ...args);
    if (answer === undefined) throw new ContractError("unavailable", `${what} could not be worked out.`);
    return answer;
  }

  return {
    warmUp,
    async judge(command, context) {
      return (await ask("judge", context, command)) ?? notJudged(command);
    },
    async judgeForCard(command, context) {
      const judged = await ask("judgeForCard", context, command);
      return judged ?? { verdict: notJudged(command), shape: "" };
    },
    shape: async (command, context) => (await ask("shape", context, command)) ?? "",
    propose: async (command, context) => (await ask("propose", context, command)) ?? { reason: unjudged },
    async reach(subject, verdict, context) {
      const found = await ask("reach", context, subject, verdict);
      return found ?? { facts: [], unknown: [], unknownAll: true };
    },
    preview: (rule, past, context) =>
      need("What this rule would have decided", "preview", context, rule, past),
    confined: (past, context) => need("What would have run confined", "confined", context, past),
    mine: (past, declined, context) =>
      need("The rules that would have answered you", "mine", context, past, declined),
  };
}

/** The thread itself: started when it is needed, given up with all that wait for it when it does not answer in time. */
function createWorkerThread(limitMs: number, file: typeof workerFile) {
  let newest = 0;
  /** What is made in a run keeps what the run knew for as long as it lives. */
  const outsideOfRuns = AsyncLocalStorage.snapshot();
  let current: Worker | undefined;
  const waiting = new Map<number, (answer: unknown) => void>();

  function giveUp(worker: Worker): void {
    if (current !== worker) return;
    current = undefined;
    for (const answer of waiting.values()) answer(undefined);
    waiting.clear();
    void worker.terminate();
  }

  function start(): Worker {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } });
    const gone = () => giveUp(worker);
    worker.on("message", ({ id, answer }: Answered) => waiting.get(id)?.(answer));
    worker.on("error", gone).on("exit", gone);
    // Last, because listening keeps the process alive.
    worker.unref();
    return worker;
  }

  function running(): Worker {
    current ??= outsideOfRuns(start);
    return current;
  }

  async function ask<K extends keyof Judgements>(
    kind: K,
    context: PolicyContext,
    ...args: unknown[]
  ): Promise<ReturnType<Judgements[K]> | undefined> {
    const worker = running();
    const { promise, resolve } = Promise.withResolvers<unknown>();
    newest += 1;
    const id = newest;
    waiting.set(id, resolve);
    // After a sleep the limit is over before the answer that is there was heard.
    const late = () => setImmediate(() => waiting.has(id) && giveUp(worker));
    const limit = setTimeout(late, limitMs);
    worker.postMessage({ id, kind, facts: factsOf(context), args } satisfies Asked);
    const answer = await promise;
    clearTimeout(limit);
    waiting.delete(id);
    return answer as ReturnType<Judgements[K]> | undefined;
  }

  return { warmUp: () => void running(), ask };
}

/** Whatever looks at the disk does not pass between threads. */
const looks: ReadonlySet<string> = new Set(Object.keys(lookAtDisk("/")));

function factsOf(context: PolicyContext): JudgingFacts {
  return Object.fromEntries(Object.entries(context).filter(([name]) => !looks.has(name))) as JudgingFacts;
}

/** One for the whole process: it remembers nothing from one command to the next. */
export const judging = createJudging();
