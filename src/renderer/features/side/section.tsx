/** One part of the side panel: a heading that folds it, with a count or a state beside it; or why it could not be read. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { ProblemText } from "../../ui/problem-text.tsx";
import { useOpen } from "../conversation/transcript/open-state.ts";
import { strings } from "./strings.ts";

type SectionProps = {
  name: string;
  title: string;
  remark?: ReactNode;
  initially?: boolean;
  children: ReactNode;
};

export function Section({ name, title, remark, initially = true, children }: SectionProps) {
  const [open, setOpen] = useOpen(`side:${name}`, initially);
  const id = useId();
  return (
    <section aria-label={title} className="border-b border-line">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="flex h-8 w-full items-center gap-1.5 px-3 text-left font-medium hover:bg-hover"
        >
          <ChevronRight
            aria-hidden
            className={cx("size-3.5 text-ink-3 transition-transform", open && "rotate-90")}
          />
          <span className="flex-1">{title}</span>
          <span className="text-xs font-normal text-ink-3">{remark}</span>
        </button>
      </h2>
      <div id={id} hidden={!open} className="px-3 pb-3">
        {open && children}
      </div>
    </section>
  );
}

export function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-sm text-ink-3">{children}</p>;
}

type SectionProblemProps = { lead: string; problem: string; onAgain: () => void };

export function SectionProblem({ lead, problem, onAgain }: SectionProblemProps) {
  return (
    <div className="flex flex-col items-start gap-1 text-sm">
      <ProblemText lead={lead} problem={problem} />
      <Button small onClick={onAgain}>
        {strings.again}
      </Button>
    </div>
  );
}
