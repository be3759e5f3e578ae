/** The files this thread changed, each with its diff and a way to put it back. */
import { useState } from "react";
import type { Output } from "../../../shared/contract/contract.ts";
import { kindOf } from "../../../shared/tools/tools.ts";
import { client } from "../../base/client.ts";
import { useReading } from "../../base/use-reading.ts";
import { useConversation, useTranscript } from "../conversation/conversation-context.ts";
import type { Transcript } from "../conversation/transcript/transcript-store.ts";
import { FileRow } from "./file-row.tsx";
import { Nothing, Section, SectionProblem } from "./section.tsx";
import { strings } from "./strings.ts";

const settleMs = 300;

export function FilesSection() {
  const { threadId } = useConversation();
  const effects = useTranscript(countEffects);
  const [reverts, setReverts] = useState(0);
  const key = `${effects}:${reverts}`;
  const { value, problem, reload } = useReading(
    key,
    () => client().call("files.changed", { threadId }),
    settleMs,
  );
  return (
    <Section name="files" title={strings.files} remark={value ? value.files.length : undefined}>
      {problem ? (
        <SectionProblem lead={strings.filesFailed} problem={problem} onAgain={reload} />
      ) : (
        <Files found={value} version={key} onReverted={() => setReverts((count) => count + 1)} />
      )}
    </Section>
  );
}

type FilesProps = { found: Output<"files.changed"> | undefined; version: string; onReverted: () => void };

function Files({ found, version, onReverted }: FilesProps) {
  if (!found) return <Nothing>{strings.reading}</Nothing>;
  const { files, incomplete } = found;
  return (
    <div className="flex flex-col gap-1">
      {incomplete && <Nothing>{strings.filesIncomplete}</Nothing>}
      {files.length === 0 && !incomplete && <Nothing>{strings.filesEmpty}</Nothing>}
      <ul className="flex flex-col gap-1">
        {files.map((file) => (
          <FileRow key={file.path} file={file} version={version} onReverted={onReverted} />
        ))}
      </ul>
    </div>
  );
}

/** Grows with every call that ended and may have changed a file. */
function countEffects({ items }: Transcript): number {
  let count = 0;
  for (const item of items.values()) {
    if (item.kind !== "toolCall" || item.state !== "finished") continue;
    const kind = kindOf(item.tool);
    if (kind === "command" || kind === "change" || item.receipt) count += 1;
  }
  return count;
}
