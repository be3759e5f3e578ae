/** Decides whether a command that would be asked about runs confined instead: everything that could speak against it is asked first. */
import type { Settings } from "../../shared/contract/console.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type ConfinedWidth, reachesBeyond } from "../../shared/width.ts";
import { isBoundedBySandbox } from "../policy/bounded/sandbox-effect.ts";
import { widthOf } from "../policy/width-of.ts";
import type { Probe } from "../sandbox/probe.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

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
  sandbox: Pick<Sandbox, "mode" | "ready" | "folders">;
  isTrusted(workspace: string): boolean;
  /** Whether a file of rules, the folder's own among them, says that uncovered commands ask. */
  uncoveredAsk(place: { id: ThreadId | undefined; workspace: string }): boolean;
};

/** @returns one that asks all of them again at each command, so that a change holds at once. */
export function createUncoveredCommands(parts: UncoveredParts): UncoveredCommands {
  const { sandbox } = parts;
  const ready = async (): Promise<Probe> =>
    sandbox.mode() === "off"
      ? { usable: false, why: "confined commands are switched off in the settings" }
      : sandbox.ready();
  return {
    async problem() {
      const probed = await ready();
      return probed.usable ? undefined : probed.why;
    },
    async widthUnasked(verdict, place) {
      if (parts.setting() !== "confined" || !isBoundedBySandbox(verdict)) return undefined;
      if (!parts.isTrusted(place.workspace) || parts.uncoveredAsk(place)) return undefined;
      // Last, because the sandbox is attacked at its first use.
      if (!(await ready()).usable) return undefined;
      const width = widthOf(verdict, sandbox.folders());
      return width === "outside" || reachesBeyond(width) ? undefined : width;
    },
  };
}
