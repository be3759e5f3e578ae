/** The plan as a list, and as one line above the message field while the agent works by it. */
import { CircleCheck, CircleDashed, CircleDot, ListTodo } from "lucide-react";
import type { Todo } from "../../../shared/contract/thread-events.ts";
import { useSideOpen } from "../../base/stores/side-store.ts";
import { useThreads } from "../../base/stores/threads-store.ts";
import { cx } from "../../ui/class-names.ts";
import { useConversation, useTranscript } from "./conversation-context.ts";
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

const icons = { pending: CircleDashed, in_progress: CircleDot, completed: CircleCheck };
const tones = { pending: "text-ink-3", in_progress: "text-info", completed: "text-ok" };

export function PlanList({ todos }: { todos: readonly Todo[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {todos.map((todo, index) => {
        const Icon = icons[todo.status];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a plan's lines have no other identity than their place
          <li key={index} className="flex items-baseline gap-1.5">
            <Icon
              role="img"
              aria-label={strings.planStatus[todo.status]}
              className={cx("size-3.5 shrink-0 translate-y-0.5", tones[todo.status])}
            />
            <span
              className={cx("min-w-0 [overflow-wrap:anywhere]", todo.status === "completed" && "text-ink-3")}
            >
              {todo.content}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
