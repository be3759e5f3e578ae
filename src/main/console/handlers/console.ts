/** Answers the contract's calls about the console itself: its state, settings, backups and links. */
import { once } from "node:events";
import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import type { Settings } from "../../../shared/contract/console.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import { toApproval } from "../../approvals/approval-view.ts";
import { realOf } from "../../paths/real-of.ts";
import { problemOfFolder } from "../../sandbox/named-folders.ts";
import { type ConsoleSource, watchConsole } from "../console-feed.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { watchCheck } from "../data-check.ts";

/** @returns a handler for each call about the console itself. */
export function createConsoleHandlers(parts: ConsoleParts): HandlersOf<"host" | "settings" | "console"> {
  const { options, settings, keys, inspector, serverDesk, confinedSwitch } = parts;
  const checkPlaces = createPlaceCheck({ home: homedir(), dataDir: options.dataDir });
  return {
    "host.info": () => parts.info,
    "host.backup": () => inspector.backUp("on-demand"),
    "host.checkData": (_input, { signal }) => watchCheck(inspector, options.dataDir, signal),
    "host.openLink": async ({ url }) => ({ opened: (await options.openLink?.(url)) ?? false }),
    "settings.get": settings.get,
    async "settings.update"(patch) {
      const why = patch.uncoveredCommands === "confined" ? await confinedSwitch.problem() : undefined;
      if (why !== undefined) throw new ContractError("conflict", why, { field: "uncoveredCommands" });
      return settings.update({ ...patch, ...checkPlaces(patch) });
    },
    async "settings.setSearchKey"({ key }) {
      if (key === null) await keys.remove("tavily");
      else await keys.set("tavily", key);
      return {};
    },
    async "settings.searchKey"({ unlock }) {
      await (unlock ? keys.unlock("tavily") : keys.open(["tavily"]));
      return { keyStorage: keys.storageOf("tavily") };
    },
    "console.watch": (_input, { signal }) => watchConsole(toConsoleSource(parts), signal),
    "console.inView": (_input, { signal }) => stayInView(serverDesk.inView, signal),
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

/** What every window is told of all threads and of the queue. */
function toConsoleSource(parts: ConsoleParts): ConsoleSource {
  const { approvals, changes, info, settings, spending, summaries, threads } = parts;
  return {
    changes,
    info: () => info,
    settings: settings.get,
    threads: summaries.all,
    thread(id) {
      const row = threads.find(id);
      return row && summaries.of(row);
    },
    today: spending.today,
    pendingApprovals: approvals.pendingIds,
    approval(id) {
      const row = approvals.get(id);
      const thread = row && threads.find(row.threadId);
      return row && thread && toApproval(row, thread);
    },
  };
}

type Places = Partial<Pick<Settings, "writableFolders" | "hiddenPaths">>;
type CheckPlaces = (patch: Places) => Places;

/** @returns a check that gives the real paths back, since those are what a command is started with */
export function createPlaceCheck(around: { home: string; dataDir: string }): CheckPlaces {
  return ({ writableFolders, hiddenPaths }) => {
    const problem = writableFolders?.flatMap((path) => problemOfFolder(path, around) ?? [])[0];
    if (problem !== undefined)
      throw new ContractError("invalid-input", problem, { field: "writableFolders" });
    const relative = hiddenPaths?.find((path) => !isAbsolute(path));
    if (relative !== undefined) {
      const text = `${relative} is no whole path. It begins with “/”.`;
      throw new ContractError("invalid-input", text, { field: "hiddenPaths" });
    }
    return {
      ...(writableFolders && {
        writableFolders: [...new Set(writableFolders.map((path) => realOf(path) ?? path))],
      }),
      ...(hiddenPaths && { hiddenPaths }),
    };
  };
}
