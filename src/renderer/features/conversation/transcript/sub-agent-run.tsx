/** The run of a sub-agent inside its `task` card: the task, every step, what it says now, and its report. */
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/class-names.ts";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { useSought } from "../find/find-store.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { textArg } from "../tool-card/tool-subject.ts";
import { LiveMessage } from "./live-message.tsx";
import { useOpen } from "./open-state.ts";
import { shownPart } from "./transcript-store.ts";

const shownSteps = 20;
const none: readonly string[] = [];

export function SubAgentRun({ item }: { item: ToolCallItem }) {
  const { store, Row } = useConversation();
  const steps = useTranscript((state) => shownPart(state).children.get(item.id) ?? none);
  const live = useStore(
    store,
    useShallow((state) =>
      [...state.live.values()].filter((one) => one.parentId === item.id).map((one) => one.messageId),
    ),
  );
  const [open, setOpen] = useOpen(item.id, item.state !== "finished");
  const [all, setAll] = useOpen(`${item.id}:steps`, false);
  const sought = useSought(item.id);
  const shown = all ? steps : steps.slice(-shownSteps);
  const task = textArg(item, "description");
  return (
    <>
      <details
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
        className="border-t border-line text-sm"
      >
        <summary className="cursor-pointer px-3 py-1.5 text-ink-3">
          {strings.stepsOf(textArg(item, "subagent_type"), steps.length)}
        </summary>
        {open && (
          <div className="flex flex-col gap-2 px-3 pb-3 text-base">
            {task && (
              <p
                className={cx(
                  "text-sm whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]",
                  !sought && "line-clamp-6",
                )}
              >
                {`${strings.task}: ${task}`}
              </p>
            )}
            {shown.length < steps.length && (
              <Button small className="self-start" onClick={() => setAll(true)}>
                {strings.showAllSteps(steps.length)}
              </Button>
            )}
            <ol
              aria-label={strings.steps(steps.length)}
              className="flex flex-col gap-2 border-l-2 border-line pl-3"
            >
              {shown.map((id) => (
                <li key={id} data-item={id} className="rounded-lg empty:hidden">
                  <Row id={id} />
                </li>
              ))}
              {live.map((id) => (
                <li key={id}>
                  <LiveMessage id={id} />
                </li>
              ))}
            </ol>
            {item.result && <Report item={item} steps={steps} />}
          </div>
        )}
      </details>
      {!open && <ResultLine item={item} />}
    </>
  );
}

/** How it ended, in the first words of its report; opened, the whole report stands there. */
function ResultLine({ item }: { item: ToolCallItem }) {
  const [first] = (item.result ?? "").split("\n").filter((line) => line.trim() !== "");
  if (item.state !== "finished" || first === undefined) return null;
  return (
    <p className="flex items-baseline gap-1.5 px-3 pb-2">
      <span className="shrink-0 text-sm text-ink-3">{strings.report}</span>
      <ForeignText text={first} className="line-clamp-2 min-w-0" />
    </p>
  );
}

/** What the sub-agent handed back, unless it is what it said last anyway. */
function Report({ item, steps }: { item: ToolCallItem; steps: readonly string[] }) {
  const said = useTranscript((state) => {
    const last = state.items.get(steps.at(-1) ?? "");
    return last?.kind === "agentMessage" && last.text === item.result;
  });
  if (said || !item.result) return null;
  return (
    <section aria-label={strings.report}>
      <p className="text-sm text-ink-3">{strings.report}</p>
      <Markdown text={item.result} />
    </section>
  );
}
