/** Reading in a row, folded into one row that says what was read and opens to the calls themselves. */
import { ChevronRight, FileText } from "lucide-react";
import type { ReactNode } from "react";
import { useShallow } from "zustand/react/shallow";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import type { ToolOfKind } from "../../../../shared/tools/tools.ts";
import { cx } from "../../../ui/class-names.ts";
import { useTranscript } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import { subjectOf } from "../tool-card/tool-subject.ts";
import { useOpen } from "./open-state.ts";
import { readingRunOf, runName } from "./reading-runs.ts";
import { shownPart } from "./transcript-store.ts";

/** Its first row carries the heading; the others are there once it is open. */
export function InReadingRun({ id, children }: { id: string; children: ReactNode }) {
  const ids = useTranscript(useShallow((state) => readingRunOf(shownPart(state), id) ?? []));
  const [open, setOpen] = useOpen(ids.length > 0 ? runName(ids) : "", false);
  if (ids.length === 0) return children;
  if (ids[0] !== id) return open && children;
  return (
    <>
      <button
        type="button"
        data-find="skip"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={cx(
          "flex min-h-6 w-full items-baseline gap-1.5 rounded-md px-3 py-0.5 text-left text-sm text-ink-2 hover:bg-hover [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:translate-y-0.5",
          open && "mb-3",
        )}
      >
        <FileText aria-hidden className="text-ink-3" />
        <WhatWasRead ids={ids} />
        <ChevronRight aria-hidden className={cx("text-ink-3 transition-transform", open && "rotate-90")} />
      </button>
      {open && children}
    </>
  );
}

function WhatWasRead({ ids }: { ids: readonly string[] }) {
  const words = useTranscript((state) => {
    const calls = ids.map((id) => shownPart(state).items.get(id)).filter((item) => item?.kind === "toolCall");
    return strings.wasRead(count(calls, "file"), count(calls, "folder"), count(calls, "search"));
  });
  return <span className="min-w-0">{words}</span>;
}

/** What one call of each tool reads. */
const reads: Record<ToolOfKind<"read">, "file" | "folder" | "search"> = {
  read_file: "file",
  ls: "folder",
  glob: "search",
  grep: "search",
};

/** Of a file or folder that was read twice there is one; each search is one. */
function count(calls: readonly ToolCallItem[], what: "file" | "folder" | "search"): number {
  const own = calls.filter(({ tool }) => reads[tool as ToolOfKind<"read">] === what);
  return what === "search" ? own.length : new Set(own.map((call) => subjectOf(call) ?? call.id)).size;
}
