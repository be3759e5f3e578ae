/** The commands that run right now, each with its real terminal when opened. */
import { Suspense, useRef } from "react";
import { useShallow } from "zustand/react/shallow";
import type { ToolCallItem } from "../../../shared/contract/transcript.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import { lazyPart } from "../../base/load-code.ts";
import { useSide } from "../../base/stores/side-store.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { useConversation, useItem, useTranscript } from "../conversation/conversation-context.ts";
import { subjectOf, verbOf } from "../conversation/tool-card/tool-subject.ts";
import type { Transcript } from "../conversation/transcript/transcript-store.ts";
import { strings as terminalStrings } from "../terminal/strings.ts";
import { Nothing, Section } from "./section.tsx";
import { strings } from "./strings.ts";

const TerminalView = lazyPart(() => import("../terminal/terminal-view.tsx"));

export function TerminalsSection() {
  const { threadId } = useConversation();
  const running = useTranscript(useShallow(runningCommands));
  return (
    <Section key={threadId} name="terminals" title={strings.terminals} remark={running.length || undefined}>
      {running.length === 0 ? (
        <Nothing>{strings.terminalsEmpty}</Nothing>
      ) : (
        <ul className="flex flex-col gap-2">
          {running.map((id) => (
            <TerminalRow key={id} id={id} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function TerminalRow({ id }: { id: string }) {
  const item = useItem(id);
  const summary = useRef<HTMLElement>(null);
  const open = useSide((state) => item?.kind === "toolCall" && state.terminalId === item.executionId);
  if (item?.kind !== "toolCall" || !item.executionId) return null;
  const { executionId } = item;
  const command = subjectOf(item) ?? verbOf(item);
  return (
    <li className="rounded-md border border-line bg-raised">
      <details
        open={open}
        onToggle={(event) => {
          if (event.currentTarget.open !== open)
            useSide.setState({ terminalId: event.currentTarget.open ? executionId : undefined });
        }}
      >
        <summary
          ref={summary}
          aria-label={strings.showTerminal(spellOut(command.replaceAll("\n", " ")))}
          className="cursor-pointer px-2 py-1"
        >
          <ExactText text={command} />
        </summary>
        {open && (
          <div className="px-2 pb-2">
            <Suspense fallback={<Nothing>{terminalStrings.loading}</Nothing>}>
              <TerminalView
                executionId={executionId}
                command={command}
                onLeave={() => summary.current?.focus()}
              />
            </Suspense>
          </div>
        )}
      </details>
    </li>
  );
}

/** Item ids of commands that run; every other running call has no terminal. */
function runningCommands({ items }: Transcript): string[] {
  return [...items.values()].filter(isRunningCommand).map((item) => item.id);
}

function isRunningCommand(item: unknown): item is ToolCallItem {
  const call = item as ToolCallItem;
  return (
    call.kind === "toolCall" &&
    kindOf(call.tool) === "command" &&
    call.state === "running" &&
    Boolean(call.executionId)
  );
}
