/** Facts about the host that serves this window: version, mode, folders, warnings of this start. */
import { create } from "zustand";
import type { HostInfo } from "../../../shared/contract/console.ts";

export const useHost = create<{ host: HostInfo | null; dismissedWarnings: boolean }>(() => ({
  host: null,
  dismissedWarnings: false,
}));
