/** One decision of the ledger: when, what, by whom, and what came of it. */
import type { LedgerEntry } from "../../../shared/contract/approvals.ts";
import { go } from "../../app/navigation.ts";
import { formatDuration } from "../../app/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { ExactText } from "./exact-text.tsx";
import { strings } from "./strings.ts";

const tones: Record<LedgerEntry["decision"]["type"], Tone> = {
  approve: "ok",
  edit: "ok",
  reject: "bad",
  respond: "info",
};

export function LedgerRow({ entry }: { entry: LedgerEntry }) {
  const { decision, receipt } = entry;
  const at = new Date(entry.at);
  return (
    <div className="mx-auto flex max-w-[920px] flex-col gap-1 border-b border-line py-2">
      <div className="flex flex-wrap items-center gap-2 text-sm text-ink-3">
        <Badge tone={tones[decision.type]}>{strings.decisions[decision.type]}</Badge>
        <span>{strings.by[entry.by.kind]}</span>
        <button
          type="button"
          className="font-medium text-ink-2 hover:underline"
          onClick={() => go({ view: "thread", id: entry.threadId })}
        >
          {entry.threadTitle}
        </button>
        {entry.agentPath.length > 0 && <span>{strings.delegated(entry.agentPath)}</span>}
        <span className="flex-1" />
        {receipt && (
          <span className={receipt.exitCode ? "text-bad" : undefined}>
            {receipt.exitCode !== undefined && `${strings.exit(receipt.exitCode)} · `}
            {formatDuration(receipt.durationMs)}
          </span>
        )}
        <time dateTime={at.toISOString()}>{at.toLocaleString()}</time>
      </div>
      <ExactText text={describeCall(entry.tool, entry.finalArgs ?? entry.originalArgs)} />
      {decision.type === "edit" && (
        <p className="text-sm text-ink-3">
          {strings.changedByYou}:{" "}
          <ExactText text={describeCall(entry.tool, entry.originalArgs)} className="line-through" />
        </p>
      )}
      {decision.type === "reject" && decision.message && (
        <p className="text-sm text-ink-2">“{decision.message}”</p>
      )}
    </div>
  );
}

/** A command or path by itself, anything else as the tool with its arguments. */
function describeCall(tool: string, args: Record<string, unknown>): string {
  if (typeof args.command === "string") return args.command;
  const path = args.file_path ?? args.path;
  if (typeof path === "string") return `${tool} ${path}`;
  return `${tool} ${JSON.stringify(args)}`;
}
