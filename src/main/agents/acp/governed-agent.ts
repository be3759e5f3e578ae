/** What we keep open for a governed agent while its program runs: our tools, the door to them, and who takes its calls. */

import type { OfferedTools } from "../deep-agent/offered-tools.ts";
import type { Effects } from "../source.ts";
import { createToolServer, type TakeCall } from "./governed-tools.ts";
import type { Governing, WayToGovern } from "./governing.ts";

export type GovernedAgent = {
  governing: Governing;
  tools: OfferedTools;
  /** Whoever takes its calls from now on; without one each is answered with an error. */
  takeBy(take: TakeCall | undefined): void;
  close(): void;
};

/** @throws Error when the socket cannot be opened */
export async function openGovernedAgent(
  way: WayToGovern,
  dataDir: string,
  effects: Effects,
  workspace: string,
): Promise<GovernedAgent> {
  // The agents' packages are loaded with the first that needs them.
  const [{ createOfferedTools }, { openToolDoor }] = await Promise.all([
    import("../deep-agent/offered-tools.ts"),
    import("./tool-door.ts"),
  ]);
  const tools = createOfferedTools(effects, workspace);
  let take: TakeCall | undefined;
  const serve = await createToolServer(tools.list, () => take);
  const door = await openToolDoor(dataDir, serve);
  return {
    governing: way(door.program),
    tools,
    takeBy(next) {
      take = next;
    },
    close: door.close,
  };
}
