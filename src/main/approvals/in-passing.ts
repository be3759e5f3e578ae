/** Which approvals may be decided from a notification: those of low risk whose whole text the person sees there. */
import type { ApprovalRow } from "./approval-row.ts";

/** A notification shows about as much without cutting it off. */
const mostCharacters = 100;
/** Nothing in it can hide, turn or pass for something else. */
const plain = /^[\x20-\x7e]+$/;

/** Only a short plain command of low risk that waits; everything else has to be looked at in the window. */
export function isDecidableInPassing(row: ApprovalRow): boolean {
  const { subject } = row;
  return (
    row.status === "pending" &&
    row.kind === "tool" &&
    row.risk === "low" &&
    subject.kind === "command" &&
    subject.command.length <= mostCharacters &&
    plain.test(subject.command) &&
    row.allowed.includes("approve") &&
    row.allowed.includes("reject")
  );
}
