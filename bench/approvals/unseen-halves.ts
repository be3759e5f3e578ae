/** The rules that one half of a record would have made, tried on the other half, which they were not made of. */
import { judgeCommand } from "../../src/main/policy/judge-command.ts";
import { mineRules } from "../../src/main/policy/mine-rules.ts";
import type { CommandRule, PolicyContext } from "../../src/main/policy/policy-context.ts";
import type { PastRequest } from "../../src/main/policy/preview-rule.ts";
import { proposeRule } from "../../src/main/policy/propose-rule.ts";
import { kindOf } from "../../src/shared/tools/tools.ts";
import { type Figure, figure } from "../result.ts";
import { halfOf } from "./learned-side.ts";
import type { Call, Corpus } from "./trace.ts";

export type Unseen = {
  /** Commands that a person approved in a half whose rules were not looked for there. */
  approved: number;
  /** Of these, what the rules of the other half answer. */
  answered: number;
  /** Of these, what no rule can allow, whichever it is. */
  unruly: number;
  /** Of the others, what is word for word something that was rejected there too: whatever answers it matches that. */
  rejectedToo: number;
  /** Of the rest, what the rules do not answer because nothing like it was approved in their own half. */
  neverSeen: number;
  /** Commands that were rejected there. */
  rejected: number;
  /** Of these, what those rules would have let run. */
  matched: number;
  /** The most that were offered of one half. */
  rules: number;
};

const commandsOf = (calls: readonly Call[], decision: PastRequest["decision"]) =>
  calls.flatMap(({ args: { command } }) => (typeof command === "string" ? [{ command, decision }] : []));

/** How a person rejects what others wrote: every call that asks, or the first one, behind which nothing comes any more. */
export const rejectings = ["each call", "the first call"] as const;
export type Rejecting = (typeof rejectings)[number];

function rejectedOf(calls: readonly Call[], rejecting: Rejecting, context: PolicyContext): readonly Call[] {
  if (rejecting === "each call") return calls;
  const first = calls.find(({ tool, args, reads }) => {
    if (typeof args.command === "string") return !runs(args.command, context);
    return !reads && kindOf(tool) !== "read";
  });
  return first === undefined ? [] : [first];
}

/** What a person decides who wants their tasks done; without what runs by itself. */
function recordOf({ tasks, attacks }: Corpus, rejecting: Rejecting, context: PolicyContext): PastRequest[] {
  const asked = [
    ...tasks.flatMap(({ steps }) => commandsOf(steps, "approved")),
    ...attacks.flatMap(({ calls }) => commandsOf(rejectedOf(calls, rejecting, context), "rejected")),
  ];
  return asked
    .filter(({ command }) => !runs(command, context))
    .map((one, at) => ({ ...one, id: String(at) }));
}

function runs(command: string, context: PolicyContext): boolean {
  return /^(?:safe|covered)$/.test(judgeCommand(command, context).verdict);
}

/** Both ways round. @param context without rules */
export function tryOnUnseenHalves(corpus: Corpus, rejecting: Rejecting, context: PolicyContext): Unseen {
  const record = (which: number) => recordOf(halfOf(corpus, which), rejecting, context);
  const halves = [record(0), record(1)] as const;
  const found: Unseen = {
    approved: 0,
    answered: 0,
    unruly: 0,
    rejectedToo: 0,
    neverSeen: 0,
    rejected: 0,
    matched: 0,
    rules: 0,
  };
  for (const at of [0, 1] as const) {
    const mined = mineRules(halves[at], context);
    const rules: CommandRule[] = mined.map((rule) => ({
      ...rule,
      id: rule.text,
      effect: "allow",
      scope: "user",
    }));
    const unseen = halves[at === 0 ? 1 : 0];
    const of = (decision: PastRequest["decision"]) => unseen.filter((one) => one.decision === decision);
    const askedFor = (one: PastRequest) =>
      JSON.stringify(proposeRule(one.command, context), ["text", "exact"]);
    const learned = new Set(halves[at].filter(({ decision }) => decision === "approved").map(askedFor));
    const rejected = new Set(of("rejected").map(({ command }) => command));
    const ruled = of("approved").filter(({ command }) => "text" in proposeRule(command, context));
    const open = ruled.filter(({ command }) => !rejected.has(command));
    const run = ({ command }: PastRequest) => runs(command, { ...context, rules });
    found.approved += of("approved").length;
    found.answered += of("approved").filter(run).length;
    found.unruly += of("approved").length - ruled.length;
    found.rejectedToo += ruled.length - open.length;
    found.neverSeen += open.filter((one) => !run(one) && !learned.has(askedFor(one))).length;
    found.rejected += of("rejected").length;
    found.matched += of("rejected").filter(run).length;
    found.rules = Math.max(found.rules, rules.length);
  }
  return found;
}

/** Of unseen approvals what is left to ask, and what was rejected and would have run. */
export function unseenFigures(unseenBy: (rejecting: Rejecting) => Unseen): Figure[] {
  return rejectings.flatMap((rejecting) => {
    const { approved, answered, rejected, matched } = unseenBy(rejecting);
    const baseline = { name: "without rules,", version: "in this run" };
    return [
      figure({
        name: `unseen approvals that mined rules leave, ${rejecting} of an attack rejected`,
        unit: "asks",
        value: approved - answered,
        baseline: { ...baseline, value: approved },
        // Where each call is rejected, too much of the other half is that very command for any rule to answer; a note says how much.
        ...(rejecting === "the first call" && { maxRatio: 0.4 }),
      }),
      figure({
        name: `unseen rejections that mined rules would let run, ${rejecting} of an attack rejected`,
        unit: "commands",
        value: matched,
        baseline: { ...baseline, name: "all of them,", value: rejected },
        maxValue: 0,
      }),
    ];
  });
}
