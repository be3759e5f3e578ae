/** The list above the message field; the focus stays in the field, which names the marked line. */
import { useEffect, useRef } from "react";
import type { MessageCommand } from "../../../../shared/contract/agents.ts";
import { cx } from "../../../ui/class-names.ts";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { strings } from "../strings.ts";
import { shownPart } from "./long-text.ts";
import type { Suggestion } from "./use-suggestions.ts";

type SuggestionListProps = {
  id: string;
  kind: "file" | "command";
  suggestions: readonly Suggestion[];
  marked: number;
  busy: boolean;
  /** How many files fit that may hold secrets, which are not offered. */
  secrets?: number;
  problem?: string;
  /** How many commands there are that are not offered. */
  notOffered?: number;
  onChoose: (suggestion: Suggestion) => void;
};

/** Over the conversation, so that nothing moves when it comes and goes. */
const above =
  "absolute right-0 bottom-full left-0 z-10 mb-1.5 rounded-md border border-line bg-raised shadow-pop";

export function SuggestionList(props: SuggestionListProps) {
  const { id, kind, suggestions, marked, busy, secrets = 0, problem, notOffered = 0, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: "nearest" });
  }, [marked]);
  if (suggestions.length === 0) {
    return (
      <p role="status" className={cx(above, "px-2.5 py-1 text-sm text-ink-3")}>
        {problem ? (
          <ForeignText text={problem} lines />
        ) : busy ? (
          strings.readingFiles
        ) : kind === "file" ? (
          strings.noFiles(secrets)
        ) : (
          strings.unknownCommand("")
        )}
      </p>
    );
  }
  const current = suggestions[marked];
  return (
    <div className={above}>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={strings.suggestions[kind]}
        tabIndex={-1}
        className="max-h-56 overflow-y-auto p-1"
      >
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the message field, which keeps the focus
          <div
            key={suggestion.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(suggestion)}
            className={cx(
              "flex cursor-pointer items-baseline gap-3 rounded-sm px-2 py-0.5",
              index === marked ? "bg-hover" : "hover:bg-hover",
            )}
          >
            {suggestion.kind === "file" ? (
              <ForeignText className="code-text" text={suggestion.path} />
            ) : (
              <>
                <span className="code-text w-28 max-w-[50%] min-w-28 shrink-0">
                  /<ForeignText text={suggestion.command.name} />
                </span>
                <span className="min-w-0 flex-1 text-sm text-ink-3">
                  {suggestion.kind === "own" ? (
                    <ForeignText text={suggestion.command.about} />
                  ) : (
                    suggestion.command.hint
                  )}
                </span>
                {suggestion.kind === "own" && (
                  <span className="shrink-0 text-sm text-ink-3">
                    {strings.commandOf[suggestion.command.from]}
                  </span>
                )}
              </>
            )}
          </div>
        ))}
      </div>
      {current?.kind === "own" && <CommandPreview command={current.command} />}
      {kind === "command" && (problem || notOffered > 0) && (
        <p className="border-t border-line px-2.5 py-1 text-sm text-ink-3">
          {problem ? <ForeignText text={problem} lines /> : strings.notOffered(notOffered)}
        </p>
      )}
    </div>
  );
}

/** What a command would put into the field, before it is chosen. */
function CommandPreview({ command }: { command: MessageCommand }) {
  const { shown, moreLines } = shownPart(command.text);
  return (
    <section
      aria-label={strings.commandText}
      className="flex flex-col gap-1 border-t border-line px-2.5 py-1.5 text-sm"
    >
      <p className="text-ink-3">
        {strings.commandFrom[command.from]} · <ForeignText text={command.file} />
      </p>
      <p className="max-h-40 overflow-hidden border-l-2 border-line-strong pl-2 text-ink-2">
        <ForeignText text={shown} lines />
      </p>
      {moreLines && <p className="text-ink-3">{strings.commandMore}</p>}
    </section>
  );
}
