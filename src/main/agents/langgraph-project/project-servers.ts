/** The MCP servers of an exported agent: those that are reached by an address come along, with the names of their keys and never a key. */
import type { McpServer } from "../../../shared/contract/agents.ts";
import { serversToolPrefix } from "../../../shared/tools/tools.ts";
import { hostOf, literalAddress, networkOf } from "../../web/address-class.ts";

/** As it stands in `agent.json`; of each header the name of the variable that holds its value. */
export type ProjectServer = { url: string; headers: Record<string, string> };

export type ProjectServers = {
  byName: Record<string, ProjectServer>;
  /** The variables to be set in `.env`. */
  variables: string[];
  lost: string[];
};

/** @param names those that the agent uses; what is set up of them stands in `servers` */
export function toProjectServers(names: readonly string[], servers: readonly McpServer[]): ProjectServers {
  const known = names.map((name) => servers.find((one) => one.name === name && one.enabled));
  const reached = known.flatMap((one) => (one?.transport === "http" && isPlain(one.url) ? [one] : []));
  const left = names.filter((name) => !reached.some((one) => one.name === name));
  const near = reached.filter(({ url }) => isHere(url)).map(({ name }) => name);
  const toVariable = createVariables();
  const byName = Object.fromEntries(
    reached.map(({ name, url, headers: kept }) => {
      const headers = Object.fromEntries(Object.keys(kept).map((one) => [one, toVariable(name, one)]));
      return [name, { url, headers }];
    }),
  );
  return {
    byName,
    variables: Object.values(byName).flatMap(({ headers }) => Object.values(headers)),
    lost: [
      ...(left.length > 0
        ? [
            `MCP servers (${left.join(", ")}): they are programs on this computer, are not set up or switched off here, or hold a key in their address.`,
          ]
        : []),
      ...(near.length > 0
        ? [
            `What answers at the addresses of the MCP servers ${near.join(", ")}: they mean the computer that asks, which is another one there.`,
          ]
        : []),
    ],
  };
}

/** Whether a tool's name says that it is of one of these servers. */
export function isToolOf({ byName }: ProjectServers, tool: string): boolean {
  return Object.keys(byName).some((name) => tool.startsWith(`${serversToolPrefix}${name}__`));
}

/** Who is let in by an address stands in it. */
function isPlain(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && !url.username && !url.password && !url.search && !url.hash;
}

function isHere(address: string): boolean {
  const host = hostOf(new URL(address));
  const literal = literalAddress(host);
  return host === "localhost" || (literal !== null && networkOf(literal.address) === "loopback");
}

/** Two names can be the same when they are written as a variable, and a key must not go to the other's server. */
function createVariables(): (server: string, header: string) => string {
  const taken = new Set<string>();
  return (server, header) => {
    const name = `MCP_${server}_${header}`.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
    const free = taken.has(name) ? `${name}_${taken.size}` : name;
    taken.add(free);
    return free;
  };
}
