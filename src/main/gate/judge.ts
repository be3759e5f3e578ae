/** Decides what becomes of a tool call: the agent's configuration, the policy and the auto-approve switch, strictest first. */
import type { ShellKind } from "../../shared/command-shell.ts";
import type { CardOrigin } from "../../shared/contract/approvals.ts";
import type { DecidedBy, Verdict, Width } from "../../shared/contract/decisions.ts";
import { kindOf } from "../../shared/tools/tools.ts";
import { reachesBeyond } from "../../shared/width.ts";
import type { AutoApproveSwitch } from "../approvals/auto-approve.ts";
import { riskOf } from "../policy/verdict.ts";
import { widthOf } from "../policy/width-of.ts";
import type { UncoveredCommands } from "../rules/uncovered-commands.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { ThreadRow, ThreadStore } from "../threads/thread-store.ts";
import { explainUnable } from "../tools/file-card.ts";
import { baseOfTool } from "../tools/shown-base.ts";
import type { ToolPolicy } from "../tools/tool-policy.ts";
import type { AskRoute, GatedCall, Route, RunRoute, Unable } from "./call.ts";
import { askDefault, readInterruptRule } from "./interrupt-rule.ts";
import type { RouteStore } from "./route-store.ts";
import { describeNewFace } from "./tool-face.ts";
import { type Unattended, withoutPerson } from "./unattended.ts";

type Confinable = {
  /** Absent for what is no command. */
  width?: Width;
  lacking?: string;
  /** There is a sandbox, and the command needs more than it gives. */
  beyond?: boolean;
};

export type Judge = {
  route(call: GatedCall, thread: ThreadRow): Promise<Route>;
  /** The card against the disk, and the server's tool, as they are now. */
  draw(call: GatedCall, route: AskRoute, thread: ThreadRow): Promise<AskRoute | Unable>;
  /** Asks about a call that was let through and, for this reason, is not let through any more. */
  askInstead(call: GatedCall, route: RunRoute, width: Width | undefined, why: string): AskRoute;
  /** Whether what let a call through only because it is confined still holds: the switch, the trust, the sandbox. */
  mayStillRun(call: GatedCall, route: RunRoute, thread: ThreadRow): Promise<boolean>;
  /** With the rules of now and the arguments as they are about to be used. */
  again(
    call: Pick<GatedCall, "tool">,
    args: Record<string, unknown>,
    thread: ThreadRow,
  ): Promise<{ denied: string | undefined; verdict: Verdict }>;
};

export type JudgeParts = {
  policy: ToolPolicy;
  shell: ShellKind;
  autoApprove: AutoApproveSwitch;
  sandbox: Pick<Sandbox, "mode" | "ready" | "folders">;
  /** What of a call the person did not write, once text of others was read in its thread. */
  originsOf(call: GatedCall): Promise<CardOrigin[]>;
  /** Says which commands run confined instead of being asked about; without it none does. */
  uncovered?: Pick<UncoveredCommands, "widthUnasked">;
  /** Set where no person is there to ask. */
  unattended?: Unattended;
};

/** Judges without a memory of its own: what it says is for the journal to keep (I4). */
export function createJudge(parts: JudgeParts): Judge {
  const { policy, shell, sandbox, unattended } = parts;
  return {
    async route(call, thread) {
      const route = await judgeCall(parts, call, thread);
      if (unattended === undefined) return route;
      const without = withoutPerson(call, route, unattended, shell);
      const isRefused =
        "width" in without && without.kind === "run" && isOnlyConfined(sandbox, without.width);
      return isRefused
        ? { kind: "refuse", verdict: without.verdict, cwd: without.cwd, message: onlyConfined }
        : without;
    },
    draw: (call, route, thread) => draw(policy, call, route, thread),
    askInstead: (call, { verdict, cwd }, width, why) =>
      toAsk(call, { verdict, cwd, width, description: why }),
    async mayStillRun(call, { by, verdict, width }, thread) {
      return by.kind !== "confined" || (await widthUnasked(parts, call, verdict, thread)) === width;
    },
    async again(call, args, thread) {
      const { verdict } = await policy.judge(call.tool, args, thread);
      return { verdict, denied: verdict.verdict === "deny" ? refusalText(call, verdict) : undefined };
    },
  };
}

/**
 * Judges a call once and writes it down; after that it is read (I4).
 * @returns with it whether it was judged, and its card drawn, just now
 * @throws when the thread was deleted meanwhile
 */
export async function routeOf(
  { routes, judge, threads }: { routes: RouteStore; judge: Judge; threads: Pick<ThreadStore, "get"> },
  call: GatedCall,
): Promise<{ route: Route; isNew: boolean }> {
  const known = routes.find(call.key);
  if (known) return { route: known, isNew: false };
  const route = await judge.route(call, threads.get(call.threadId));
  // The thread may have been deleted meanwhile; nothing is written for one that is gone.
  threads.get(call.threadId);
  routes.add(call, route);
  return { route, isNew: true };
}

