/** Commands that would be asked about and run confined instead: whether one may, and the switch that lets them. */
import type { Settings } from "../../shared/contract/console.ts";
import type { Output } from "../../shared/contract/contract.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { ThreadId } from "../../shared/ids.ts";
import { type ConfinedWidth, reachesBeyond } from "../../shared/width.ts";
import { isBoundedBySandbox } from "../policy/bounded/sandbox-effect.ts";
import { widthOf } from "../policy/width-of.ts";
import type { Probe } from "../sandbox/probe.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { RuleBook } from "./rule-book.ts";

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

/** The switch that lets uncovered commands run confined: when it is offered, what a person is told before, and whether it may be turned on. */
export type ConfinedSwitch = {
  /** What it would have meant so far, in one folder or in all; in all is what a person has to be told first. */
  preview(workspace: string | undefined): Promise<Output<"rules.previewConfined">>;
  /** Once a folder is trusted, and after a no again when more was decided; nothing where it would spare too little. */
  offer(): Promise<Output<"rules.offerConfined">>;
  /** The person does not want it now. */
  decline(): Promise<void>;
  /** Why it may not be turned on, in a sentence; undefined when it may. */
  problem(): Promise<string | undefined>;
};

type ConfinedSwitchParts = {
  settings(): Settings;
  update(patch: Partial<Settings>): Settings;
  trustsAny(): boolean;
  rules: Pick<RuleBook, "previewConfined">;
  uncovered: Pick<UncoveredCommands, "problem">;
};

/** One decision is none, two are chance. */
const enough = 3;
/** After a no it is offered once more when so much was decided. */
const decidedForAnother = 50;

/** @returns the switch, which forgets with the host whether the person was told. */
export function createConfinedSwitch(parts: ConfinedSwitchParts): ConfinedSwitch {
  const { settings, update, trustsAny, rules, uncovered } = parts;
  let wasTold = false;

  async function preview(workspace: string | undefined) {
    const found = await rules.previewConfined(workspace);
    const unavailable = await uncovered.problem();
    wasTold ||= workspace === undefined;
    return { ...found, unavailable };
  }

  return {
    preview,
    async offer() {
      const { uncoveredCommands, confinedOffer } = settings();
      if (uncoveredCommands !== "ask" || confinedOffer === "declined" || !trustsAny()) return {};
      const offer = await preview(undefined);
      const isDue = confinedOffer === "open" || offer.decided >= decidedForAnother;
      return isDue && offer.unavailable === undefined && offer.wouldRun >= enough ? { offer } : {};
    },
    async decline() {
      const { decided } = await rules.previewConfined(undefined);
      update({ confinedOffer: decided >= decidedForAnother ? "declined" : "later" });
    },
    async problem() {
      const why = await uncovered.problem();
      if (why !== undefined) return `This cannot be turned on here, because ${why}.`;
      if (wasTold || settings().uncoveredCommands === "confined") return undefined;
      return "This can be turned on once you were shown what it would have meant for your own decisions: settings, Deciding.";
    },
  };
}
