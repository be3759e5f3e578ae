import { expect, it } from "vitest";
import type { TurnId } from "../../shared/ids.ts";
import { toForeignQuestions } from "../agents/deep-agent/foreign-interrupts.ts";
import { openInMemory, threadId } from "../threads/testing/add-thread.ts";
import { answersFor } from "./answers.ts";
import type { ApprovalRow } from "./approval-row.ts";
import { createApprovalStore } from "./approval-store.ts";

const place = { threadId, turnId: "turn" as TurnId, cwd: "/work" };
const action = { name: "send", args: {} };

it("a batch is answered as a whole, and holds up nothing else", () => {
  const store = createApprovalStore(
    openInMemory(),
    () => 1_000,
    () => {},
  );
  const file = (id: string, value: unknown) =>
    toForeignQuestions(place, { id, value }).map((question) => store.ask(question).row);
  const decide = ({ id, digest }: ApprovalRow, effectiveAt = 1_000) =>
    store.decide(id, digest, { decision: { type: "approve" }, by: { kind: "person" }, effectiveAt });
  const answers = () => answersFor(store, threadId, 1_000).map(({ id }) => id);
  const [first, second] = file("batch", { actionRequests: [action, action], reviewConfigs: [] });
  const [raw] = file("raw", "Go on?");
  decide(first!);
  expect(answers()).toEqual([]);
  decide(raw!);
  expect(answers()).toEqual([raw!.id]);
  decide(second!, 1_001);
  // The grace of its last decision lasts: nothing asks any more, and what is in force already may be looked at.
  expect(answers().toSorted()).toEqual([first!.id, raw!.id].toSorted());
  expect(answersFor(store, threadId, 1_001)).toHaveLength(3);
});
