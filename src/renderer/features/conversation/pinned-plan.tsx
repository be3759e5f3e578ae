/** The plan while the agent works by it: one line above the message field, which opens to all of its steps. */
import { ListTodo } from "lucide-react";
import type { Todo } from "../../../shared/contract/thread-events.ts";
import { useSideOpen } from "../../base/stores/side-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { useConversation, useTranscript } from "./conversation-context.ts";
import { PlanList } from "./plan-list.tsx";
import { strings } from "./strings.ts";
import { useOpen } from "./transcript/open-state.ts";
import type { Transcript } from "./transcript/transcript-store.ts";

export function PinnedPlan() {
  const { threadId } = useConversation();
  const todos = useTranscript(planOf);
  const works = useThreads((state) => isAtWork(state.byId.get(threadId)?.status));
  const side = useSideOpen();
  const [open, setOpen] = useOpen(`pinned-plan:${threadId}`, false);
  // The panel beside the conversation has a place for it.
  if (!works || !todos || todos.length === 0 || (side.open && !side.over)) return null;
  const done = todos.filter((todo) => todo.status === "completed").length;
  const now =
    todos.find((todo) => todo.status === "in_progress") ?? todos.find((todo) => todo.status === "pending");
  return (
    <details
      aria-label={strings.plan}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mx-4 mb-2 max-w-[820px] rounded-md border border-line bg-surface text-sm lowest:hidden"
    >
      <summary className="flex min-h-7 cursor-pointer items-center gap-2 px-3">
        <ListTodo aria-hidden className="size-3.5 shrink-0 text-ink-3" />
        <span className="shrink-0 text-ink-2 tabular-nums">{strings.planStands(done, todos.length)}</span>
        {now && <span className="min-w-0 truncate text-ink-3">{now.content}</span>}
      </summary>
      <div className="max-h-40 overflow-y-auto border-t border-line px-3 py-2">
        <PlanList todos={todos} />
      </div>
    </details>
  );
}

/** The plan as it stands. */
export function planOf({ order, items }: Transcript): readonly Todo[] | undefined {
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const item = items.get(order[index] ?? "");
    if (item?.kind === "plan") return item.todos;
  }
  return undefined;
}

function isAtWork(status: string | undefined): boolean {
  return status === "running" || status === "waiting" || status === "queued";
}
