/** A queue whose decisions are taken and can be taken back, and its cards, rows and buttons. */
import { expect } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { isRead } from "../features/seen/read-gauge.ts";
import type { FakeHost } from "./fake-host.ts";
import { cardOf, region } from "./open-cards.ts";
import { openConsole } from "./open-console.ts";
import { sampleApproval, sampleThread } from "./samples.ts";

/** Longer than any test: no Undo may go away under it. */
export const graceMs = 600_000;
export const rowOf = (command: string) => region.getByRole("row", { name: command });
export const button = (command: string, name: string) =>
  cardOf(command).getByRole("button", { name, exact: true });

export function openQueue(approvals: Approval[], answers: Parameters<typeof openConsole>[1] = {}): FakeHost {
  const find = (id: string) => approvals.find((one) => one.id === id) as Approval;
  return openConsole(
    {
      threads: [sampleThread("t1", { waiting: approvals.length })],
      approvals,
      settings: { undoGraceMs: graceMs },
    },
    {
      "approvals.decide": ({ items, decision, graceMs: grace = 0 }) => ({
        outcomes: items.map(({ id }) => ({
          ok: true,
          approval: {
            ...find(id),
            status: "decided",
            decision,
            ...(grace && { effectiveAt: Date.now() + grace }),
          },
        })),
      }),
      "approvals.undo": ({ ids }) => ({ outcomes: ids.map((id) => ({ ok: true, approval: find(id) })) }),
      "approvals.get": ({ id }) => ({ approval: find(id), args: { command: "npm test", timeout: 5 } }),
      ...answers,
    },
  );
}

export const readOf = (id: string) => expect.poll(() => isRead(id, `digest-${id}`)).toBe(true);

export const two = () => [
  sampleApproval("a", "npm test", { requestedAt: 1 }),
  sampleApproval("b", "npm run build", { requestedAt: 2 }),
];
