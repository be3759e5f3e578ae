/** What was let through for being confined is looked at once more when it starts. */
import { expect, it } from "vitest";
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
  const sandbox = { mode: () => "auto" as const, ready: async () => ({ usable: false as const, why: "" }) };
  const judge = createJudge({ policy: nothing, shell: "bash", autoApprove: nothing, sandbox, uncovered });
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
