/** Answers the contract's calls about the console itself: its state, settings, backups and links. */
import { once } from "node:events";
import type { DataCheckItem, Settings } from "../../../shared/contract/console.ts";
import type { Output } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { ConfinedSwitch } from "../../rules/confined-switch.ts";
import type { KeyStore } from "../../settings/key-store.ts";
import type { CheckPlaces } from "../check-places.ts";
import { type ConsoleSource, watchConsole } from "../console-feed.ts";

type Names = Extract<keyof Handlers, `host.${string}` | `settings.${string}` | `console.${string}`>;

export type ConsoleHandlerParts = {
  source: ConsoleSource;
  confinedSwitch: Pick<ConfinedSwitch, "problem">;
  updateSettings(patch: Partial<Settings>): Settings;
  /** The places of confined commands as they are kept: real ones. @throws ContractError `invalid-input` of one that cannot be meant */
  checkPlaces: CheckPlaces;
  keys: KeyStore;
  backup(): Promise<Output<"host.backup">>;
  checkData(signal: AbortSignal): AsyncGenerator<DataCheckItem>;
  /** @returns what ends it */
  inView(): () => void;
  openLink: ((url: string) => Promise<boolean>) | undefined;
};

/** @returns a handler for each call about the console itself. */
export function createConsoleHandlers(parts: ConsoleHandlerParts): Pick<Handlers, Names> {
  return {
    "host.info": () => parts.source.info(),
    "host.backup": () => parts.backup(),
    "host.checkData": (_input, { signal }) => parts.checkData(signal),
    "host.openLink": async ({ url }) => ({ opened: parts.openLink ? await parts.openLink(url) : false }),
    "settings.get": () => parts.source.settings(),
    async "settings.update"(patch) {
      const why = patch.uncoveredCommands === "confined" ? await parts.confinedSwitch.problem() : undefined;
      if (why !== undefined) throw new ContractError("conflict", why, { field: "uncoveredCommands" });
      return parts.updateSettings({ ...patch, ...parts.checkPlaces(patch) });
    },
    async "settings.setSearchKey"({ key }) {
      if (key === null) await parts.keys.remove("tavily");
      else await parts.keys.set("tavily", key);
      return {};
    },
    async "settings.searchKey"({ unlock }) {
      await (unlock ? parts.keys.unlock("tavily") : parts.keys.open(["tavily"]));
      return { keyStorage: parts.keys.storageOf("tavily") };
    },
    "console.watch": (_input, { signal }) => watchConsole(parts.source, signal),
    "console.inView": (_input, { signal }) => stayInView(parts.inView, signal),
  };
}

async function* stayInView(inView: () => () => void, signal: AbortSignal): AsyncGenerator<never> {
  const end = inView();
  try {
    if (!signal.aborted) await once(signal, "abort");
    yield* [];
  } finally {
    end();
  }
}
