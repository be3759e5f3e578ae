/** Brings the window up over a given line to the host, with its own actions; separate from `main.tsx` so that tests bring their own line. */
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { registerActions } from "../base/actions.ts";
import { startAttention } from "../base/attention.ts";
import { type Client, provideClient } from "../base/client.ts";
import { followPulse } from "../base/host-pulse.ts";
import { followInView } from "../base/in-view.ts";
import { readKeyLayout } from "../base/key-layout.ts";
import { isInModal, isTextField, keepCompositions, startKeys } from "../base/keys.ts";
import { goByKey, startNavigation } from "../base/navigation.ts";
import { startPainted } from "../base/painted.ts";
import { startPointerAim } from "../base/pointer-aim.ts";
import { followConsole } from "../base/stores/console-stream.ts";
import { startDrafts } from "../base/stores/drafts-store.ts";
import { useConnection } from "../base/stores/host-store.ts";
import { applyAppearance } from "../base/stores/settings-store.ts";
import { strings } from "../base/strings.ts";
import { registerQueueActions } from "../features/approvals/queue-actions.ts";
import { startQueueFocus } from "../features/approvals/queue-focus.ts";
import { startSayingGone } from "../features/approvals/say-gone.ts";
import { showEntry } from "../features/approvals/show-entry.ts";
import { registerPaletteActions } from "../features/palette/palette-actions.ts";
import { startReadGauge } from "../features/seen/read-gauge.ts";
import { registerStripActions } from "../features/strip/strip-actions.ts";
import { createThread } from "../features/threads/create-thread.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { openKeySheet } from "../ui/key-sheet.tsx";
import { startNotifications } from "./notifications.ts";
import { Shell } from "./shell.tsx";
import { stopAllAutoApprove } from "./status-line.tsx";

/** @returns a function that takes the window down again. */
export function startConsole(client: Client, container: HTMLElement): () => void {
  const life = new AbortController();
  provideClient(client);
  startNavigation();
  void readKeyLayout();
  const ends = [
    applyAppearance(),
    keepCompositions(),
    startKeys(),
    startPainted(),
    startPointerAim(),
    startReadGauge(),
    startQueueFocus(),
    startSayingGone(),
    startDrafts(),
    startAttention(),
    startNotifications(),
    followInView(client),
    registerShellActions(),
    registerQueueActions(),
    registerPaletteActions(),
    registerStripActions(),
    followPulse(
      client,
      () => useConnection.getState().state === "online",
      (silent) => useConnection.setState({ silent }),
    ),
  ];
  followConsole(client, life.signal, showEntry);
  const root = createRoot(container);
  root.render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <Tooltip.Provider delay={400}>
          <ErrorBoundary what={strings.theConsole}>
            <Shell />
          </ErrorBoundary>
        </Tooltip.Provider>
      </CSPProvider>
    </StrictMode>,
  );
  return () => {
    life.abort();
    root.unmount();
    for (const end of ends) end();
  };
}

/** The actions that work everywhere: going places, the key sheet, a new thread, and the brake for auto-approve. */
function registerShellActions(): () => void {
  const { sections, actions } = strings;
  return registerActions([
    {
      id: "go.queue",
      label: actions.goQueue,
      section: sections.go,
      keys: ["g q"],
      run: () => goByKey({ view: "queue" }),
    },
    {
      id: "go.threads",
      label: actions.goThreads,
      section: sections.go,
      keys: ["g t"],
      run: () => goByKey({ view: "threads" }),
    },
    {
      id: "app.keys",
      label: actions.keySheet,
      section: sections.app,
      keys: ["[Shift]+?"],
      run: openKeySheet,
    },
    {
      id: "field.leave",
      label: actions.leaveField,
      section: sections.app,
      keys: ["Escape"],
      inTextFields: true,
      hidden: true,
      when: () => isTextField(document.activeElement) && !isInModal(document.activeElement),
      run: () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
    },
    {
      id: "threads.new",
      label: actions.newThread,
      section: sections.threads,
      keys: ["$mod+Alt+n"],
      inTextFields: true,
      run: () => void createThread(),
    },
    {
      id: "autoApprove.stopAll",
      label: actions.stopAutoApprove,
      section: sections.app,
      keys: ["$mod+Shift+Digit0"],
      inTextFields: true,
      run: () => void stopAllAutoApprove(),
    },
  ]);
}
