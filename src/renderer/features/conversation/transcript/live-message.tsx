/** A message while it is being written. */

import { useThreads } from "../../../base/stores/threads-store.ts";
import { spellOut } from "../../../ui/reveal-characters.ts";
import { useConversation, useTranscript } from "../conversation-context.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { Author, Reasoning } from "./message-row.tsx";
import { useCalmText } from "./use-calm-text.ts";

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
