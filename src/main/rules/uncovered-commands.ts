/** Decides whether a command that would be asked about runs confined instead: everything that could speak against it is asked first. */
import type { Settings } from "../../shared/contract/console.ts";
import type { Verdict, Width } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { isBoundedBySandbox } from "../policy/bounded/sandbox-effect.ts";
import type { ConfinedWidth } from "../sandbox/confinement.ts";

/** What confines commands. */
export type Confining = {
  /** `why` is a part of a sentence: "…, because …" */
  ready(): Promise<{ readonly usable: true } | { readonly usable: false; readonly why: string }>;
  /** How far a command of this verdict would reach. */
  widthOf(verdict: Verdict): Width;
};

/** Nothing that was asked about is confined yet, so nothing can be allowed because of it. */
export const notConfined: Confining = {
  ready: async () => ({ usable: false, why: "commands that no rule covers are not confined yet" }),
  widthOf: () => "outside",
};

export type UncoveredCommands = {
  /** Why the setting cannot be turned on here; undefined when it can. */
  problem(): Promise<string | undefined>;
  /**
   * How far a command may reach that runs without anybody being asked.
   * @returns undefined when it is asked about
   */
  widthUnasked(
    verdict: Verdict,
    place: { id: ThreadId | undefined; workspace: string },
  ): Promise<ConfinedWidth | undefined>;
};

export type UncoveredParts = {
  /** Of the host's own file alone: no folder can turn it on. */
  setting(): Settings["uncoveredCommands"];
  confining: Confining;
  isTrusted(workspace: string): boolean;
  /** Whether a file of rules, the folder's own among them, says that uncovered commands ask. */
  uncoveredAsk(place: { id: ThreadId | undefined; workspace: string }): boolean;
};

export function createUncoveredCommands(parts: UncoveredParts): UncoveredCommands {
  const { confining } = parts;
  return {
    async problem() {
      const state = await confining.ready();
      return state.usable ? undefined : state.why;
    },
    async widthUnasked(verdict, place) {
      if (parts.setting() !== "confined" || !isBoundedBySandbox(verdict)) return undefined;
      if (!parts.isTrusted(place.workspace) || parts.uncoveredAsk(place)) return undefined;
      // Last, because the sandbox is attacked at its first use.
      if (!(await confining.ready()).usable) return undefined;
      const width = confining.widthOf(verdict);
      return width === "outside" ? undefined : width;
    },
  };
}
