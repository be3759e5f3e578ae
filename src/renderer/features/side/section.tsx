/** One part of the side panel: a heading that folds it, with a count or a state beside it. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "../../ui/class-names.ts";
import { useOpen } from "../conversation/transcript/open-state.ts";

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
