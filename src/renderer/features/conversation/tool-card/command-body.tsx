/** A command below its head: what it prints while it runs, and afterwards what it printed, in its colours. */
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { withoutExitNote } from "../../../../shared/transcript/find-text.ts";
import { openTerminal } from "../../../base/stores/side-store.ts";
import { FoldedOutput } from "../../terminal/ansi-output.tsx";
import { LiveOutput } from "../../terminal/live-output.tsx";
import { useLog } from "../../terminal/use-log.ts";
import { useSought } from "../find/find-store.ts";
import { strings } from "../strings.ts";
import { joinLog } from "./join-log.ts";
import { hasFailed } from "./tool-subject.ts";

export function CommandBody({ item }: { item: ToolCallItem }) {
  if (item.state === "running" && item.executionId) {
    const { executionId, startedAt } = item;
    return (
      <LiveOutput
        executionId={executionId}
        startedAt={startedAt}
        onOpenTerminal={() => openTerminal(executionId)}
      />
    );
  }
  return item.result ? <Printed item={item} result={withoutExitNote(item.result)} /> : null;
}

/** The words of the result stand there at once; colours, and what the agent did not get, come from the log. */
function Printed({ item, result }: { item: ToolCallItem; result: string }) {
  const sought = useSought(item.id);
  const log = useLog(item.receipt?.bytes ? item.receipt.executionId : undefined);
  const joined = log && joinLog(result, log, item.receipt?.bytes);
  const isCut = item.receipt?.truncated ?? false;
  return (
    <>
      <FoldedOutput
        label={strings.result}
        text={joined?.text ?? result}
        total={joined?.lines}
        failed={hasFailed(item)}
        sought={sought}
      />
      {isCut && (
        <p className="px-3 pb-2 text-sm text-ink-3">{joined ? strings.agentGotEnds : strings.outputCut}</p>
      )}
    </>
  );
}
