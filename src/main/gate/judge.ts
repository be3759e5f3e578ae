/** Decides what becomes of a tool call: the agent's configuration, the policy and the auto-approve switch, strictest first. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { DecidedBy, Verdict } from "../../shared/contract/decisions.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import { parseCommandRule } from "../policy/command-rule.ts";
import { riskOf } from "../policy/verdict.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import { explainUnable } from "../tools/file-card.ts";
import { baseOfTool } from "../tools/shown-base.ts";
import type { ToolPolicy } from "../tools/tool-policy.ts";
import type { AskRoute, GatedCall, Route, Unable } from "./call.ts";
import { askDefault, readInterruptRule } from "./interrupt-rule.ts";
import { describeNewFace } from "./tool-face.ts";

export type Judge = {
  route(call: GatedCall, thread: ThreadRow): Promise<Route>;
  /** The card against the disk, and the server's tool, as they are now. */
  draw(call: GatedCall, route: AskRoute, thread: ThreadRow): Promise<AskRoute | Unable>;
  /** With the rules of now and the arguments as they are about to be used. */
  again(
    call: Pick<GatedCall, "tool">,
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

export function createJudge(
  policy: ToolPolicy,
  shell: ShellKind,
  autoApprove: AutoApproveSwitch,
  unattended?: Unattended,
): Judge {
  async function judgeAll(call: GatedCall, thread: ThreadRow): Promise<Route> {
    const configured = readInterruptRule(call.rule, call.args);
    const cwd = thread.workspace;
    if (policy.isFree(call.tool) && (configured === "policy" || configured === "run"))
      return { kind: "free" };
    const judged = await policy.judge(call.tool, call.args, thread);
    const { verdict } = judged;
    if (verdict.verdict === "deny")
      return { kind: "refuse", verdict, cwd, message: refusalText(call, verdict) };
    if (judged.readsOnly && verdict.verdict === "safe" && (configured === "policy" || configured === "run"))
      return { kind: "free", readPath: judged.readPath };
    const always = typeof configured === "object";
    const asks =
      verdict.verdict === "ask" || always || (configured === "policy" && verdict.verdict === "new");
    const { face } = call;
    if (!asks) return { kind: "run", verdict, by: passedBy(verdict), cwd, face };
    // Who is told to ask always asks also while the switch is on; it may be that nobody is allowed to approve.
    if (!always && verdict.verdict !== "ask" && autoApprove.spend(thread.id, call.itemId))
      return { kind: "run", verdict, by: { kind: "auto-approve" }, cwd, face };
    const { allowed, description, argsSchema } = always ? configured : askDefault;
    const asked: AskRoute = {
      kind: "ask",
      verdict,
      risk: riskOf(verdict.verdict),
      cwd,
      subject: { kind: "arguments" },
      shape: call.tool,
      baseHash: undefined,
      allowed,
      description,
      argsSchema: argsSchema ?? call.argsSchema,
      face,
      always,
    };
    const drawn = await draw(call, asked, thread);
    return "unable" in drawn ? { kind: "unable", message: drawn.unable } : drawn;
  }

  async function draw(call: GatedCall, route: AskRoute, thread: ThreadRow): Promise<AskRoute | Unable> {
    const { subject, shape, baseHash, unable } = await policy.describe(
      call.tool,
      call.args,
      thread,
      route.verdict,
    );
    if (unable?.tellable) return { unable: unable.why };
    const { face } = call;
    const changed = face && route.face && face.digest !== route.face.digest;
    const notes = [
      route.description,
      unable && explainUnable(unable.why),
      changed && describeNewFace(route.face!, face),
    ];
    return {
      ...route,
      subject,
      shape,
      baseHash: face ? baseOfTool(face.digest) : baseHash,
      description: notes.filter(Boolean).join("\n") || undefined,
    };
  }

  return {
    async route(call, thread) {
      const route = await judgeAll(call, thread);
      return unattended ? withoutPerson(call, route, unattended, shell) : route;
    },
    draw,
    async again(call, args, thread) {
      const { verdict } = await policy.judge(call.tool, args, thread);
      return { verdict, denied: verdict.verdict === "deny" ? refusalText(call, verdict) : undefined };
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
function withoutPerson(call: GatedCall, route: Route, unattended: Unattended, shell: ShellKind): Route {
  if (route.kind === "free" || route.kind === "refuse" || route.kind === "unable") return route;
  const { verdict, cwd, face } = route;
  const { park, allowWrites, shellAllowList } = unattended;
  const byOption = { kind: "run" as const, verdict, by: { kind: "unattended" as const }, cwd, face };
  const always = route.kind === "ask" && route.always;
  if (always) {
    // An agent that asks about this always does not take an option for the answer.
  } else if (kindOf(call.tool) === "command") {
    if (route.kind === "run" && route.by.kind === "rule") return route;
    if (verdict.verdict !== "ask" && verdict.units.every((unit) => isListed(unit, shellAllowList, shell)))
      return byOption;
  } else {
    if (route.kind === "run") return route;
    if (allowWrites && kindOf(call.tool) === "change" && verdict.verdict === "new") return byOption;
  }
  if (park && route.kind === "ask") return route;
  return { kind: "refuse", verdict, cwd, message: unattendedRefusal(call.tool, shellAllowList) };
}

/** Covered by a rule, or a plain command that begins with a listed prefix, token by token. */
function isListed(unit: Verdict["units"][number], list: string[][], shell: ShellKind): boolean {
  if (unit.verdict === "ask" || unit.verdict === "deny") return false;
  if (unit.verdict === "covered") return true;
  const parsed = parseCommandRule(unit.text, shell);
  return "tokens" in parsed && list.some((prefix) => prefix.every((token, i) => parsed.tokens[i] === token));
}

function unattendedRefusal(tool: string, shellAllowList: string[][]): string {
  const listed = shellAllowList.map((tokens) => tokens.join(" ")).join(", ");
  if (kindOf(tool) === "command")
    return listed === ""
      ? "Refused: commands are switched off in this run. Work with the file tools, or report what you would have run."
      : `Refused: nobody is there to approve this command. Only these run here: ${listed}. Use one of them, or report what you would have run.`;
  if (kindOf(tool) === "change")
    return "Refused: files are not changed in this run. Report the change you would make instead.";
  return `Refused: this ${tool} call would need a person, and none is there. Go on without it and say so in your report.`;
}

function refusalText(call: Pick<GatedCall, "tool">, verdict: Verdict): string {
  const reasons = verdict.units.filter((unit) => unit.verdict === "deny").map((unit) => unit.reason);
  return `Refused: this ${call.tool} call is never allowed (${[...new Set(reasons)].join("; ")}). Do not try it in another form; do the task without it, or explain what you need.`;
}
