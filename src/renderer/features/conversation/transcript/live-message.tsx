/** A message while it is being written. */
import { useEffect, useRef, useState } from "react";
import { useThreads } from "../../../base/stores/threads-store.ts";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { Author, Reasoning } from "./message-row.tsx";

export function LiveMessage({ id }: { id: string }) {
  const { threadId } = useConversation();
  const message = useTranscript((state) => state.live.get(id));
  const model = useThreads((state) => state.byId.get(threadId)?.model);
  if (!message) return null;
  return (
    <article aria-label={strings.agent} aria-busy>
      <Author agentPath={message.agentPath} model={model} />
      {message.reasoning && <Reasoning id={id} text={message.reasoning} />}
      {message.text ? (
        <LiveText text={message.text} />
      ) : (
        message.reasoning && !message.toolName && <p className="text-sm text-ink-3">{strings.thinking}</p>
      )}
      {message.toolName && (
        <p className="text-sm text-ink-3">{strings.writing(spellOut(message.toolName))}</p>
      )}
    </article>
  );
}

function LiveText({ text }: { text: string }) {
  return <Markdown text={useCalmText(text)} streaming />;
}

/** A text of 3,000 characters is drawn every 100 ms, a short one as it comes. */
const msPerCharacter = 1 / 30;
const longestPauseMs = 500;
const shortText = 500;

/**
 * Slows down how often a long text that grows is drawn, since reading it as markdown costs by its length.
 * @returns `text`, late by half a second at most.
 */
function useCalmText(text: string): string {
  const [shown, setShown] = useState(text);
  const drawnAt = useRef(0);
  const latest = useRef(text);
  latest.current = text;
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (text === shown || pending.current !== undefined) return;
    const pauseMs = text.length < shortText ? 0 : Math.min(longestPauseMs, text.length * msPerCharacter);
    const waitMs = Math.max(0, drawnAt.current + pauseMs - performance.now());
    pending.current = setTimeout(() => {
      pending.current = undefined;
      drawnAt.current = performance.now();
      setShown(latest.current);
    }, waitMs);
  }, [text, shown]);
  useEffect(
    () => () => {
      clearTimeout(pending.current);
      pending.current = undefined;
    },
    [],
  );
  return shown;
}
