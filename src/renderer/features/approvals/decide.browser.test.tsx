/** What a decision sends to the host and what it keeps for Undo: its functions alone, over a host that writes down what comes. */
import { beforeEach, expect, it, vi } from "vitest";
import type { Approval, DecideOutcome } from "../../../shared/contract/approvals.ts";
import { provideClient } from "../../base/client.ts";
import { useApprovals } from "../../base/stores/approvals-store.ts";
import { drawCard, look, queueByHand, readyCard, wait } from "../../testing/drawn-card.ts";
import { createFakeHost } from "../../testing/fake-host.ts";
import { sampleApproval } from "../../testing/samples.ts";
import { waiveReading } from "../seen/read-gauge.ts";
import { manyKey } from "../seen/read-list.tsx";
import { writtenKey } from "./card-form-name.ts";
import { decide, decideMany } from "./decide.ts";
import { digestOfMany, type Press } from "./decision-gate.ts";
import { armingMs, setDraft, setForm } from "./queue-store.ts";
import { submitRespond } from "./submit-form.ts";
import { useUndo } from "./undo.ts";

const key: Press = { by: "key" };

queueByHand();
beforeEach(() => useUndo.setState(useUndo.getInitialState(), true));

/** @param starts when each of one call starts; of each it is decided what was asked. */
function listen(starts = (at: number) => at, onCall = () => {}) {
  const host = createFakeHost(
    { threads: [], approvals: [] },
    {
      "approvals.decide": ({ items }) => {
        onCall();
        return {
          outcomes: items.map(({ id }, at): DecideOutcome => {
            const approval = { ...sampleApproval(id, "make"), status: "decided", effectiveAt: starts(at) };
            return { ok: true, approval: approval as Approval };
          }),
        };
      },
    },
  );
  provideClient(host.client);
  return () => host.inputsOf("approvals.decide");
}

/** Draws the list that a dialog shows of them, and looks at it. */
function readList(approvals: readonly Approval[]): void {
  useApprovals.getState().replace(approvals);
  drawCard({ ...(approvals[0] as Approval), id: manyKey, digest: digestOfMany(approvals) } as Approval);
  look();
}

/** Draws the field of a form, as long as what is written in it. */
function drawField({ id }: Approval, form: "respond", digest: string): HTMLElement {
  const field = drawCard({ ...sampleApproval("form", ""), id: writtenKey(id, form), digest } as Approval);
  field.style.top = "320px";
  return field;
}

it.each([
  ["nothing", [], 1],
  ["another key", [new KeyboardEvent("keydown", { key: "n" })], 0],
])("a press that waits for a glance is sent when %s follows it", async (_what, presses, times) => {
  const sent = listen();
  vi.advanceTimersByTime(armingMs);
  const approval = sampleApproval("a", "make", { risk: "low" });
  wait(approval);
  drawCard(approval);
  const decided = decide(approval, { type: "approve" }, key);
  for (const press of presses) window.dispatchEvent(press);
  await vi.advanceTimersByTimeAsync(300);
  expect([await decided, sent().length]).toEqual([times === 1, times]);
});

it("an answer in JSON is sent only once the field it is written in was read", async () => {
  const sent = listen();
  const question = { kind: "question", question: "Which?", wants: "json" };
  const approval = readyCard({ kind: "interrupt", subject: question });
  const text = '{"part": 2}';
  setForm(approval.id, "respond");
  setDraft(approval.id, "respond", text);
  await submitRespond(approval, key);
  expect(sent()).toEqual([]);
  drawField(approval, "respond", text);
  look();
  await submitRespond(approval, key);
  expect(sent()).toMatchObject([{ decision: { type: "respond", answer: { part: 2 } } }]);
});

it("what was written and only taken as read is not said to have been seen", async () => {
  const sent = listen();
  const approval = readyCard();
  const field = drawField(approval, "respond", "two");
  waiveReading(writtenKey(approval.id, "respond"), "two", field.querySelector("[data-text] *") as Element);
  await decide(approval, { type: "respond", answer: "two" }, key, "two");
  expect(sent()).toMatchObject([{ items: [{ seen: { inFull: false } }] }]);
});

it("of many, each is decided as it was listed, however it changes while others are sent", async () => {
  const approvals = Array.from({ length: 501 }, (_, at) => sampleApproval(`m${at}`, `make m${at}`));
  const last = approvals.at(-1) as Approval;
  const other = { ...last, digest: "other" as Approval["digest"] };
  const sent = listen(undefined, () => useApprovals.getState().change([other]));
  readList(approvals);
  await decideMany(approvals, { type: "approve" });
  expect(sent().flatMap(({ items }) => items.map(({ digest }) => digest))).toEqual(
    approvals.map(({ digest }) => digest),
  );
});

it("of many, nothing is decided before their list was read", async () => {
  const sent = listen();
  const approvals = ["a", "b"].map((id) => sampleApproval(id, `make ${id}`));
  useApprovals.getState().replace(approvals);
  await decideMany(approvals, { type: "approve" });
  expect(sent()).toEqual([]);
});

it("Undo of many is offered until the first of them starts", async () => {
  const now = Date.now();
  listen((at) => now + [90_000, 60_000, 120_000][at]!);
  const approvals = ["a", "b", "c"].map((id) => sampleApproval(id, `make ${id}`));
  readList(approvals);
  await decideMany(approvals, { type: "approve" });
  expect(useUndo.getState().entries.map(({ effectiveAt }) => effectiveAt)).toEqual([now + 60_000]);
});
