/** The frame of the window: rail, list column where a view leaves room for it, main pane, status line; one pane at a time when narrow. */
import { TriangleAlert, Unplug } from "lucide-react";
import { Suspense, useEffect } from "react";
import { common } from "../base/common-strings.ts";
import { lazyPart } from "../base/load-code.ts";
import { useIsWide } from "../base/media.ts";
import { cameByKey, useRoute } from "../base/navigation.ts";
import { useConnection, useHost } from "../base/stores/host-store.ts";
import { usePaneWidths } from "../base/stores/pane-widths.ts";
import { useSideTakesColumn } from "../base/stores/side-store.ts";
import { strings } from "../base/strings.ts";
import { QueueRegion } from "../features/approvals/queue-region.tsx";
import { WaitsElsewhere } from "../features/approvals/waits-elsewhere.tsx";
import { AutoApproveDialog } from "../features/auto-approve/auto-approve-dialog.tsx";
import { FirstRunPanel } from "../features/first-run/first-run-panel.tsx";
import { Palette } from "../features/palette/palette.tsx";
import { useFolderChooser } from "../features/threads/create-thread.ts";
import { ThreadDialogs } from "../features/threads/thread-dialogs.tsx";
import { ThreadList } from "../features/threads/thread-list.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { KeySheet } from "../ui/key-sheet.tsx";
import { PaneEdge } from "../ui/pane-edge.tsx";
import { Toasts } from "../ui/toast.tsx";
import { ErrorState } from "../ui/unanswered.tsx";
import { Rail } from "./rail.tsx";
import { StatusLine } from "./status-line.tsx";
import { viewOf } from "./views.ts";

export function Shell() {
  const wide = useIsWide();
  const ready = useConnection((state) => state.ready);
  const problem = useConnection((state) => (state.state === "offline" ? state.problem : undefined));
  const { view, id } = useRoute();
  const shown = viewOf(view);
  const sideTakesColumn = useSideTakesColumn() && view === "thread";
  return (
    <div className="flex h-full flex-col">
      <SkipLink />
      <OfflineBanner />
      <div className="flex min-h-0 flex-1">
        <Rail />
        {wide && !shown.fillsWindow && !sideTakesColumn && (
          <ListColumn openThread={view === "thread" ? (id ?? "") : undefined} />
        )}
        <main
          aria-label={shown.label}
          tabIndex={-1}
          className="flex min-w-0 flex-1 flex-col bg-bg outline-none"
        >
          {/* The first steps and what stands below them come together, so that nothing moves under a hand. */}
          <Suspense fallback={<Waiting />} key={shown.id}>
            {ready && shown.id === "queue" && (
              <ErrorBoundary what={strings.firstSteps}>
                <FirstRunPanel />
              </ErrorBoundary>
            )}
            <ErrorBoundary what={shown.label}>
              {ready ? <shown.component id={id} /> : <Waiting problem={problem} />}
            </ErrorBoundary>
            <Arrival />
          </Suspense>
        </main>
      </div>
      <StatusLine />
      <Toasts />
      <KeySheet />
      <Palette />
      <ThreadOverlays />
    </div>
  );
}

/** Threads on top, so that they do not move when a thread opens; below them what waits, but for an open thread, which has its own. */
function ListColumn({ openThread }: { openThread?: string }) {
  const width = usePaneWidths(({ list }) => list);
  const ready = useConnection((state) => state.ready);
  return (
    <aside
      aria-label={strings.listColumn}
      style={{ width }}
      className="relative flex w-[344px] max-w-[45%] shrink-0 flex-col border-r border-line bg-surface"
    >
      <PaneEdge pane="list" label={strings.listWidth} side="right" />
      <div className="flex min-h-44 flex-1 flex-col">
        <ThreadList />
      </div>
      {/* How much room it takes is known once it is. */}
      {openThread !== undefined ? (
        <WaitsElsewhere threadId={openThread} />
      ) : (
        ready && (
          <div className="flex max-h-[62%] min-h-0 flex-col border-t border-line">
            <QueueRegion compact />
          </div>
        )
      )}
    </aside>
  );
}

