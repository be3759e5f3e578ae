/** Brings the window up over a given line to the host; separate from `main.tsx` so that tests bring their own line. */
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startAttention } from "../base/attention.ts";
import { type Client, provideClient } from "../base/client.ts";
import { followPulse } from "../base/host-pulse.ts";
import { followInView } from "../base/in-view.ts";
import { readKeyLayout } from "../base/key-layout.ts";
import { keepCompositions, startKeys } from "../base/keys.ts";
import { startNavigation } from "../base/navigation.ts";
import { startPainted } from "../base/painted.ts";
import { startPointerAim } from "../base/pointer-aim.ts";
import { useConnection } from "../base/stores/connection-store.ts";
import { followConsole } from "../base/stores/console-stream.ts";
import { startDrafts } from "../base/stores/drafts-store.ts";
import { applyAppearance } from "../base/stores/settings-store.ts";
import { strings } from "../base/strings.ts";
import { registerQueueActions } from "../features/approvals/queue-actions.ts";
import { startQueueFocus } from "../features/approvals/queue-focus.ts";
import { startSayingGone } from "../features/approvals/say-gone.ts";
import { showEntry } from "../features/approvals/show-entry.ts";
import { registerPaletteActions } from "../features/palette/palette-actions.ts";
import { startReadGauge } from "../features/seen/read-gauge.ts";
import { registerStripActions } from "../features/strip/strip-actions.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { startNotifications } from "./notifications.ts";
import { Shell } from "./shell.tsx";
import { registerShellActions } from "./shell-actions.ts";

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
