/** How the fake agent of these tests is started; see `fake-agent.mjs` for what it does. */
import { fileURLToPath } from "node:url";
import type { OuterAgent } from "../../../../shared/contract/outer-agents.ts";
import type { AgentId } from "../../../../shared/ids.ts";
import { fileBeside } from "../../../base/testing/file-beside-bundled.ts";
import type { WayToGovern } from "../governing.ts";

/** Bundled at the start of the run: read from its packages it takes twice as long to start. */
const file = fileURLToPath(fileBeside(import.meta.url, "fake-agent.js"));

/** @param id may say how it behaves, as in `fake--die-at-session`. @param journal where it keeps what it was told and did */
export function fakeAgent(id: string, journal: string): OuterAgent {
  const [, ...how] = id.split("--");
  return { id: id as AgentId, name: "Fake", command: process.execPath, args: [file, journal, ...how] };
}

/** The fake agent uses the tools that it is handed, and has nothing to switch off. */
export function governFake({ id }: Pick<OuterAgent, "id">): WayToGovern | undefined {
  if (!id.startsWith("governed")) return undefined;
  return ({ command, args }) => ({
    environment: {},
    mcpServers: [{ name: "countersign", command, args: [...args], env: [] }],
    ownPlaces: () => [],
  });
}
