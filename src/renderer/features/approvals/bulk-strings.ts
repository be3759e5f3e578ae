/** The words of what is decided about many at once. */
import type { Risk } from "../../../shared/contract/decisions.ts";

export const bulkStrings = {
  bulkTitle: (verb: "approve" | "reject", count: number) =>
    verb === "approve" ? `Approve ${count}?` : `Reject ${count}?`,
  bulkCounts: (counts: Record<Risk, number>) => {
    const said = (["low", "medium", "high"] as const).filter((risk) => counts[risk] > 0);
    return said.length === 0 ? "" : `${said.map((risk) => `${counts[risk]} ${risk}`).join(", ")} risk.`;
  },
  bulkListed: "What is decided",
  bulkUnread: "Look at the list to its end.",
  bulkStay: (count: number) => (count === 1 ? "1 stays" : `${count} stay`),
  whyStays: {
    gone: "It does not wait any more.",
    notAllowed: "It takes another kind of answer.",
    changed: "It changed just now.",
    beyond: "It leaves this machine or cannot be undone: decide it by itself.",
    highRisk: "High risk: decide it by itself.",
    responseFirst: "Its response is to be shown to you first: decide it by itself.",
    rehearsed: "It was rehearsed, and a yes means what that found: decide it by itself.",
    stale: "Its file changed: look again first.",
    unread: "Its card was not on the screen to its end.",
  },
  bulkChanged: (count: number) =>
    count === 1 ? "1 changed meanwhile and stays." : `${count} changed meanwhile and stay.`,
  bulkGo: (verb: "approve" | "reject", count: number) =>
    verb === "approve" ? `Approve ${count}` : `Reject ${count}`,
  bulkDone: (verb: "approve" | "reject", count: number) =>
    verb === "approve" ? `${count} approved.` : `${count} rejected.`,
  bulkFailed: (count: number) =>
    count === 1 ? "1 could not be decided." : `${count} could not be decided; what still waits says why.`,
  bulkOutcome: (what: string, reason: string) => `${what}: ${reason}`,
};
