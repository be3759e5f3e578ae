/** Turns what was written in a card into a decision, after checking it. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Decision } from "../../../shared/contract/decisions.ts";
import { client } from "../../base/client.ts";
import { describeError } from "../../base/words.ts";
import { shownForm, wantsJson } from "./card-form.tsx";
import { decide, noteProblem } from "./decide.ts";
import type { Press } from "./decision-gate.ts";
import { draftOf, setForm, useQueue } from "./queue-store.ts";
import { strings } from "./strings.ts";

/** Approves as it stands, or with the changed arguments when the editor is open and something was changed. */
export async function submitApprove(approval: Approval, press: Press): Promise<void> {
  const editing = useQueue.getState().forms.get(approval.id) === "edit";
  const draft = editing ? draftOf(approval.id, "edit") : undefined;
  const decision = draft === undefined ? approve : await readEdit(approval, draft);
  const isFirst = useQueue.getState().responseFirst.has(approval.id);
  if (decision)
    await decide(approval, isFirst ? { ...decision, holdResponse: true } : decision, press, draft);
}

/** The reason is only what stands in an open field: one that was closed again is kept for later and not sent. */
export async function submitReject(approval: Approval, press: Press): Promise<void> {
  const draft = shownForm(approval) === "reason" ? draftOf(approval.id, "reason") : undefined;
  const reason = draft?.trim();
  await decide(approval, { type: "reject", ...(reason && { message: reason }) }, press, draft);
}

/** Opens the answer field when it is closed; else sends the answer. Recoveries may be answered with nothing. */
export async function submitRespond(approval: Approval, press: Press): Promise<void> {
  const shown = shownForm(approval) === "respond";
  const draft = shown ? draftOf(approval.id, "respond") : undefined;
  const text = draft?.trim() ?? "";
  if (approval.kind === "recovery")
    return void (await decide(approval, { type: "respond", answer: text || null }, press, draft));
  if (!shown || (useQueue.getState().forms.get(approval.id) !== "respond" && text === "")) {
    setForm(approval.id, "respond");
    return;
  }
  if (text === "") return noteProblem(approval.id, strings.nothingToSend);
  if (!wantsJson(approval))
    return void (await decide(approval, { type: "respond", answer: text }, press, draft));
  const parsed = parseJson(text);
  if ("problem" in parsed) return noteProblem(approval.id, parsed.problem);
  await decide(approval, { type: "respond", answer: parsed.value }, press, draft);
}

/** Answers with one of the choices, just as it stands on its button. */
export async function submitChoice(approval: Approval, answer: string, press: Press): Promise<void> {
  await decide(approval, { type: "respond", answer }, press);
}

type Approving = Extract<Decision, { type: "approve" | "edit" }>;
const approve: Approving = { type: "approve" };

async function readEdit(approval: Approval, draft: string): Promise<Approving | undefined> {
  try {
    const detail = await client().call("approvals.get", { id: approval.id });
    if (approval.subject.kind === "command") {
      if (draft === approval.subject.command) return approve;
      return { type: "edit", args: { ...detail.args, command: draft } };
    }
    const parsed = parseJson(draft);
    const problem = "problem" in parsed ? parsed.problem : await checkSchema(parsed.value, detail.argsSchema);
    if (problem !== undefined || "problem" in parsed) {
      noteProblem(approval.id, problem ?? "");
      return undefined;
    }
    return { type: "edit", args: parsed.value as Record<string, unknown> };
  } catch (error) {
    noteProblem(approval.id, describeError(error));
    return undefined;
  }
}

function parseJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: strings.notJson(describeError(error)) };
  }
}

/** @returns what is wrong with the arguments, or `undefined`. The host checks again; this only saves a round. */
async function checkSchema(
  value: unknown,
  schema: Record<string, unknown> | undefined,
): Promise<string | undefined> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return strings.notInSchema("arguments are an object");
  }
  if (!schema) return undefined;
  const { fromJSONSchema } = await import("zod");
  const result = fromJSONSchema(schema).safeParse(value);
  const issue = result.error?.issues[0];
  return issue && strings.notInSchema(`${issue.path.join(".") || "arguments"}: ${issue.message}`);
}
