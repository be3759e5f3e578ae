/** The agent's plan as it stands, with its progress. */
import type { Todo } from "../../../shared/contract/thread-events.ts";
import { useTranscript } from "../conversation/conversation-context.ts";
import { PlanList } from "../conversation/plan-list.tsx";
import type { Transcript } from "../conversation/transcript/transcript-store.ts";
import { Nothing, Section } from "./section.tsx";
import { strings } from "./strings.ts";

export function PlanSection() {
  const todos = useTranscript(lastPlan);
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

function lastPlan({ order, items }: Transcript): readonly Todo[] | undefined {
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const item = items.get(order[index] ?? "");
    if (item?.kind === "plan") return item.todos;
  }
  return undefined;
}
