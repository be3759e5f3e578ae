/** The thread in which commands are judged: a long text, a search of many folders and the readers of bash take their time. */
import { parentPort } from "node:worker_threads";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { styleOfCommands } from "../paths/own-style.ts";
import { findConfined } from "../policy/bounded/find-confined.ts";
import { lookAtDisk } from "../policy/disk.ts";
import { judgeCommand } from "../policy/judge-command.ts";
import { mineRules } from "../policy/mine-rules.ts";
import type { CommandRule, PolicyContext } from "../policy/policy-context.ts";
import { type PastRequest, previewRule } from "../policy/preview-rule.ts";
import { proposeRule } from "../policy/propose-rule.ts";
import { findReach } from "../policy/reach.ts";
import { commandShape } from "./command-shape.ts";

const judgements = {
  judge: (context: PolicyContext, command: string) => judgeCommand(command, context),
  shape: (context: PolicyContext, command: string) => commandShape(command, context),
  propose: (context: PolicyContext, command: string) => proposeRule(command, context),
  preview: (context: PolicyContext, rule: CommandRule, past: readonly PastRequest[]) =>
    previewRule(rule, past, context),
  confined: (context: PolicyContext, past: readonly PastRequest[]) => findConfined(past, context),
  mine: (context: PolicyContext, past: readonly PastRequest[], declined: readonly string[]) =>
    mineRules(past, context, (text) => declined.includes(text)),
  reach: (context: PolicyContext, subject: Subject, verdict: Verdict) => findReach(subject, verdict, context),
};

/** What can be asked of this thread, by name. */
export type Judgements = typeof judgements;

/** A context without the looks at the disk, which the thread takes itself. */
export type JudgingFacts = Omit<PolicyContext, keyof ReturnType<typeof lookAtDisk>>;

export type Asked = { id: number; kind: keyof Judgements; facts: JudgingFacts; args: unknown[] };

/** `answer` is undefined when there is none. */
export type Answered = { id: number; answer: unknown };

function answer({ kind, facts, args }: Asked): unknown {
  const paths = styleOfCommands(process.platform, facts.shell);
  const context: PolicyContext = { ...facts, ...lookAtDisk(facts.workspace, paths, facts.home) };
  const judge = judgements[kind] as (context: PolicyContext, ...args: unknown[]) => unknown;
  return judge(context, ...args);
}

parentPort?.on("message", (asked: Asked) => {
  try {
    parentPort?.postMessage({ id: asked.id, answer: answer(asked) } satisfies Answered);
  } catch {
    // Nothing is known of what could not be judged; whoever asked takes that for a reason to ask a person.
    parentPort?.postMessage({ id: asked.id, answer: undefined } satisfies Answered);
  }
});
