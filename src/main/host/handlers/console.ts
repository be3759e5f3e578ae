/** Answers the contract's calls about the console itself: its state, settings, backups and links. */
import type { Settings } from "../../../shared/contract/console.ts";
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import { type ConsoleSource, watchConsole } from "../console-feed.ts";

type Names =
  | "host.info"
  | "host.backup"
  | "host.openLink"
  | "settings.get"
  | "settings.update"
  | "console.watch";

export type ConsoleHandlerParts = {
  source: ConsoleSource;
  updateSettings(patch: Partial<Settings>): Settings;
  backup(): string;
  openLink: ((url: string) => Promise<boolean>) | undefined;
};

export function createConsoleHandlers(parts: ConsoleHandlerParts): Pick<Handlers, Names> {
  return {
    "host.info": () => parts.source.info(),
    "host.backup": () => ({ path: parts.backup() }),
    "host.openLink": async ({ url }) => ({ opened: parts.openLink ? await parts.openLink(url) : false }),
    "settings.get": () => parts.source.settings(),
    "settings.update": (patch) => parts.updateSettings(patch),
    "console.watch": (_input, { signal }) => watchConsole(parts.source, signal),
  };
}
