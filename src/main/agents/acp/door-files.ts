/** What doors to our tools leave in the data directory while they are open, and for good when their host is killed. */
import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The folder of the programs that bring agents to the doors. */
export const doorFolder = (dataDir: string) => join(dataDir, "tool-doors");

/** A name that no other door has or had: an agent of a host that was killed must not find one of another thread by it. */
export const newDoorName = () => `tools-${randomUUID().slice(0, 8)}`;

/** Removes what is left of earlier hosts. Call while this host alone has the folder, and before it opens a door. */
export function removeLeftDoors(dataDir: string): void {
  rmSync(doorFolder(dataDir), { recursive: true, force: true });
  const sockets = readdirSync(dataDir).filter((name) => /^tools-[0-9a-f]{8}\.sock$/.test(name));
  for (const name of sockets) rmSync(join(dataDir, name), { force: true });
}
