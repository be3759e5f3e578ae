/** From how far a command may reach to the arguments of bubblewrap. The order has a meaning: a later mount wins. */
import { existsSync, realpathSync } from "node:fs";
import type { Width } from "../../shared/contract/decisions.ts";
import { isOwnWorktree } from "../paths/own-worktree.ts";
import {
  findCredentials,
  findOwnSecrets,
  findRepositories,
  findSteering,
  kindOf,
  mostGuardedPlaces,
} from "./guarded-places.ts";

/**
 * Whatever the width: no network, no sockets of this machine, an own `/tmp`, credentials and the app's records unseen; the
 * hooks and settings of repositories stay as they are.
 */
export type ConfinedWidth = Exclude<Width, "outside">;

export type Confinement = {
  readonly width: ConfinedWidth;
  /** Real paths all of them, and never an argument of a tool. */
  readonly workspace: string;
  readonly cwd: string;
  readonly home: string;
  readonly dataDir: string;
};

/** One thing that holds; without it something gets out. */
export type Fence = readonly string[];

const readOnly = (path: string): Fence => ["--ro-bind", path, path];

/** Nothing of it is to be seen, and nothing can be put there. */
function hide(path: string): Fence {
  return kindOf(path) === "folder"
    ? ["--tmpfs", path, "--remount-ro", path]
    : ["--ro-bind", "/dev/null", path];
}

/** Who is root outside may write these in any namespace, and thereby steer the kernel. */
const kernelFiles = ["sys", "sysrq-trigger", "bus", "fs", "irq", "acpi", "scsi"].map(
  (name) => `/proc/${name}`,
);

function* workspaceFences({ width, workspace }: Confinement): Generator<Fence> {
  yield width === "read-only" ? readOnly(workspace) : ["--bind", workspace, workspace];
  if (width === "read-only") return;
  for (const { git, file, commands, part } of findRepositories(workspace)) {
    const isWritable = width === "workspace and git";
    // Always a mount of its own, which cannot be renamed or replaced.
    if (git !== undefined) yield isWritable ? ["--bind", git, git] : readOnly(git);
    if (isWritable) for (const each of commands) yield readOnly(each);
    if (isWritable && part !== undefined) {
      yield ["--bind", part.folder, part.folder];
      for (const each of part.ways) yield readOnly(each);
    }
    if (file !== undefined) yield readOnly(file);
  }
  for (const path of findSteering(workspace)) yield readOnly(path);
}

/**
 * What holds a command, in the order in which it is put up.
 * @throws when there is more to guard in the workspace than can be mounted
 */
export function fencesOf(confinement: Confinement): Fence[] {
  const inWorkspace = [...workspaceFences(confinement)];
  const secrets = findOwnSecrets(confinement.workspace, confinement.width === "workspace and git");
  if (inWorkspace.length + secrets.length > mostGuardedPlaces)
    throw new Error(
      `there are more than ${mostGuardedPlaces} places in the workspace that have to be guarded`,
    );
  const { home, dataDir, cwd, workspace } = confinement;
  // A worktree of a thread lies among the app's records: it is shown in their place, where nothing else can be put.
  const isAmongRecords = existsSync(dataDir) && isOwnWorktree(workspace, realpathSync(dataDir));
  return [
    ["--unshare-user"],
    ["--unshare-pid"],
    ["--unshare-ipc"],
    ["--unshare-uts"],
    ["--unshare-cgroup-try"],
    ["--unshare-net"],
    ["--disable-userns"],
    ["--cap-drop", "ALL"],
    ["--die-with-parent"],
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...kernelFiles.filter((path) => existsSync(path)).map(readOnly),
    // What holds the sockets of the machine's services.
    ["--tmpfs", "/run", "--remount-ro", "/run"],
    ["--tmpfs", "/tmp"],
    ...(isAmongRecords ? [["--tmpfs", realpathSync(dataDir)]] : []),
    ...inWorkspace,
    ...(isAmongRecords ? [["--remount-ro", realpathSync(dataDir)]] : []),
    // Last, or a workspace that holds them would uncover them.
    ...secrets.map(hide),
    ...findCredentials(home).map(hide),
    ...(existsSync(dataDir) && !isAmongRecords ? [hide(dataDir)] : []),
    ["--chdir", cwd],
  ];
}
