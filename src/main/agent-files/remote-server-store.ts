/** The LangGraph servers a person entered, without their keys: one file in the data folder. */
import { join } from "node:path";
import { type RemoteServer, remoteServerSchema } from "../../shared/contract/remote-servers.ts";
import { createIdFile, type IdFile } from "./entry-file.ts";

export type RemoteServerStore = IdFile<RemoteServer>;

/** The servers of `remote-servers.json` in the data directory. */
export function createRemoteServerStore(dataDir: string): RemoteServerStore {
  return createIdFile(join(dataDir, "remote-servers.json"), "remoteServers", remoteServerSchema);
}
