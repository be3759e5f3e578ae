/** The agent's plan as it stands, with its progress. */
import { useTranscript } from "../conversation/conversation-context.ts";
import { planOf } from "../conversation/pinned-plan.tsx";
import { PlanList } from "../conversation/plan-list.tsx";
import { Nothing, Section } from "./section.tsx";
import { strings } from "./strings.ts";

export function PlanSection() {
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
