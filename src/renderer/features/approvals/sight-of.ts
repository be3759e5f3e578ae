/** What is sent with a decision about what was on the screen of it: seen in full or not, and for how long. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { DecisionType, Sight } from "../../../shared/contract/decisions.ts";
import { wasSeenInFull } from "../seen/read-gauge.ts";
import { manyKey } from "../seen/read-list.tsx";
import { viewedMs } from "../seen/viewing-time.ts";
import { digestOfMany, isToldByItsLine, toRead } from "./decision-gate.ts";

/** @param written what stands in the form and is sent with it. */
export function sightOf(approval: Approval, type: DecisionType, written?: string): Sight {
  const { id, digest } = approval;
  const parts = [{ key: id as string, digest }, ...toRead(approval, type, written)];
  return { inFull: parts.every((part) => wasSeenInFull(part.key, part.digest)), ms: viewedMs(id, digest) };
}

/** Of one that is decided from a list: the list shows a command or an address whole, anything else only its own card. */
export function sightInList(approval: Approval, listed: readonly Approval[]): Sight {
  const { id, digest } = approval;
  const list = digestOfMany(listed);
  const inList = isToldByItsLine(approval) && wasSeenInFull(manyKey, list);
  return {
    inFull: inList || wasSeenInFull(id, digest),
    ms: viewedMs(id, digest) + viewedMs(manyKey, list),
  };
}
