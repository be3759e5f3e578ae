/** Brings the window up over a given line to the host; separate from `main.tsx` so that tests bring their own line. */
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { registerQueueActions } from "../features/approvals/queue-actions.ts";
import { registerPaletteActions } from "../features/palette/palette-store.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { startAttention } from "./attention.ts";
import { type Client, provideClient } from "./client.ts";
import { startKeys } from "./keys.ts";
import { startNavigation } from "./navigation.ts";
import { startNotifications } from "./notifications.ts";
import { Shell } from "./shell.tsx";
import { registerShellActions } from "./shell-actions.ts";
import { followConsole } from "./stores/console-stream.ts";
import { applyAppearance } from "./stores/settings-store.ts";
import { strings } from "./strings.ts";

/** @returns a function that takes the window down again. */
export function startConsole(client: Client, container: HTMLElement): () => void {
  const life = new AbortController();
  provideClient(client);
  startNavigation();
  const ends = [
    applyAppearance(),
    startKeys(),
    startAttention(),
    startNotifications(),
    registerShellActions(),
    registerQueueActions(),
    registerPaletteActions(),
  ];
  followConsole(client, life.signal);
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
