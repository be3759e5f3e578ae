/** Decides what becomes of a tool call: the agent's configuration, the policy and the auto-approve switch, strictest first. */
import type { DecidedBy, Verdict } from "../../shared/contract/decisions.ts";
import type { GatedCall, Route } from "../agents/gate-ports.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import { parseCommandRule } from "../policy/command-rule.ts";
import { riskOf } from "../policy/risk.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { askDefault, readInterruptRule } from "./interrupt-rule.ts";
import type { ToolPolicy } from "./tool-policy.ts";

export type Judge = {
  route(call: GatedCall, thread: ThreadRow): Promise<Route>;
  /** For a file change: the diff against the disk as it is now. */
  draw(
    call: GatedCall,
    route: Extract<Route, { kind: "ask" }>,
    thread: ThreadRow,
  ): Promise<Extract<Route, { kind: "ask" }>>;
  edited(
    call: GatedCall,
    args: Record<string, unknown>,
    thread: ThreadRow,
  ): Promise<{ denied: string | undefined; verdict: Verdict }>;
};

/** What happens to a call that would need a person where there is none. */
export type Unattended = {
  /** Asks are put into the queue instead of being refused. */
  park: boolean;
  allowWrites: boolean;
  /** Token prefixes of the only commands that may run; empty refuses every command. */
  shellAllowList: string[][];
};

/** Tools without an effect of their own; what a sub-agent does passes the gate itself. */
const freeTools = new Set(["write_todos", "ask_human", "task"]);
const writeTools = new Set(["write_file", "edit_file", "delete"]);

export function createJudge(
  policy: ToolPolicy,
  autoApprove: AutoApproveSwitch,
  unattended?: Unattended,
): Judge {
  async function judgeAll(call: GatedCall, thread: ThreadRow): Promise<Route> {
    const configured = readInterruptRule(call.rule, call.args);
    if (freeTools.has(call.tool) && (configured === "policy" || configured === "run"))
      return { kind: "free" };
    const judged = await policy.judge(call.tool, call.args, thread);
    const { verdict, cwd } = judged;
    if (verdict.verdict === "deny")
      return { kind: "refuse", verdict, cwd, message: refusalText(call, verdict) };
    if (judged.readsOnly && verdict.verdict === "safe" && (configured === "policy" || configured === "run"))
      return { kind: "free" };
    const asks =
      verdict.verdict === "ask" ||
      typeof configured === "object" ||
      (configured === "policy" && verdict.verdict === "new");
    if (!asks) return { kind: "run", verdict, by: passedBy(verdict), cwd };
    if (verdict.verdict !== "ask" && autoApprove.spend(thread.id, call.itemId))
      return { kind: "run", verdict, by: { kind: "auto-approve" }, cwd };
    const { allowed, description, argsSchema } = typeof configured === "object" ? configured : askDefault;
    const { subject, shape, baseHash } = await policy.describe(call.tool, call.args, thread, verdict);
    return {
      kind: "ask",
      verdict,
      risk: riskOf(verdict.verdict),
      cwd,
      subject,
      shape,
      baseHash,
      allowed,
      description,
      argsSchema: argsSchema ?? call.argsSchema,
    };
  }

  return {
    async route(call, thread) {
      const route = await judgeAll(call, thread);
      return unattended ? withoutPerson(call, route, unattended) : route;
    },
    async draw(call, route, thread) {
      if (route.subject.kind !== "file") return route;
      return { ...route, ...(await policy.describe(call.tool, call.args, thread, route.verdict)) };
    },
    async edited(call, args, thread) {
      const { verdict } = await policy.judge(call.tool, args, thread);
      return {
        verdict,
        denied: verdict.verdict === "deny" ? refusalText({ ...call, args }, verdict) : undefined,
      };
    },
  };
}

function passedBy(verdict: Verdict): DecidedBy {
  const ruleIds = verdict.units.flatMap((unit) => (unit.rule ? [unit.rule] : []));
  return verdict.verdict === "covered" && ruleIds.length > 0
    ? { kind: "rule", ruleIds: [...new Set(ruleIds)] }
    : { kind: "policy" };
}

/** Nobody is there: what neither a rule nor an option allows is refused, in words the model can act on. */
function withoutPerson(call: GatedCall, route: Route, unattended: Unattended): Route {
  if (route.kind === "free" || route.kind === "refuse") return route;
  const { verdict, cwd } = route;
  const { park, allowWrites, shellAllowList } = unattended;
  const byOption = { kind: "run" as const, verdict, by: { kind: "unattended" as const }, cwd };
  if (call.tool === "execute") {
    if (route.kind === "run" && route.by.kind === "rule") return route;
    if (verdict.verdict !== "ask" && verdict.units.every((unit) => isListed(unit, shellAllowList)))
      return byOption;
  } else {
    if (route.kind === "run") return route;
    if (allowWrites && writeTools.has(call.tool) && verdict.verdict === "new") return byOption;
  }
  if (park && route.kind === "ask") return route;
  return { kind: "refuse", verdict, cwd, message: unattendedRefusal(call.tool, shellAllowList) };
}

/** Covered by a rule, or a plain command that begins with a listed prefix, token by token. */
function isListed(unit: Verdict["units"][number], list: string[][]): boolean {
  if (unit.verdict === "ask" || unit.verdict === "deny") return false;
  if (unit.verdict === "covered") return true;
  const parsed = parseCommandRule(unit.text);
  return "tokens" in parsed && list.some((prefix) => prefix.every((token, i) => parsed.tokens[i] === token));
}

function unattendedRefusal(tool: string, shellAllowList: string[][]): string {
  const listed = shellAllowList.map((tokens) => tokens.join(" ")).join(", ");
  if (tool === "execute")
    return listed === ""
      ? "Refused: commands are switched off in this run. Work with the file tools, or report what you would have run."
      : `Refused: nobody is there to approve this command. Only these run here: ${listed}. Use one of them, or report what you would have run.`;
  if (writeTools.has(tool))
    return "Refused: files are not changed in this run. Report the change you would make instead.";
  return `Refused: this ${tool} call would need a person, and none is there. Go on without it and say so in your report.`;
}

function refusalText(call: GatedCall, verdict: Verdict): string {
  const reasons = verdict.units.filter((unit) => unit.verdict === "deny").map((unit) => unit.reason);
  return `Refused: this ${call.tool} call is never allowed (${[...new Set(reasons)].join("; ")}). Do not try it in another form; do the task without it, or explain what you need.`;
}
