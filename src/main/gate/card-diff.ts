/** The difference that a card about a file change shows, drawn as the file is now. */
import type { FileDiff } from "../../shared/contract/approvals.ts";
import type { ApprovalRow } from "../approvals/approval-row.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { planToolChange } from "../tools/kinds/change.ts";

/** @returns nothing for a card that changes no file, for a move, and for what cannot be made as the disk is. */
export async function diffOfCard(row: ApprovalRow, files: WorkspaceFiles): Promise<FileDiff | undefined> {
  const { subject } = row;
  const isChange = subject.kind === "file" && subject.operation !== "read" && row.kind === "tool";
  if (!isChange && !(subject.kind === "recovery" && subject.change)) return undefined;
  const plan = await planToolChange(files, row, row.verdict).catch(() => undefined);
  // A move changes nothing in the file.
  if (!plan || plan.to) return undefined;
  const { relativePath: path, before, after } = plan;
  return { path, before, after, tooLarge: plan.tooLarge || plan.binary };
}
