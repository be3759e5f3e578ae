/** Who works on whose behalf: each `task` call with its state, and below it the tasks it handed on. */
import { CircleCheck, CircleDot, CirclePause, CircleX, type LucideIcon } from "lucide-react";
import { useShallow } from "zustand/react/shallow";
import type { ToolCallItem } from "../../../shared/contract/transcript.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import { cx } from "../../ui/class-names.ts";
import { useItem, useTranscript } from "../conversation/conversation-context.ts";
import { hasFailed, subjectOf, textArg } from "../conversation/tool-card/tool-subject.ts";
import type { Transcript } from "../conversation/transcript/transcript-store.ts";
import { Nothing, Section } from "./section.tsx";
import { strings } from "./strings.ts";

export function AgentsSection() {
  const roots = useTranscript(useShallow((state: Transcript) => tasksUnder(state, undefined)));
  return (
    <Section name="agents" title={strings.agents} remark={roots.length || undefined}>
      {roots.length === 0 ? <Nothing>{strings.agentsEmpty}</Nothing> : <Tree ids={roots} />}
    </Section>
  );
}

function Tree({ ids }: { ids: readonly string[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {ids.map((id) => (
        <Task key={id} id={id} />
      ))}
    </ul>
  );
}

type TaskState = "working" | "waiting" | "done" | "failed";
const looks: Record<TaskState, { icon: LucideIcon; tone: string }> = {
  working: { icon: CircleDot, tone: "text-info" },
  waiting: { icon: CirclePause, tone: "text-accent" },
  done: { icon: CircleCheck, tone: "text-ok" },
  failed: { icon: CircleX, tone: "text-bad" },
};

function Task({ id }: { id: string }) {
  const item = useItem(id);
  const below = useTranscript(useShallow((state: Transcript) => tasksUnder(state, id)));
  const steps = useTranscript((state) => state.children.get(id)?.length ?? 0);
  const waits = useTranscript((state) =>
    (state.children.get(id) ?? []).some((child) => {
      const call = state.items.get(child);
      return call?.kind === "toolCall" && call.state === "waiting";
    }),
  );
  if (item?.kind !== "toolCall") return null;
  const state = stateOf(item, waits);
  const { icon: Icon, tone } = looks[state];
  return (
    <li className="text-sm">
      <div className="flex items-baseline gap-1.5">
        <Icon aria-hidden className={cx("size-3.5 shrink-0 translate-y-0.5", tone)} />
        <span className="font-medium">{subjectOf(item)}</span>
        <span className="ml-auto shrink-0 text-xs text-ink-3">
          {`${strings.agentStates[state]} · ${strings.steps(steps)}`}
        </span>
      </div>
      <p className="line-clamp-2 pl-5 text-xs text-ink-3 [overflow-wrap:anywhere]">
        {[textArg(item, "subagent_type"), textArg(item, "description")].filter(Boolean).join(" · ")}
      </p>
      {below.length > 0 && (
        <div className="mt-1 border-l border-line pl-3">
          <Tree ids={below} />
        </div>
      )}
    </li>
  );
}

function stateOf(item: ToolCallItem, waits: boolean): TaskState {
  if (item.state === "finished") return hasFailed(item) ? "failed" : "done";
  return waits || item.state === "waiting" ? "waiting" : "working";
}

/** Item ids of the `task` calls of one run; `undefined` for the thread's own. */
function tasksUnder({ order, children, items }: Transcript, parentId: string | undefined): string[] {
  const ids = parentId === undefined ? order : (children.get(parentId) ?? []);
  return ids.filter((id) => {
    const item = items.get(id);
    return item?.kind === "toolCall" && kindOf(item.tool) === "delegate";
  });
}
