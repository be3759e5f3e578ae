/** What the host tells of itself and adds up: version, mode, folders, warnings of this start; what was spent today; whether it is there. */
import { create } from "zustand";
import type { HostInfo } from "../../../shared/contract/console.ts";
import type { DaySpent } from "../../../shared/contract/costs.ts";
import type { ConnectionState } from "../reconnecting-client.ts";

export const useHost = create<{ host: HostInfo | null; dismissedWarnings: boolean }>(() => ({
  host: null,
  dismissedWarnings: false,
}));

/** The host's facts, as soon as it has told them: what is clicked while the window still connects waits for it. */
export function knownHost(): Promise<HostInfo> {
  return new Promise((resolve) => {
    const look = ({ host }: { host: HostInfo | null }) => {
      if (host === null) return;
      stop();
      resolve(host);
    };
    const stop = useHost.subscribe(look);
    look(useHost.getState());
  });
}

/** What was spent today, as the host adds it up; `null` until it has told. */
export const useSpending = create<{ today: DaySpent | null }>(() => ({ today: null }));

type Connection = {
  state: ConnectionState;
  /** Why there is no connection, in a sentence, while offline. */
  problem?: string;
  ready: boolean;
  /** The connection is there, but for seconds nothing has been answered. */
  silent: boolean;
};

export const useConnection = create<Connection>(() => ({ state: "connecting", ready: false, silent: false }));
