/** From how far a command may reach to the arguments of bubblewrap. The order has a meaning: a later mount wins. */
import { existsSync, realpathSync } from "node:fs";
import { type ConfinedWidth, type Reach, readWidth } from "../../shared/width.ts";
import { defaultDataDir } from "../base/data-dir.ts";
import { isOwnWorktree } from "../paths/own-worktree.ts";
import { isWithin } from "../paths/path-style.ts";
import { realOf } from "../paths/real-of.ts";
import { isReadable } from "./credentials.ts";
import { findObeyed, findOwnSecrets, findSteering, mostGuardedPlaces } from "./guarded-places.ts";
import { type Hidden, hiddenPlaces, homeFences, isSeen, outermost, wholeHome } from "./hidden-places.ts";
import { assertNamed, namedFolders } from "./named-folders.ts";
import { inOneLook } from "./remembered-entries.ts";
import { findRepositories, kindOf } from "./repositories.ts";

/**
 * Whatever the width: an own `/tmp`, credentials and the app's records unseen; the hooks and settings of repositories stay as
 * they are. Without a grant also no network and no sockets of this machine.
 */
export type Confinement = {
  readonly width: ConfinedWidth;
  /** Real paths all of them, and never an argument of a tool. */
  readonly workspace: string;
  readonly cwd: string;
  readonly home: string;
  readonly dataDir: string;
  /** What of this machine the person hides besides. */
  readonly hidden?: Hidden | undefined;
};

/** One thing that holds; without it something gets out. */
export type Fence = readonly string[];

/** It is seen, and nothing of it can be changed. */
export const readOnly = (path: string): Fence => ["--ro-bind", path, path];

/** Nothing of it is to be seen, and nothing can be put there. */
export function hide(path: string): Fence {
  return kindOf(path) === "folder"
    ? ["--tmpfs", path, "--remount-ro", path]
    : ["--ro-bind", "/dev/null", path];
}

/** Who is root outside may write these in any namespace, and thereby steer the kernel. */
const kernelFiles = ["sys", "sysrq-trigger", "bus", "fs", "irq", "acpi", "scsi"].map(
  (name) => `/proc/${name}`,
);

/** The names of the keys that this machine holds, and whose memory lies where: the latter is shown to root alone. */
const kernelSecrets = ["keys", "kpagecount", "kpageflags", "kpagecgroup"].map((name) => `/proc/${name}`);

/** @param files what is written of this folder */
function* writableFences(workspace: string, files: Reach["files"]): Generator<Fence> {
  yield files === "none" ? readOnly(workspace) : ["--bind", workspace, workspace];
  if (files === "none") return;
  for (const { git, file, commands, part, content } of findRepositories(workspace)) {
    const isWritable = files === "workspace and git";
    // Always a mount of its own, which cannot be renamed or replaced.
    if (git !== undefined) yield isWritable ? ["--bind", git, git] : readOnly(git);
    if (isWritable) for (const each of commands) yield readOnly(each);
    if (isWritable && part !== undefined) {
      yield ["--bind", part.folder, part.folder];
      for (const each of part.ways) yield readOnly(each);
    }
    if (file !== undefined) yield readOnly(file);
    for (const each of content) yield readOnly(each);
  }
  for (const path of findSteering(workspace)) yield readOnly(path);
}

/** Some systems keep there where names of the network are asked for. */
function namesOfServers(): Fence {
  const real = realOf("/etc/resolv.conf");
  return real !== undefined && isWithin(real, "/run") ? readOnly(real) : [];
}

/** A workspace that holds one of these would uncover what stands in its place in a sandbox. */
const notShown = ["/proc", "/dev", "/run", "/sys", "/tmp", "/private/tmp"];

/** @throws when there is no showing this folder without what has to be hidden in it */
export function assertShownAlone(workspace: string): void {
  if (notShown.some((folder) => isWithin(folder, workspace)))
    throw new Error(`${workspace} holds what the system needs`);
}

/**
 * What holds whatever is confined, before anything of its own is shown: nothing of the system can be written, and nothing of
 * its services is seen.
 */
export function groundFences(hasNetwork: boolean): Fence[] {
  return [
    ["--unshare-user"],
    ["--unshare-pid"],
    ["--unshare-ipc"],
    ["--unshare-uts"],
    ["--unshare-cgroup-try"],
    ...(hasNetwork ? [] : [["--unshare-net"]]),
    ["--disable-userns"],
    ["--cap-drop", "ALL"],
    ["--die-with-parent"],
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...kernelFiles.filter((path) => existsSync(path)).map(readOnly),
    ...kernelSecrets.filter(isReadable).map(hide),
    // What holds the sockets of the machine's services.
    ["--tmpfs", "/run", ...(hasNetwork ? namesOfServers() : []), "--remount-ro", "/run"],
    ["--tmpfs", "/tmp"],
  ];
}

/** What holds a command in bubblewrap, in the order in which it is put up. @throws as `placeFences` */
export function fencesOf(confinement: Confinement): Fence[] {
  const places = placeFences(confinement);
  return [
    ...groundFences(readWidth(confinement.width).grant === "network"),
    ...places,
    ["--chdir", confinement.cwd],
  ];
}

