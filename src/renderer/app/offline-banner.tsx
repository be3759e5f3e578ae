/** Says plainly when the host does not answer, and shows what the host wants known about its start. */
import { TriangleAlert, Unplug } from "lucide-react";
import { useConnection } from "../base/stores/connection-store.ts";
import { useHost } from "../base/stores/host-store.ts";
import { strings } from "../base/strings.ts";
import { Button } from "../ui/button.tsx";

export function OfflineBanner() {
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
