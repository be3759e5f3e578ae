/** What came of a thread so far, beside its conversation; where one pane fits it lies over it and folds away first. */
import "./side.css";
import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { usePaneWidths } from "../../base/stores/pane-widths.ts";
import { toggleSide, useSideOpen } from "../../base/stores/side-store.ts";
import { useAbility } from "../../base/stores/threads-store.ts";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { PaneEdge } from "../../ui/pane-edge.tsx";
import { useConversation, useTranscript } from "../conversation/conversation-context.ts";
import { PlanList, planOf } from "../conversation/pinned-plan.tsx";
import { AgentsSection } from "./agents-section.tsx";
import { ContextSection } from "./context-section.tsx";
import { FilesSection } from "./files-section.tsx";
import { ReceiptsSection } from "./receipts-section.tsx";
import { Nothing, Section } from "./section.tsx";
import { strings } from "./strings.ts";
import { TerminalsSection } from "./terminals-section.tsx";

export function SidePanel() {
  const { open, over } = useSideOpen();
  if (!open) return null;
  return <Panel over={over} />;
}

function Panel({ over }: { over: boolean }) {
  const { threadId } = useConversation();
  const hasSubAgents = useAbility(threadId, "subAgents");
  const width = usePaneWidths(({ side }) => side);
  const closeButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (over) closeButton.current?.focus();
  }, [over]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (over && event.key === "Escape" && !event.defaultPrevented) toggleSide();
  };
  return (
    <aside
      aria-label={strings.label}
      onKeyDown={onKeyDown}
      style={{ width: over ? undefined : width }}
      className={cx(
        "flex shrink-0 flex-col border-l border-line bg-surface",
        over
          ? "absolute inset-y-0 right-0 z-20 w-[min(380px,100%)] shadow-pop"
          : "relative w-[300px] max-w-[45%] min-[1700px]:w-[380px]",
      )}
    >
      {!over && <PaneEdge pane="side" label={strings.width} side="left" />}
      <div className="flex h-9 shrink-0 items-center justify-end border-b border-line px-1.5">
        <IconButton ref={closeButton} label={strings.close} onClick={toggleSide}>
          <X />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <TerminalsSection />
        <PlanSection />
        <FilesSection />
        {hasSubAgents && <AgentsSection />}
        <ContextSection />
        <ReceiptsSection />
      </div>
    </aside>
  );
}

/** The agent's plan as it stands, with its progress. */
function PlanSection() {
  const todos = useTranscript(planOf);
  const done = todos?.filter((todo) => todo.status === "completed").length ?? 0;
  return (
    <Section name="plan" title={strings.plan} remark={todos && strings.planProgress(done, todos.length)}>
      {todos && todos.length > 0 ? (
        <>
          <progress
            aria-label={strings.planProgress(done, todos.length)}
            value={done}
            max={todos.length}
            className="plan-progress mb-2 block h-1 w-full"
          />
          <PlanList todos={todos} />
        </>
      ) : (
        <Nothing>{strings.planEmpty}</Nothing>
      )}
    </Section>
  );
}
