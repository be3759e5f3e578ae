/** The place of the current card beside the rows: what it says scrolls, and below it the decisions never move. */
import { type ReactNode, useRef } from "react";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { useToastsAbove } from "../../ui/toast.tsx";
import { QueueNote } from "./queue-note.tsx";

export function CardPane({ children, decisions }: { children: ReactNode; decisions: ReactNode }) {
  const foot = useRef<HTMLDivElement>(null);
  useToastsAbove(foot);
  return (
    <>
      <ScrollBox
        data-scroll
        data-card-scroll
        className="min-h-0 flex-1 px-4 pt-3 outline-offset-[-2px] wide:px-6 min-[1200px]:px-8 min-[1200px]:pt-5"
      >
        <div className="flex flex-col gap-3 pb-4">{children}</div>
      </ScrollBox>
      {/* Messages stand here while there are any, so that none lies over a word and the decisions stay where they are. */}
      <div aria-hidden className="h-[calc(var(--toast-space,-16px)+16px)] shrink-0" />
      <div
        ref={foot}
        className="shrink-0 border-t border-line px-4 pt-3 wide:px-6 min-[1200px]:px-8 min-[1200px]:pt-4"
      >
        {decisions}
        <QueueNote className="h-11 overflow-hidden pt-1 min-[600px]:h-7" />
      </div>
    </>
  );
}
