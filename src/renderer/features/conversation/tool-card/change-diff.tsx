/** What a write or an edit changes, as a diff: the replaced words of an edit, the whole text of a write. */
import { Suspense } from "react";
import type { FileDiff } from "../../../../shared/contract/approvals.ts";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { lazyPart } from "../../../base/load-code.ts";
import { strings } from "../strings.ts";
import { textArg } from "./tool-subject.ts";

const DiffView = lazyPart(() => import("../../../ui/diff-view.tsx"));
/** What the log says where it left out the middle of a long argument. */
const cutMark = /\n… \d+ characters left out …\n/;

export function ChangeDiff({ diff }: { diff: FileDiff }) {
  const cut = cutMark.test(diff.before ?? "") || cutMark.test(diff.after ?? "");
  return (
    <div className="px-3 pb-2">
      <Suspense fallback={<div className="h-10" />}>
        <DiffView diff={diff} tooLarge={strings.noDiff} />
      </Suspense>
      {cut && <p className="text-sm text-ink-3">{strings.contentCut}</p>}
    </div>
  );
}

/** @returns `undefined` for a change that its arguments do not show. */
export function diffOf(item: ToolCallItem): FileDiff | undefined {
  const path = textArg(item, "file_path", "path") ?? "";
  const {
    old_string: before,
    new_string: after,
    content,
  } = item.decision?.type === "edit" ? item.decision.args : item.args;
  if (item.tool === "edit_file" && typeof before === "string" && typeof after === "string")
    // Pieces of a file have no line end of their own; without one each would be said to lack it.
    return { path, before: `${before}\n`, after: `${after}\n`, tooLarge: false };
  if (item.tool === "write_file" && typeof content === "string")
    return { path, before: null, after: content, tooLarge: false };
  return undefined;
}