/** As if a person were there to ask. */
async function judgeCall(parts: JudgeParts, call: GatedCall, thread: ThreadRow): Promise<Route> {
  const { policy, autoApprove, sandbox } = parts;
  const configured = readInterruptRule(call.rule, call.args);
  const cwd = thread.workspace;
  if (policy.isFree(call.tool) && (configured === "policy" || configured === "run")) return { kind: "free" };
  const judged = await policy.judge(call.tool, call.args, thread, true);
  const { verdict } = judged;
  if (verdict.verdict === "deny")
    return { kind: "refuse", verdict, cwd, message: refusalText(call, verdict) };
  if (judged.readsOnly && verdict.verdict === "safe" && (configured === "policy" || configured === "run"))
    return { kind: "free", readPath: judged.readPath };
  const always = typeof configured === "object";
  const asks = verdict.verdict === "ask" || always || (configured === "policy" && verdict.verdict === "new");
  const { face } = call;
  const { width, lacking, beyond } = await confine(sandbox, call, verdict);
  if (asks && !always) {
    const unasked = await widthUnasked(parts, call, verdict, thread);
    if (unasked) return { kind: "run", verdict, by: { kind: "confined" }, cwd, face, width: unasked };
  }
  if (lacking === undefined && !asks)
    return { kind: "run", verdict, by: passedBy(verdict), cwd, face, width };
  const origins = await parts.originsOf(call);
  if (lacking === undefined) {
    // Who is told to ask always asks also while the switch is on; it may be that nobody is allowed to approve.
    // It passes only what is confined, where there is a sandbox, and nothing that others may have put into it.
    const isLeased = !always && !beyond && verdict.verdict !== "ask" && origins.length === 0;
    if (isLeased && autoApprove.spend(thread.id, call.itemId))
      return { kind: "run", verdict, by: { kind: "auto-approve" }, cwd, face, width };
  }
  const { allowed, description, argsSchema } = always ? configured : askDefault;
  const asked = toAsk(call, {
    verdict,
    cwd,
    width,
    allowed,
    description:
      [description, !asks && lacking && explainLacking(lacking)].filter(Boolean).join("\n") || undefined,
    argsSchema: argsSchema ?? call.argsSchema,
    origins,
    always,
  });
  const drawn = await draw(policy, call, asked, thread, judged.shape);
  return "unable" in drawn ? { kind: "unable", message: drawn.unable } : drawn;
}

/** How far the command may reach, and why nobody can be left unasked about it although it would be. */
async function confine(
  sandbox: JudgeParts["sandbox"],
  call: GatedCall,
  verdict: Verdict,
): Promise<Confinable> {
  if (kindOf(call.tool) !== "command") return {};
  const mode = sandbox.mode();
  if (mode === "off") return { width: "outside" };
  const probed = await sandbox.ready();
  const width = probed.usable ? widthOf(verdict, sandbox.folders()) : "outside";
  if (!isOnlyConfined(sandbox, width)) return { width, beyond: probed.usable && reachesBeyond(width) };
  return { width, lacking: probed.usable ? "it needs more than a sandbox gives" : probed.why };
}

/** How far a command may reach that runs although it would be asked about; undefined where it is asked about. */
async function widthUnasked(
  { uncovered }: JudgeParts,
  call: Pick<GatedCall, "tool">,
  verdict: Verdict,
  thread: ThreadRow,
): Promise<Width | undefined> {
  return kindOf(call.tool) === "command" ? uncovered?.widthUnasked(verdict, thread) : undefined;
}

/** Commands run confined or not at all, and this one cannot be confined. */
function isOnlyConfined(sandbox: Pick<Sandbox, "mode">, width: Width | undefined): boolean {
  return sandbox.mode() === "require" && width === "outside";
}

function toAsk(
  call: GatedCall,
  how: Pick<AskRoute, "verdict" | "cwd" | "width"> & Partial<AskRoute>,
): AskRoute {
  return {
    kind: "ask",
    risk: riskOf(how.verdict.verdict),
    subject: { kind: "arguments" },
    shape: call.tool,
    baseHash: undefined,
    ...askDefault,
    argsSchema: call.argsSchema,
    face: call.face,
    always: false,
    ...how,
  };
}

async function draw(
  policy: ToolPolicy,
  call: GatedCall,
  route: AskRoute,
  thread: ThreadRow,
  shapeNow?: string,
): Promise<AskRoute | Unable> {
  const { tool, args, face } = call;
  const { subject, shape, baseHash, unable } = await policy.describe(
    tool,
    args,
    thread,
    route.verdict,
    shapeNow,
  );
  if (unable?.tellable) return { unable: unable.why };
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

/** Only what is confined is to run unasked, and this cannot be. */
function explainLacking(why: string): string {
  return `This would run unasked, but cannot be confined: ${why}. It is asked about, since your settings let nothing run unasked outside of the sandbox.`;
}

const onlyConfined =
  "Refused: in this run commands run confined or not at all, and this one cannot be confined here. Go on without it, or report what you would have run.";

function passedBy(verdict: Verdict): DecidedBy {
  const ruleIds = verdict.units.flatMap((unit) => (unit.rule ? [unit.rule] : []));
  return verdict.verdict === "covered" && ruleIds.length > 0
    ? { kind: "rule", ruleIds: [...new Set(ruleIds)] }
    : { kind: "policy" };
}

function refusalText(call: Pick<GatedCall, "tool">, verdict: Verdict): string {
  const reasons = verdict.units.filter((unit) => unit.verdict === "deny").map((unit) => unit.reason);
  return `Refused: this ${call.tool} call is never allowed (${[...new Set(reasons)].join("; ")}). Do not try it in another form; do the task without it, or explain what you need.`;
}
