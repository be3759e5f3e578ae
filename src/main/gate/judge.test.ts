/** What was let through for being confined is looked at once more when it starts; the switch passes nothing of others. */
import { expect, it } from "vitest";
import type { CardOrigin } from "../../shared/contract/approvals.ts";
import type { Width } from "../../shared/contract/decisions.ts";
import type { ThreadRow } from "../threads/thread-store.ts";
import type { ToolPolicy } from "../tools/tool-policy.ts";
import type { GatedCall, RunRoute } from "./call.ts";
import { createJudge, type JudgeParts } from "./judge.ts";

const call = { tool: "execute" } as GatedCall;
const thread = { workspace: "/work" } as ThreadRow;
const verdict = { verdict: "new" as const, units: [] };
const nothing = {} as ToolPolicy & JudgeParts["autoApprove"];

/** @param width what is allowed now; the judge asks nothing else for this. */
function mayStillRun(by: RunRoute["by"]["kind"], width: Width | undefined) {
  const uncovered = { widthUnasked: async () => (width === "outside" ? undefined : width) };
  const sandbox = {
    mode: () => "auto" as const,
    folders: () => [],
    ready: async () => ({ usable: false as const, why: "" }),
  };
  const judge = createJudge({
    policy: nothing,
    shell: "bash",
    autoApprove: nothing,
    sandbox,
    uncovered,
    originsOf: async () => [],
  });
  const route: RunRoute = {
    kind: "run",
    verdict,
    by: { kind: by } as RunRoute["by"],
    cwd: "/work",
    face: undefined,
    width: "workspace",
  };
  return judge.mayStillRun(call, route, thread);
}

it("holds for the very width that was allowed and for no other", async () => {
  expect(await mayStillRun("confined", "workspace")).toBe(true);
  for (const width of [undefined, "read-only", "workspace and git"] as const)
    expect([width, await mayStillRun("confined", width)]).toEqual([width, false]);
  expect(await mayStillRun("policy", undefined)).toBe(true);
});

it("lets the switch pass only what holds nothing of others, and spends nothing of it on what does", async () => {
  let spent = 0;
  const spend = () => {
    spent += 1;
    return true;
  };
  const sandbox = {
    mode: () => "off" as const,
    folders: () => [],
    ready: async () => ({ usable: false as const, why: "" }),
  };
  const subject = { kind: "arguments" as const };
  const policy = {
    isFree: () => false,
    judge: async () => ({ verdict }),
    describe: async () => ({ subject, shape: "", baseHash: undefined, unable: undefined }),
  } as Partial<ToolPolicy> as ToolPolicy;
  const autoApprove = { spend } as Partial<JudgeParts["autoApprove"]> as JudgeParts["autoApprove"];
  const origin: CardOrigin = { argument: "to", start: 0, end: 1, what: "address", text: "x" };
  const route = (origins: CardOrigin[]) =>
    createJudge({ policy, shell: "bash", autoApprove, sandbox, originsOf: async () => origins }).route(
      { tool: "mcp__mail__send", args: {} } as GatedCall,
      thread,
    );
  expect(await route([origin])).toMatchObject({ kind: "ask", origins: [origin] });
  expect(spent).toBe(0);
  expect(await route([])).toMatchObject({ kind: "run", by: { kind: "auto-approve" } });
  expect(spent).toBe(1);
});

it("asks nobody what a sandbox would hold where none is wanted, and leaves nothing confined", async () => {
  const judged = { verdict: { verdict: "safe" as const, units: [] } };
  const policy = { isFree: () => false, judge: async () => judged } as Partial<ToolPolicy> as ToolPolicy;
  const sandbox = {
    mode: () => "off" as const,
    folders: () => [],
    ready: () => expect.fail("It was looked for."),
  };
  const judge = createJudge({
    policy,
    shell: "bash",
    autoApprove: nothing,
    sandbox,
    originsOf: async () => [],
  });
  expect(await judge.route({ tool: "execute", args: {} } as GatedCall, thread)).toMatchObject({
    ...{ kind: "run", width: "outside", by: { kind: "policy" } },
  });
});
