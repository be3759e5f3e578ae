/** What we keep open for a governed agent while its program runs: our tools, the door to them, and who takes its calls. */
import type { OfferedTools } from "../deep-agent/offered-tools.ts";
import { createToolServer, type TakeCall } from "./governed-tools.ts";
import type { Governing, WayToGovern } from "./governing.ts";
import type { DoorPlace } from "./tool-door.ts";
import { Tripwire } from "./tripwire.ts";

export type GovernedAgent = {
  governing: Governing;
  /** What it has to see of the data folder. */
  doorFiles: readonly string[];
  tools: OfferedTools;
  tripwire: Tripwire;
  /** Whoever takes its calls from now on; without one each is answered with an error. */
  takeBy(take: TakeCall | undefined): void;
  close(): void;
};

/**
 * @param how how it is governed, and the programs and folders for the door to our tools
 * @throws Error when the socket cannot be opened
 */
export async function openGovernedAgent(
  { way, ...place }: DoorPlace & { way: WayToGovern },
  tools: OfferedTools,
): Promise<GovernedAgent> {
  // The protocol's package is loaded with the first that needs it.
  const { openToolDoor } = await import("./tool-door.ts");
  let take: TakeCall | undefined;
  const serve = await createToolServer(tools.list, () => take);
  const door = await openToolDoor(place, serve);
  return {
    governing: way(door.program),
    doorFiles: door.files,
    tools,
    tripwire: new Tripwire(),
    takeBy(next) {
      take = next;
    },
    close: door.close,
  };
}
