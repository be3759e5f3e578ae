/** What a write or an edit changed, as a diff: the lines the host saw change, or what the arguments tell before that. */
import { Suspense } from "react";
import type { FileDiff } from "../../../../shared/contract/approvals.ts";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { kindOf, type ToolOfKind } from "../../../../shared/tools/tools.ts";
import { lazyPart } from "../../../base/load-code.ts";
import { strings } from "../strings.ts";
import { argsOf, textArg } from "./tool-subject.ts";

const DiffView = lazyPart(() => import("../../../ui/diff-view.tsx"));
/** What the log says where it left out the middle of a long argument. */
const cutMark = /\n… \d+ characters left out …\n/;

type Change = { diff: FileDiff; line?: number };

export function ChangeDiff({ diff, line }: Change) {
  const cut = cutMark.test(diff.before ?? "") || cutMark.test(diff.after ?? "");
  return (
    <div className="px-3 pb-2">
      <Suspense fallback={<div className="h-10" />}>
        <DiffView diff={diff} firstLine={line} tooLarge={strings.noDiff} />
      </Suspense>
      {cut && <p className="text-sm text-ink-3">{strings.contentCut}</p>}
    </div>
  );
}

/** @returns `undefined` for a change of which nothing shows what it is. */
export function changeOf(item: ToolCallItem): Change | undefined {
  if (kindOf(item.tool) !== "change") return undefined;
  const path = textArg(item, "file_path", "path") ?? "";
  const excerpt = item.receipt?.excerpt;
  if (excerpt) {
    const { line, before, after } = excerpt;
    return { diff: { path, before, after, tooLarge: false }, line };
  }
  const texts = textsOf[item.tool as ToolOfKind<"change">](argsOf(item));
  return texts && { diff: { path, ...texts, tooLarge: false } };
}

type Texts = Pick<FileDiff, "before" | "after">;

/** What the arguments of each tool show of the content before and after. */
const textsOf: Record<ToolOfKind<"change">, (args: Record<string, unknown>) => Texts | undefined> = {
  write_file: ({ content }) => (typeof content === "string" ? { before: null, after: content } : undefined),
  edit_file: ({ old_string: before, new_string: after }) =>
    typeof before === "string" && typeof after === "string"
      ? // Pieces of a file have no line end of their own; without one each would be said to lack it.
        { before: `${before}\n`, after: `${after}\n` }
      : undefined,
  delete: () => undefined,
  move_file: () => undefined,
};
