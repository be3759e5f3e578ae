/** From what a program of another maker needs to the arguments of bubblewrap: it reads, speaks to its model, and writes what is its own. */
import { existsSync, realpathSync } from "node:fs";
import { isWithin } from "../paths/path-style.ts";
import { assertShownAlone, type Fence, groundFences, hide, readOnly } from "./confinement.ts";
import { findCredentials } from "./credentials.ts";
import { findOwnSecrets, mostGuardedPlaces } from "./guarded-places.ts";

/** Real paths all of them. */
export type AgentConfinement = {
  readonly workspace: string;
  readonly home: string;
  readonly dataDir: string;
  /** Where the program keeps its own settings, sessions and caches. */
  readonly own: readonly string[];
  /** Of the app's records, the door to our tools. */
  readonly shown: readonly string[];
};

/**
 * What holds such a program, in the order in which it is put up. Unlike a command it has the network, and so whatever
 * listens there.
 * @throws when something of its own lies in the workspace, or the workspace cannot be guarded or shown alone
 */
export function agentFencesOf({ workspace, home, dataDir, own, shown }: AgentConfinement): Fence[] {
  assertShownAlone(workspace);
  const inWorkspace = own.find((path) => isWithin(path, workspace));
  if (inWorkspace !== undefined) throw new Error(`it keeps its own files in ${inWorkspace}`);
  const secrets = findOwnSecrets(workspace, false);
  if (secrets.length > mostGuardedPlaces)
    throw new Error(`there are more than ${mostGuardedPlaces} secrets in the workspace`);
  const isOwn = (path: string) => own.some((place) => isWithin(path, place));
  const records = existsSync(dataDir) ? realpathSync(dataDir) : undefined;
  return [
    ...groundFences(true),
    ...own.map((path): Fence => ["--bind", path, path]),
    ...(records === undefined ? [] : [["--tmpfs", records]]),
    ...shown.map(readOnly),
    readOnly(workspace),
    ...(records === undefined ? [] : [["--remount-ro", records]]),
    // Last, or a workspace that holds them would uncover them.
    ...secrets.map(hide),
    ...findCredentials(home, workspace)
      .filter((path) => !isOwn(path))
      .map(hide),
    ["--chdir", workspace],
  ];
}