function Waiting({ problem }: { problem?: string }) {
  if (problem) return <ErrorState title={strings.notConnected} problem={problem} />;
  return (
    <p role="status" className="m-auto text-ink-3">
      {common.loading}
    </p>
  );
}

/** The first thing Tab reaches: past the frame to what the person came for. Seen only while it has the focus. */
function SkipLink() {
  return (
    <button
      type="button"
      onClick={skip}
      className="sr-only focus:not-sr-only focus:fixed! focus:top-2 focus:left-2 focus:z-50 focus:min-h-8 focus:rounded-md focus:border focus:border-line-strong focus:bg-raised focus:px-3 focus:py-1.5 focus:shadow-pop"
    >
      {strings.skip}
    </button>
  );
}

/**
 * To the current card where there is one in the view, to the first of its threads, else to the conversation or the view.
 * @returns whether it was a card or a thread.
 */
function skip(): boolean {
  const main = document.querySelector("main");
  const find = (selector: string) => main?.querySelector<HTMLElement>(selector);
  const first = find("[data-row][tabindex='0'], ul [data-thread], [data-queue] article[tabindex='0']");
  (first ?? find("[role=log]") ?? main)?.focus({ preventScroll: first == null });
  return first != null;
}

/** A list draws its rows some frames after it stands there. */
const framesToDraw = 5;

/** A view that a key led to has the focus, so that its own keys act and its name is heard. */
function Arrival() {
  const route = useRoute();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each way leads anew
  useEffect(() => {
    if (!cameByKey()) return;
    // Who goes through the rows stays in them.
    if (document.activeElement?.closest("[data-queue-row]")) return;
    let frame = 0;
    const lead = (left: number) => {
      if (!skip() && left > 0) frame = requestAnimationFrame(() => lead(left - 1));
    };
    lead(framesToDraw);
    return () => cancelAnimationFrame(frame);
  }, [route]);
  return null;
}

const FolderChooser = lazyPart(() => import("../features/threads/folder-chooser.tsx"));

/** The dialogs about threads, drawn once whatever pane is shown. */
function ThreadOverlays() {
  const choosing = useFolderChooser((state) => state.open);
  return (
    <>
      <ThreadDialogs />
      <AutoApproveDialog />
      {choosing && (
        <Suspense>
          <FolderChooser />
        </Suspense>
      )}
    </>
  );
}

/** Says plainly when the host does not answer, and shows what the host wants known about its start. */
function OfflineBanner() {
  const state = useConnection((connection) => connection.state);
  const silent = useConnection((connection) => connection.silent && connection.state === "online");
  const ready = useConnection((connection) => connection.ready);
  const warnings = useHost((store) => (store.dismissedWarnings ? undefined : store.host?.warnings));
  return (
    <header aria-live="polite">
      {ready && state !== "online" && <Outage>{strings.offline}</Outage>}
      {silent && <Outage>{strings.silent}</Outage>}
      {warnings && warnings.length > 0 && (
        <div className="flex items-center gap-2 bg-warn-soft px-3 py-1.5 text-warn [&_svg]:size-4">
          <TriangleAlert aria-hidden className="shrink-0" />
          <span className="flex-1">{warnings.join(" ")}</span>
          <Button small look="quiet" onClick={() => useHost.setState({ dismissedWarnings: true })}>
            {strings.dismiss}
          </Button>
        </div>
      )}
    </header>
  );
}

/** Lies over the head of the view and takes no press, so that nothing moves when it comes and goes. */
function Outage({ children }: { children: string }) {
  return (
    <p className="pointer-events-none fixed top-1.5 left-1/2 z-30 flex w-max max-w-[calc(100vw-64px)] -translate-x-1/2 items-center gap-2 rounded-md border border-warn bg-warn-soft px-3 py-1.5 text-warn shadow-pop [&_svg]:size-4 [&_svg]:shrink-0">
      <Unplug aria-hidden />
      {children}
    </p>
  );
}
