/** What was decided and cannot be taken back: its row keeps its place as long as that of one that can, so that none moves at a press. */
import { create } from "zustand";
import type { DecisionType } from "../../../shared/contract/decisions.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { useSettings } from "../../base/stores/settings-store.ts";

/** A person who wants a longer time to take back does not want to look at the others for as long. */
const mostMs = 3_000;

/** By its id, what became of it. */
export const useSettled = create<{ how: ReadonlyMap<ApprovalId, DecisionType> }>(() => ({ how: new Map() }));

export function keepSettled(ids: readonly ApprovalId[], type: DecisionType): void {
  const ms = Math.min(mostMs, useSettings.getState().settings.undoGraceMs);
  if (ids.length === 0 || ms <= 0) return;
  useSettled.setState(({ how }) => ({ how: new Map([...how, ...ids.map((id) => [id, type] as const)]) }));
  setTimeout(() => drop(ids), ms);
}

function drop(ids: readonly ApprovalId[]): void {
  useSettled.setState(({ how }) => ({ how: new Map([...how].filter(([id]) => !ids.includes(id))) }));
}