/**
 * Which places a command writes, only sees, or does not see; of two that name one place the later counts.
 * @throws when there is more to guard in the workspace than can be mounted, or it is no folder that can be shown alone
 */
export const placeFences = (confinement: Confinement): Fence[] =>
  inOneLook(() => findPlaceFences(confinement));

function findPlaceFences(confinement: Confinement): Fence[] {
  assertShownAlone(confinement.workspace);
  const { files } = readWidth(confinement.width);
  const named = namedFolders(confinement);
  // The workspace last, so that a folder around it does not uncover what is guarded in it.
  const inWorkspace = [
    ...named.flatMap((folder) => [...writableFences(assertNamed(folder, confinement), "workspace")]),
    ...writableFences(confinement.workspace, files),
  ];
  const inNamed = named.flatMap((folder) => findOwnSecrets(folder, false));
  const forSecrets = mostGuardedPlaces - inWorkspace.length - inNamed.length;
  const secrets = [
    ...inNamed,
    ...findOwnSecrets(confinement.workspace, files === "workspace and git", forSecrets),
  ];
  const room = mostGuardedPlaces - inWorkspace.length - secrets.length;
  if (room < 0)
    throw new Error(
      `there are more than ${mostGuardedPlaces} places in the workspace that have to be guarded`,
    );
  const written = files === "none" ? named : [...named, confinement.workspace];
  const obeyed = written.flatMap((folder) => findObeyed(folder, room)).slice(0, room);
  const { dataDir, workspace } = confinement;
  const homeWhole = wholeHome(confinement);
  // A worktree of a thread lies among the app's records: it is shown in their place, where nothing else can be put.
  const isAmongRecords = existsSync(dataDir) && isOwnWorktree(workspace, realpathSync(dataDir));
  return [
    ...(homeWhole === undefined ? [] : homeFences(homeWhole)),
    ...(isAmongRecords ? [["--tmpfs", realpathSync(dataDir)]] : []),
    ...inWorkspace,
    ...obeyed.map(readOnly),
    ...(isAmongRecords ? [["--remount-ro", realpathSync(dataDir)]] : []),
    ...(homeWhole === undefined ? [] : [["--remount-ro", homeWhole]]),
    // Last, or a workspace that holds them would uncover them.
    ...secrets.map(hide),
    ...outermost([
      ...[...hiddenPlaces(confinement), ...otherRecords(confinement)],
      ...(existsSync(dataDir) && !isAmongRecords && isSeen(realpathSync(dataDir), confinement)
        ? [realpathSync(dataDir)]
        : []),
    ]).map(hide),
  ];
}

/** Those of a console that was started with another folder for them than this one. */
function otherRecords({ home, dataDir, workspace, ...where }: Confinement): string[] {
  const other = realOf(defaultDataDir(process.platform, {}, home));
  if (other === undefined || isWithin(workspace, other)) return [];
  const own = realOf(dataDir);
  return own !== other && isSeen(other, { home, workspace, ...where }) ? [other] : [];
}

/** Where the fences let it write, besides its own `/tmp` and devices. */
export function writablePlaces(fences: readonly Fence[]): string[] {
  return fences.flatMap(([kind, , place]) => (kind === "--bind" && place !== undefined ? [place] : []));
}

/** The devices that a sandbox has of its own. */
const ownDevices = ["", "/null", "/zero", "/full", "/random", "/urandom", "/tty", "/console", "/pts"];

/**
 * For bash inside, before anything of the command: says what can be written that should not, and ends. A link that was put in
 * the place of a folder after it was looked at leads its mount elsewhere; the kernel's own list tells, in which of several
 * mounts at a place the last one is seen. Another folder over the own `/tmp`, processes or devices is told by its sticky bit,
 * by the number of this process, and by what a mount of devices refuses. The first word is the number of the places that
 * follow it; what comes behind them is left.
 */
export const checkMounts = `set -f; n=$1; shift; bad() { echo "$1 can be written, which it should not"; exit 1; }
mapfile -t lines < /proc/self/mountinfo; declare -A top
for line in "\${lines[@]}"; do parts=($line); top["\${parts[4]}"]=\${parts[5]}; done
[ \${#top[@]} -gt 0 ] || { echo "its mounts are not known"; exit 1; }
for p in "\${!top[@]}"; do case \${top[$p]} in rw|rw,*) ;; *) continue;; esac
case $p in /tmp|/proc|${ownDevices.map((name) => `/dev${name}`).join("|")}) continue;; esac
printf -v p %b "\${p//\\\\/\\\\0}"; for place in "\${@:1:n}"; do case $p/ in "$place"/*) continue 2;; esac; done
[ -e "$p" ] && bad "$p"; done
[ -k /tmp ] && bad /tmp; read -r pid _ < /proc/self/stat; [ "$pid" = $$ ] || bad /proc
{ : > /dev/null; } 2>&- || bad /dev; shift "$n"; set +f`;
