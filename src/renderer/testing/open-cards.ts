/** A queue with cards whose details are answered, for tests of what cards show and take. */
import { expect, vi } from "vitest";
import { page } from "vitest/browser";
import type { Approval, FileDiff } from "../../shared/contract/approvals.ts";
import { isArmed, useQueue } from "../features/approvals/queue-store.ts";
import { openConsole } from "./open-console.ts";
import { sampleApproval, sampleThread } from "./samples.ts";

/** Where the cards stand. */
export const region = page.getByRole("region", { name: "Approvals" });

/** Of commands by their text, of other requests by their heading. */
export const cardOf = (name: string) => region.getByRole("article", { name });

/** Resolves when a press counts. While nothing is drawn it would be lost: what is armed then is a row of an earlier test. */
export const armed = () =>
  vi.waitFor(() => {
    expect(useQueue.getState().currentId).toBeDefined();
    expect(isArmed()).toBe(true);
  });

/** @param diff what each card of a file change shows @param args what each call was asked with */
export function openCards(approvals: Approval[], diff?: FileDiff, args: Record<string, unknown> = {}) {
  return openConsole(
    { threads: [sampleThread("t1", { waiting: approvals.length })], approvals },
    {
      "approvals.get": ({ id }) => ({
        approval: approvals.find((one) => one.id === id) as Approval,
        args,
        diff,
      }),
      "approvals.decide": ({ items, decision }) => ({
        outcomes: approvals
          .filter(({ id }) => items.some((item) => item.id === id))
          .map((approval) => ({ ok: true, approval: { ...approval, status: "decided", decision } })),
      }),
      "approvals.snooze": () => ({}),
    },
  );
}

/** A card of an edit of `a.ts`. */
export const fileCard = (change: Record<string, unknown> = {}) =>
  sampleApproval("f", "", {
    tool: "edit_file",
    subject: { kind: "file", operation: "edit", path: "a.ts", added: 1, removed: 1, stale: false },
    ...change,
  });
