/** What the thread uses: how much of what the model can take was in its last call, and what all calls cost; as far as known. */
import type { Usage } from "../../../../shared/contract/thread-events.ts";
import { cx } from "../../../ui/class-names.ts";
import { useTranscript } from "../conversation-context.ts";
import { strings } from "../strings.ts";
import type { Transcript } from "../transcript/transcript-store.ts";
import { ThreadCost } from "./cost-words.tsx";

const nearlyFull = 80;

export function ContextUse() {
  return (
    <>
      <LastCall />
      <ThreadCost />
    </>
  );
}

function LastCall() {
  const usage = useTranscript(lastUsage);
  if (!usage) return null;
  const { inputTokens, contextWindow } = usage;
  const percent = contextWindow ? Math.round((inputTokens / contextWindow) * 100) : undefined;
  return (
    <span
      title={strings.contextTitle(inputTokens, contextWindow)}
      className={cx("text-sm tabular-nums", (percent ?? 0) >= nearlyFull ? "text-warn" : "text-ink-3")}
    >
      {percent === undefined ? strings.contextTokens(shorten(inputTokens)) : strings.context(percent)}
    </span>
  );
}

function lastUsage({ order, items }: Transcript): Usage | undefined {
  for (let index = order.length - 1; index >= 0; index -= 1) {
    const item = items.get(order[index] ?? "");
    if (item?.kind === "agentMessage" && item.usage && item.agentPath.length === 0) return item.usage;
  }
  return undefined;
}

function shorten(tokens: number): string {
  return tokens < 10_000 ? tokens.toLocaleString("en") : `${Math.round(tokens / 1_000)} k`;
}
