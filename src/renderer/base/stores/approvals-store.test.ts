/** What waits stands in the order of asking, and what waits no more is gone. */
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { ApprovalId } from "../../../shared/ids.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { useApprovals } from "./approvals-store.ts";

const approval = (id: string, change: Partial<Approval> = {}) =>
  sampleApproval(id, `make ${id}`, { requestedAt: 1, ...change });
const store = () => useApprovals.getState();
const ids = () => store().pending.map(({ id }) => id);

beforeEach(() => useApprovals.setState(useApprovals.getInitialState(), true));

it("the calls of one message, asked at the same time, stand in the order their ids give them", () => {
  const placed = fc.shuffledSubarray(["0-z", "1-y", "2-x", "3-w", "4-v"], { minLength: 2 });
  fc.assert(
    fc.property(placed, fc.nat(), (arrived, split) => {
      const at = split % arrived.length;
      const [first, later] = [arrived.slice(0, at), arrived.slice(at)];
      store().replace(first.map((id) => approval(id)));
      store().change(later.map((id) => approval(id)));
      expect(ids()).toEqual([...arrived].sort());
    }),
    { numRuns: 50 },
  );
});

it("what was asked before stands before, whatever its id", () => {
  store().replace([approval("a", { requestedAt: 3 }), approval("b", { requestedAt: 2 })]);
  store().change([approval("c", { requestedAt: 1 }), approval("d", { requestedAt: 4 })]);
  expect(ids()).toEqual(["c", "b", "a", "d"]);
});

it("keeps only what waits, as it was told last", () => {
  const decided = { status: "decided" } as const;
  store().replace([approval("a"), approval("b", decided), approval("c")]);
  expect(ids()).toEqual(["a", "c"]);
  store().change([approval("a", { risk: "high" }), approval("c", decided), approval("d", decided)]);
  expect(store().pending).toEqual([approval("a", { risk: "high" })]);
  expect([...store().byId.keys()]).toEqual(["a"]);
  store().change([approval("e")], ["a" as ApprovalId]);
  expect(ids()).toEqual(["e"]);
  store().change([], ["e" as ApprovalId]);
  expect(ids()).toEqual([]);
});

it("a change of nothing is none", () => {
  store().replace([approval("a")]);
  const before = store();
  store().change([]);
  expect(store()).toBe(before);
});
