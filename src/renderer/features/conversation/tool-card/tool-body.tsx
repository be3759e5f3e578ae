/** The part of a tool card below its head: live output, a diff, a result; each kind of tool shows what matters of it. */
import { type ReactNode, Suspense } from "react";
import type { FileDiff } from "../../../../shared/contract/approvals.ts";
import type { ToolCallItem } from "../../../../shared/contract/transcript.ts";
import { kindOf, type ToolKind, type ToolOfKind } from "../../../../shared/tools/tools.ts";
import { withoutExitNote } from "../../../../shared/transcript/find-text.ts";
import { jsonText } from "../../../base/json-text.ts";
import { lazyPart } from "../../../base/load-code.ts";
import { openTerminal } from "../../../base/stores/side-store.ts";
import { ExactText } from "../../../ui/exact-text.tsx";
import { FoldedOutput } from "../../terminal/ansi-output.tsx";
import { LiveOutput } from "../../terminal/live-output.tsx";
import { useLog } from "../../terminal/use-log.ts";
import { useSought } from "../find/find-store.ts";
import { strings } from "../strings.ts";
import { useOpen } from "../transcript/open-state.ts";
import { SubAgentRun } from "../transcript/sub-agent-run.tsx";
import { joinLog } from "./join-log.ts";
import { argsOf, hasFailed, textArg } from "./tool-subject.ts";

type Body = (props: { item: ToolCallItem }) => ReactNode;

const bodies: Record<ToolKind, Body> = {
  command: CommandBody,
  change: ChangeBody,
  read: FoundBody,
  web: FoundBody,
  delegate: SubAgentRun,
  plan: ({ item }) => (hasFailed(item) ? <Result item={item} /> : null),
  question: AnswerBody,
  foreign: ForeignBody,
};

export function ToolBody({ item }: { item: ToolCallItem }) {
  const Body = bodies[kindOf(item.tool)];
  return <Body item={item} />;
}

function ChangeBody({ item }: { item: ToolCallItem }) {
  const change = changeOf(item);
  if (!change) return <FoundBody item={item} />;
  if (item.outcome === "failed" || item.outcome === "denied") return <Result item={item} />;
  return (
    <>
      <ChangeDiff {...change} />
      {hasFailed(item) && <Result item={item} />}
    </>
  );
}

function FoundBody({ item }: { item: ToolCallItem }) {
  return hasFailed(item) ? <Result item={item} /> : <FoldedResult item={item} />;
}

function AnswerBody({ item }: { item: ToolCallItem }) {
  if (!item.result) return null;
  return <p className="px-3 pb-2 whitespace-pre-wrap [overflow-wrap:anywhere]">{item.result}</p>;
}

function ForeignBody({ item }: { item: ToolCallItem }) {
  return (
    <>
      <Arguments item={item} />
      <FoundBody item={item} />
    </>
  );
}

function Result({ item }: { item: ToolCallItem }) {
  const sought = useSought(item.id);
  if (!item.result) return null;
  const shown = { label: strings.result, text: item.result, failed: hasFailed(item), sought };
  return <FoldedOutput {...shown} foreign />;
}

/** What a reading tool found matters to the agent; the person opens it when they care. */
function FoldedResult({ item }: { item: ToolCallItem }) {
  const [open, setOpen] = useOpen(item.id, false);
  if (!item.result) return null;
  const lines = item.result.trimEnd().split("\n").length;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="text-sm">
      <summary className="cursor-pointer px-3 pb-2 text-ink-3">{strings.shownText(lines)}</summary>
      {open && <Result item={item} />}
    </details>
  );
}

function Arguments({ item }: { item: ToolCallItem }) {
  const args = argsOf(item);
  const [open, setOpen] = useOpen(`${item.id}:arguments`, item.state === "waiting");
  if (Object.keys(args).length === 0) return null;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="text-sm">
      <summary className="cursor-pointer px-3 pb-2 text-ink-3">{strings.arguments}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long arguments scroll and must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-60 overflow-y-auto border-t border-line px-3 py-2">
        <ExactText text={jsonText(args)} />
      </pre>
    </details>
  );
}

const DiffView = lazyPart(() => import("../../../ui/diff-view.tsx"));
/** What the log says where it left out the middle of a long argument. */
const cutMark = /\n… \d+ characters left out …\n/;

/** `line`: the number of the first one in the file, where that is known. */
type Change = { diff: FileDiff; line: number | undefined };

function ChangeDiff({ diff, line }: Change) {
  const cut = cutMark.test(diff.before ?? "") || cutMark.test(diff.after ?? "");
  return (
    <div className="px-3 pb-2">
      <Suspense fallback={<div className="h-10" />}>
        <DiffView
          diff={diff}
          firstLine={line}
          unnumbered={line === undefined || cut}
          tooLarge={strings.noDiff}
        />
      </Suspense>
      {cut && <p className="text-sm text-ink-3">{strings.contentCut}</p>}
    </div>
  );
}

/** @returns `undefined` for a change of which nothing shows what it is. */
function changeOf(item: ToolCallItem): Change | undefined {
  if (kindOf(item.tool) !== "change") return undefined;
  const path = textArg(item, "file_path", "path") ?? "";
  const excerpt = item.receipt?.excerpt;
  if (excerpt) {
    const { line, before, after } = excerpt;
    return { diff: { path, before, after, tooLarge: false }, line };
  }
  const texts = textsOf[item.tool as ToolOfKind<"change">](argsOf(item));
  // A text that is to be replaced says not where in the file it stands; what is written is all of it.
  return texts && { diff: { path, ...texts, tooLarge: false }, line: texts.before === null ? 1 : undefined };
}

type Texts = Pick<FileDiff, "before" | "after">;

/** What the arguments of each tool show of the content before and after. */
const textsOf: Record<ToolOfKind<"change">, (args: Record<string, unknown>) => Texts | undefined> = {
  write_file: ({ content }) => (typeof content === "string" ? { before: null, after: content } : undefined),
  edit_file: ({ old_string: before, new_string: after }) =>
    typeof before === "string" && typeof after === "string"
      ? // Pieces of a file have no line end of their own; without one each would be said to lack it.
        { before: `${before}\n`, after: `${after}\n` }
      : undefined,
  delete: () => undefined,
  move_file: () => undefined,
};

/** A command below its head: what it prints while it runs, and afterwards what it printed, in its colours. */
function CommandBody({ item }: { item: ToolCallItem }) {
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
