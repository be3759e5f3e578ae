/** Whether the host answers, and whether its first snapshot has arrived. */
import { create } from "zustand";
import type { ConnectionState } from "../reconnecting-client.ts";

type Connection = {
  state: ConnectionState;
  /** Why there is no connection, in a sentence, while offline. */
  problem?: string;
  ready: boolean;
  /** The connection is there, but for seconds nothing has been answered. */
  silent: boolean;
};

export const useConnection = create<Connection>(() => ({ state: "connecting", ready: false, silent: false }));
