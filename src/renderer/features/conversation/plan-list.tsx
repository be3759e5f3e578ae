/** The agent's to-do list, each line with its state in shape and word. */
import { CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import type { Todo } from "../../../shared/contract/thread-events.ts";
import { cx } from "../../ui/class-names.ts";
import { strings } from "./strings.ts";

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
