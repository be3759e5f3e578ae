/** Has the host rehearse a command that waits; the card shows then what that found, and only a yes to that means it. */
import { create } from "zustand";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { describeError } from "../../base/words.ts";
import { noteProblem } from "./decide.ts";
import { toggled } from "./queue-store.ts";
import { rehearsalStrings as words } from "./rehearsal-strings.ts";

/** Cards whose command is being rehearsed. */
export const useRehearsing = create<{ ids: ReadonlySet<ApprovalId> }>(() => ({ ids: new Set() }));

/** Whether it is a command that waits, here where commands can be confined. */
export function mayRehearse({ kind, subject, status, verdict }: Approval): boolean {
  const isUsable = useHost.getState().host?.sandbox.state === "usable";
  const waits = kind === "tool" && subject.kind === "command" && status === "pending";
  return waits && isUsable && verdict.verdict !== "deny";
}

/** @param rehearsed false shows it as before. */
export async function rehearse({ id, digest }: Approval, rehearsed: boolean): Promise<void> {
  if (useRehearsing.getState().ids.has(id)) return;
  const mark = (on: boolean) => useRehearsing.setState(({ ids }) => ({ ids: toggled(ids, id, on) }));
  mark(true);
  try {
    const outcome = await client().call("approvals.rehearse", { id, digest, rehearsed });
    if (outcome.approval) useApprovals.getState().change([outcome.approval]);
    if (!outcome.ok) noteProblem(id, outcome.reason);
  } catch (error) {
    noteProblem(id, `${words.failed}: ${describeError(error)}`);
  } finally {
    mark(false);
  }
}
