/** Finds the few rules that would have answered most of what a person approved, and nothing that they decided otherwise. */
import { judgeCommand } from "./judge-command.ts";
import type { CommandRule, PolicyContext } from "./policy-context.ts";
import type { PastRequest } from "./preview-rule.ts";
import { proposeRule } from "./propose-rule.ts";

/** `approved`: how many of the approved requests run with it and those before it that did not without it. */
export type MinedRule = Pick<CommandRule, "tokens" | "text"> & { exact: boolean; approved: number };

/** More are not read. */
const mostRules = 10;
/** One decision is none, two are chance. */
const enough = 3;

type Candidate = { rule: CommandRule; requests: PastRequest[] };

function runs({ command }: PastRequest, context: PolicyContext): boolean {
  const { verdict } = judgeCommand(command, context);
  return verdict === "safe" || verdict === "covered";
}

/** Each command is read once, until a rule that it asked for was chosen and another part of it may ask for one. */
type Proposals = Map<string, ReturnType<typeof proposeRule>>;

/** The rule proposed for each approved request that does not run yet, with all requests that ask for the same one. */
function findCandidates(
  open: readonly PastRequest[],
  context: PolicyContext,
  proposals: Proposals,
): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const request of open) {
    const proposal = proposals.get(request.command) ?? proposeRule(request.command, context);
    proposals.set(request.command, proposal);
    if (!("text" in proposal)) continue;
    const { tokens, exact, text } = proposal;
    const id = `mined:${JSON.stringify([text, exact])}`;
    // As the person's own, which holds also in a folder that is not trusted.
    const rule: CommandRule = { id, tokens, exact, text, effect: "allow", scope: "user" };
    const candidate = found.get(id) ?? { rule, requests: [] };
    candidate.requests.push(request);
    found.set(id, candidate);
  }
  return [...found.values()]
    .filter(({ requests }) => requests.length >= enough)
    .sort((a, b) => b.requests.length - a.requests.length);
}

/**
 * Chooses greedily, each rule together with those before it, since two can let a command pass that neither does alone.
 *
 * @param past of one folder, the newest first; requests that were neither approved nor rejected count as not wanted
 * @param isDeclined what the person said no to is not offered
 */
export function mineRules(
  past: readonly PastRequest[],
  context: PolicyContext,
  isDeclined: (text: string) => boolean = () => false,
): MinedRule[] {
  const chosen: MinedRule[] = [];
  const refused = new Set<string>();
  const proposals: Proposals = new Map();
  const isUnwanted = (one: PastRequest) => one.decision !== "approved" && !runs(one, context);
  const unwanted = [...new Map(past.filter(isUnwanted).map((one) => [one.command, one])).values()];
  let open = past.filter((one) => one.decision === "approved" && !runs(one, context));
  let now = context;

  function tryOut({ rule, requests }: Candidate): boolean {
    if (refused.has(rule.id) || isDeclined(rule.text)) return false;
    const then = { ...now, rules: [...now.rules, rule] };
    const answered = new Set(requests.filter((one) => runs(one, then)));
    if (answered.size < enough || unwanted.some((one) => runs(one, then))) {
      refused.add(rule.id);
      return false;
    }
    const { tokens, text, exact = false } = rule;
    chosen.push({ tokens, text, exact, approved: answered.size });
    open = open.filter((one) => !answered.has(one));
    now = then;
    for (const { command } of requests) proposals.delete(command);
    return true;
  }

  while (chosen.length < mostRules && findCandidates(open, now, proposals).some(tryOut));
  return chosen;
}
