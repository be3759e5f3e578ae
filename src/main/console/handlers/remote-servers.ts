/** Answers the contract's calls about remote servers. */
import type { Handlers } from "../../../shared/wire/serve-contract.ts";
import type { RemoteServerStore } from "../../agent-files/remote-server-store.ts";
import type { ServerDesk } from "../../agents/servers/server-desk.ts";
import { named } from "./outer-agents.ts";

type Names = Extract<keyof Handlers, `remoteServers.${string}`>;

/** @returns a handler for each call about remote servers. */
export function createRemoteServerHandlers(
  desk: ServerDesk,
  servers: Pick<RemoteServerStore, "list">,
): Pick<Handlers, Names> {
  return {
    "remoteServers.list": () => ({ servers: desk.list(), problems: servers.list().problems }),
    async "remoteServers.save"({ key, ...entered }) {
      const saved = await named(() => desk.save(entered, key));
      return "problem" in saved ? { ok: false, ...saved } : { ok: true, ...saved };
    },
    "remoteServers.look": ({ id }) => desk.lookNow(id),
    async "remoteServers.remove"({ id }) {
      await named(() => desk.remove(id));
      return {};
    },
  };
}
