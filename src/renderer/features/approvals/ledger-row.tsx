/** One decision of the ledger: when, what, by whom, why, and what came of it. */
import { useState } from "react";
import type { LedgerEntry } from "../../../shared/contract/ledger.ts";
import { aboutCall } from "../../../shared/tools/about-call.ts";
import { client } from "../../base/client.ts";
import { jsonText } from "../../base/json-text.ts";
import { go } from "../../base/navigation.ts";
import { useHost } from "../../base/stores/host-store.ts";
import { openHit } from "../../base/stores/opened-hit.ts";
import { wordsOfWidth } from "../../base/width-words.ts";
import { describeError, formatBytes, formatDuration, shortenPath } from "../../base/words.ts";
import { AgentPath } from "../../ui/agent-path.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ExactText } from "../../ui/exact-text.tsx";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { LeftOut } from "../../ui/left-out.tsx";
import { ledgerStrings } from "./ledger-strings.ts";
import { strings } from "./strings.ts";
import { UnitChips } from "./unit-chips.tsx";

const tones: Record<LedgerEntry["decision"]["type"], Tone> = {
  approve: "ok",
  edit: "ok",
  reject: "bad",
  respond: "info",
};

export function LedgerRow({ entry }: { entry: LedgerEntry }) {
  const { decision } = entry;
  return (
    <div className="flex max-w-[920px] flex-col gap-1 border-b border-line py-2">
      <Head entry={entry} />
      <LedgerSubject text={aboutCall(entry.tool, entry.finalArgs ?? entry.originalArgs)} />
      {decision.type === "edit" && (
        <div className="text-sm text-ink-3 [&_code]:line-through">
          {ledgerStrings.changedByYou}: <LedgerSubject text={aboutCall(entry.tool, entry.originalArgs)} />
        </div>
      )}
      {decision.type === "reject" && decision.message && (
        <p className="text-sm text-ink-2">
          “<ForeignText text={decision.message} lines />”
        </p>
      )}
      <More entry={entry} />
    </div>
  );
}

function whoDecided({ by, imported }: LedgerEntry): string {
  if (imported) return ledgerStrings.byElsewhere[by.kind];
  return by.kind === "person" && by.via ? ledgerStrings.byCommandLine : ledgerStrings.by[by.kind];
}

function Head({ entry }: { entry: LedgerEntry }) {
  const { decision, receipt } = entry;
  const at = new Date(entry.at);
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-ink-3">
      <Badge tone={tones[decision.type]}>{ledgerStrings.decisions[decision.type]}</Badge>
      <span>
        {whoDecided(entry)}
        {entry.by.kind === "person" && ` · ${wordsOfSight(entry.seen)}`}
      </span>
      <button
        type="button"
        className="min-h-6 min-w-6 text-left font-medium text-ink-2 hover:underline"
        onClick={() => go({ view: "thread", id: entry.threadId })}
      >
        <ForeignText text={entry.threadTitle} />
      </button>
      {entry.agentPath.length > 0 && <AgentPath path={entry.agentPath} />}
      <span className="flex-1 max-wide:hidden" />
      {receipt && (
        <span className={receipt.exitCode ? "text-bad" : undefined}>
          {receipt.answer && `${strings.serverProofs[receipt.answer.proof]} · `}
          {receipt.exitCode !== undefined && `${ledgerStrings.exit(receipt.exitCode)} · `}
          {formatDuration(receipt.durationMs)}
        </span>
      )}
      <time dateTime={at.toISOString()}>{at.toLocaleString()}</time>
    </div>
  );
}

/** What the page said was on its screen when the person decided. */
function wordsOfSight(seen: LedgerEntry["seen"]): string {
  if (!seen) return ledgerStrings.seenUnknown;
  const { inFull, ms, among } = seen;
  const parts = [
    inFull ? ledgerStrings.seenInFull : ledgerStrings.notSeenInFull,
    ms > 0 ? ledgerStrings.onScreenFor(formatDuration(ms)) : ledgerStrings.neverOnScreen,
    ...(among === undefined ? [] : [ledgerStrings.among(among)]),
  ];
  return parts.join(" · ");
}

/** Folded: where it ran, why it was judged so, by which rules, with which arguments, and the way to its output. */
function More({ entry: listed }: { entry: LedgerEntry }) {
  const [open, setOpen] = useState(false);
  const [whole, setWhole] = useState<LedgerEntry>();
  const entry = whole ?? listed;
  const home = useHost((store) => store.host?.home);
  const { threadId, itemId, position, by } = entry;
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-ink-3">{ledgerStrings.ledgerMore}</summary>
      {open && (
        <div className="flex flex-col gap-1.5 pt-1 pl-3">
          <p>
            {ledgerStrings.ledgerFolder}: <ExactText text={shortenPath(entry.cwd, home)} />
          </p>
          {entry.width && (
            <p>
              <ForeignText text={wordsOfWidth(entry.width, entry.cwd)} />
            </p>
          )}
          {by.kind === "rule" && (
            <p>
              {ledgerStrings.ledgerRules}: <ExactText text={by.ruleIds.join(", ")} />
            </p>
          )}
          <UnitChips verdict={entry.verdict} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long arguments scroll and must be reachable by keyboard */}
          <pre tabIndex={0} className="max-h-60 overflow-y-auto rounded-md bg-sunken px-2 py-1">
            <ExactText text={jsonText(entry.finalArgs ?? entry.originalArgs)} />
          </pre>
          {entry.leftOut !== undefined && (
            <LeftOut
              text={ledgerStrings.leftOut(formatBytes(entry.leftOut))}
              action={ledgerStrings.showWhole}
              onShow={async () => setWhole(await client().call("approvals.ledgerEntry", { id: entry.id }))}
              describe={describeError}
            />
          )}
          {itemId !== undefined && position !== undefined && (
            <Button
              small
              className="self-start"
              onClick={() => openHit({ threadId, itemId, position, snippet: "" })}
            >
              {ledgerStrings.showCall}
            </Button>
          )}
        </div>
      )}
    </details>
  );
}

const mostLines = 6;
const mostChars = 800;

function LedgerSubject({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const begins = beginningOf(text);
  // A button takes the room of a line or two: so little is not folded away.
  const folds = text.length - begins.length > 160 || text.slice(begins.length).split("\n").length > 3;
  return (
    <div className="flex flex-col items-start gap-1">
      <ExactText text={all || !folds ? text : `${begins} …`} />
      {folds && (
        <Button small look="quiet" aria-expanded={all} className="-ml-2" onClick={() => setAll(!all)}>
          {all ? ledgerStrings.showBeginning : ledgerStrings.showAllLines(text.split("\n").length)}
        </Button>
      )}
    </div>
  );
}

/** Whole characters, also where one takes two. */
function beginningOf(text: string): string {
  const head = text.split("\n", mostLines).join("\n");
  return head.length > mostChars ? head.slice(0, mostChars).replace(/[\uD800-\uDBFF]$/, "") : head;
}
