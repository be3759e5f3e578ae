/** From what a program of another maker needs to the arguments of bubblewrap: it reads, speaks to its model, and writes what is its own. */
import { existsSync, realpathSync } from "node:fs";
import { isWithin } from "../paths/path-style.ts";
import { assertShownAlone, type Fence, groundFences, hide, readOnly } from "./confinement.ts";
import { findOwnSecrets, mostGuardedPlaces } from "./guarded-places.ts";
import { type Hidden, outermost, placesToHide } from "./hidden-places.ts";

/** Real paths all of them. */
export type AgentConfinement = {
  readonly workspace: string;
  readonly home: string;
  readonly dataDir: string;
  /** Its home is not hidden as a whole: nobody knows what such a program needs of it. */
  readonly hidden: Hidden;
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
export function agentFencesOf(confinement: AgentConfinement): Fence[] {
  const { workspace, dataDir, own, shown } = confinement;
  assertShownAlone(workspace);
  const inWorkspace = own.find((path) => isWithin(path, workspace));
  if (inWorkspace !== undefined) throw new Error(`it keeps its own files in ${inWorkspace}`);
  const secrets = findOwnSecrets(workspace, false, mostGuardedPlaces);
  if (secrets.length > mostGuardedPlaces)
    throw new Error(`there are more than ${mostGuardedPlaces} secrets in the workspace`);
  const hidden = outermost(
    placesToHide(confinement).filter((path) => !own.some((place) => isWithin(path, place))),
  );
  // In these it is left what is its own, and nothing else is there.
  const around = hidden.filter((path) => own.some((place) => isWithin(place, path)));
  const records = existsSync(dataDir) ? realpathSync(dataDir) : undefined;
  return [
    ...groundFences(true),
    ...around.map((path): Fence => ["--tmpfs", path]),
    ...own.map((path): Fence => ["--bind", path, path]),
    ...(records === undefined ? [] : [["--tmpfs", records]]),
    ...shown.map(readOnly),
    readOnly(workspace),
    ...(records === undefined ? [] : [["--remount-ro", records]]),
    ...around.map((path): Fence => ["--remount-ro", path]),
    // Last, or a workspace that holds them would uncover them.
    ...secrets.map(hide),
    ...hidden.filter((path) => !around.includes(path)).map(hide),
    ["--chdir", workspace],
  ];
}
