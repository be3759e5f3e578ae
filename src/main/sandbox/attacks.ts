/**
 * What a command must not be able to do: each is a real try, in bash, that ends well only if it had its effect. Where
 * nothing holds it that effect is real, also as root. So each is aimed at what was planted for it or stays in `$TMPDIR`, and takes
 * back what reaches further; files of the kernel are opened and nothing is written to them.
 */
import { type ConfinedWidth, type Grant, readWidth } from "../../shared/width.ts";

export type Attack = {
  readonly name: string;
  readonly script: string;
  /** At which widths it is one; all of them when left out. */
  readonly widths?: readonly ConfinedWidth[];
  /** What this grant is there for. */
  readonly grantedBy?: Grant;
  /** It asks what only this system has. */
  readonly on?: System;
};

type System = "linux" | "darwin";

/** Those that ask what this system has. */
export const attacksFor = (all: readonly Attack[], system: System) =>
  all.filter(({ on = system }) => on === system);

/** Those that are aimed at a width: what is granted is none. */
export function attacksOn(
  all: readonly Attack[],
  width: ConfinedWidth,
  system: System = "linux",
): readonly Attack[] {
  const { files, grant } = readWidth(width);
  const named = files === "none" ? "read-only" : files;
  return attacksFor(all, system).filter(
    ({ widths, grantedBy }) =>
      (widths?.includes(named) ?? true) && (grantedBy === undefined || grantedBy !== grant),
  );
}

/** Opens a socket by the first language that is there; without one it is the filter's presence alone that is asked. */
const socket = (perl: string, python: string) =>
  `if command -v perl; then perl -MSocket -e '${perl}'; elif command -v python3; then python3 -c '${python}'; else ! grep -q "^Seccomp:.*2" /proc/self/status; fi`;

const inNamespace = (name: string): Attack => ({
  on: "linux",
  name: `shares the ${name} namespace of this machine`,
  script: `[ "$(readlink /proc/self/ns/${name})" = "$${`NS_${name}`}" ]`,
});

const inWorkspace: Attack[] = [
  ["writes git's settings by a second name", `ln "$W/.git/config" "$W/alias" && echo x >> "$W/alias"`],
  ["plants a hook", `echo x > "$W/.git/hooks/pre-commit"`],
  ["changes a hook", `echo x >> "$W/.git/hooks/post-merge"`],
  ["changes git's settings", `echo x >> "$W/.git/config"`],
  ["replaces git's settings", `cp "$W/.git/config" "$W/c" && mv -f "$W/c" "$W/.git/config"`],
  ["moves the repository away", `mv "$W/.git" "$W/g"`],
  ["moves the hooks away", `mv "$W/.git/hooks" "$W/.git/h"`],
  ["plants a hook in a repository below", `echo x > "$W/deep/er/.git/hooks/pre-commit"`],
  ["changes what an editor runs", `echo x >> "$W/.vscode/tasks.json"`],
  ["replaces a folder that an editor obeys", `mv "$W/.vscode" "$W/v"`],
  ["changes what a shell runs", `echo x >> "$W/.envrc"`],
].map(([name, script]) => ({
  name: name ?? "",
  script: script ?? "",
  widths: ["workspace", "workspace and git"],
}));

/** What its rules, which are about paths, and its services would let out. */
const onMac: Attack[] = [
  ["reads a key by the other name of its disk", `grep -q PRIVATE "/System/Volumes/Data$H/.ssh/id_ed25519"`],
  ["reads a key by its number", `grep -q PRIVATE "/.vol/$(stat -f %d/%i "$H/.ssh/id_ed25519")"`],
  ["reads a key in other letters", `grep -q PRIVATE "$H/.SSH/ID_ED25519"`],
  ["copies a key as a whole", `cp -c "$H/.ssh/id_ed25519" "$TMPDIR/k" && grep -q PRIVATE "$TMPDIR/k"`],
  ["has the system start a program", `launchctl submit -l "$L" -- /usr/bin/true && launchctl remove "$L"`],
  ["changes a setting of the person", `defaults write "$L" x 1 && defaults delete "$L"`],
  ["reads what other programs were started with", `ps -E -p "$HOST" | grep -q "$HOST"`],
].map(([name, script]) => ({ name: name ?? "", script: script ?? "", on: "darwin" as const }));

/** Rules are about paths, and a folder around a path can be moved. */
const movesAround: Attack = {
  name: "moves a folder with a repository away and writes its settings",
  script: `mv "$W/deep" "$W/shallow" && echo x >> "$W/shallow/er/.git/config"`,
  widths: ["workspace", "workspace and git"],
  on: "darwin",
};

export const attacks: readonly Attack[] = [
  { name: "makes a file in the home", script: `echo x > "$H/evil"` },
  { name: "adds to a file in the home", script: `echo x >> "$H/other/notes"` },
  { name: "changes a start-up file", script: `echo x >> "$H/.profile"` },
  { name: "deletes a file in the home", script: `rm -f "$H/other/victim" && ! [ -e "$H/other/victim" ]` },
  { name: "renames a file in the home", script: `mv "$H/other/victim" "$H/other/moved"` },
  { name: "changes rights of a file", script: `chmod 777 "$H/other/notes"` },
  { name: "changes the time of a file", script: `touch -t 200101010000 "$H/other/notes"` },
  { name: "makes a file beside the home", script: `echo x > "$H/../evil"` },
  { name: "writes through a link of the workspace", script: `echo x >> "$W/link"` },
  { name: "gives a file outside a second name", script: `ln "$H/other/notes" "$W/second"` },
  { name: "reads a key", script: `grep -q PRIVATE "$H/.ssh/id_ed25519"` },
  { name: "reads a key by a link", script: `grep -q PRIVATE "$W/keys/id_ed25519"` },
  {
    name: "reads the file of a keychain",
    script: `grep -q PRIVATE "$H/Library/Keychains/login.keychain-db"`,
  },
  { name: "lists the keys", script: `[ -n "$(ls -A "$H/.ssh")" ]` },
  { name: "reads a token", script: `grep -q SECRET "$H/.npmrc"` },
  { name: "replaces a hidden file", script: `rm -f "$H/.npmrc" && echo x > "$H/.npmrc"` },
  { name: "puts a file beside hidden keys", script: `echo x > "$H/.ssh/authorized_keys"` },
  { name: "moves what hides the keys", script: `mv "$H/.ssh" "$H/s"` },
  { name: "takes off what hides the keys", script: `umount "$H/.ssh"` },
  {
    name: "reads what root alone may read",
    script: `for f in /etc/{shadow,shadow-,gshadow,gshadow-,sudoers} /etc/ssh/ssh_host_*_key; do head -c 1 "$f" | grep -q . && exit 0; done; exit 1`,
  },
  { name: "reads the app's records", script: `grep -q RECORD "$D/countersign.db"` },
  { name: "lists the app's records", script: `[ -n "$(ls -A "$D")" ]` },
  { name: "writes the app's records", script: `echo x >> "$D/countersign.db" || echo x > "$D/rules.json"` },
  {
    name: "makes the system writable",
    script: `[ -w / ] || { mount -o remount,bind,rw / && { mount -o remount,bind,ro /; true; }; }`,
  },
  {
    name: "mounts something",
    script: `mkdir "$TMPDIR/m" && mount -t tmpfs none "$TMPDIR/m" && { umount -l "$TMPDIR/m"; true; }`,
  },
  { name: "makes a namespace of its own", script: `unshare -Ur true` },
  { name: "enters the mounts of another process", script: `nsenter -t 1 -m true` },
  ...["pid", "ipc", "uts", "user", "mnt"].map(inNamespace),
  { ...inNamespace("net"), grantedBy: "network" },
  { name: "reaches this machine by TCP", grantedBy: "network", script: `exec 3<>"/dev/tcp/127.0.0.1/$PORT"` },
  {
    name: "reaches this machine by UDP",
    grantedBy: "network",
    script: `[ -n "$ADDRESS" ] && echo x > "/dev/udp/$ADDRESS/9"`,
  },
  {
    name: "sees a network card",
    on: "linux",
    grantedBy: "network",
    script: `[ "$(grep -c : /proc/net/dev)" -gt 1 ]`,
  },
  {
    name: "reaches a service of this machine by its file",
    grantedBy: "sockets",
    script: socket(
      `socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, sockaddr_un($ENV{SOCK})) or exit 1`,
      `import os,socket;socket.socket(socket.AF_UNIX).connect(os.environ["SOCK"])`,
    ),
  },
  {
    name: "opens a socket of this machine",
    on: "linux",
    grantedBy: "sockets",
    script: socket(
      "socket(S, PF_UNIX, SOCK_STREAM, 0) or exit 1",
      "import socket;socket.socket(socket.AF_UNIX)",
    ),
  },
  {
    name: "opens a socket of the machine below",
    on: "linux",
    script: socket("socket(S, 40, SOCK_STREAM, 0) or exit 1", "import socket;socket.socket(40)"),
  },
  {
    name: "sends on from a pair of its own",
    on: "linux",
    grantedBy: "sockets",
    script: socket(
      "socketpair(A, B, PF_UNIX, SOCK_DGRAM, 0) or exit 1",
      "import socket;socket.socketpair(socket.AF_UNIX,socket.SOCK_DGRAM)",
    ),
  },
  { name: "sees the services' sockets", on: "linux", script: `[ -n "$(ls -A /run)" ]` },
  { name: "sees files in the machine's /tmp", script: `[ -e "$T" ]` },
  { name: "opens a setting of the kernel for writing", script: `: >> /proc/sys/kernel/core_pattern` },
  { name: "opens the kernel's emergency keys", script: `: >> /proc/sysrq-trigger` },
  {
    name: "opens a switch of the machine for writing",
    script: `for f in /sys/power/state /sys/kernel/profiling /sys/kernel/mm/ksm/run; do [ -e $f ] && : >> $f && exit 0; done; exit 1`,
  },
  { name: "sees processes of this machine", on: "linux", script: `[ -d "/proc/$HOST" ]` },
  { name: "signals a process of this machine", script: `kill -0 "$HOST"` },
  { name: "lists the keys that this machine holds", script: `grep -q . /proc/keys` },
  {
    name: "makes a file that runs as its owner",
    script: `: > "$TMPDIR/suid" && chmod u+s "$TMPDIR/suid" && [ -u "$TMPDIR/suid" ] && rm "$TMPDIR/suid"`,
  },
  { name: "makes a device", script: `mknod "$TMPDIR/d" b 8 0 && rm "$TMPDIR/d"` },
  { name: "finds a disk", on: "linux", script: `ls /dev | grep -qE '^(sd|vd|nvme|mem$|kmsg$)'` },
  { name: "can gain rights", on: "linux", script: `! grep -q "^NoNewPrivs:.*1" /proc/self/status` },
  { name: "has rights of root", on: "linux", script: `! grep -qE "^CapEff:\\s*0+$" /proc/self/status` },
  { name: "is not filtered", on: "linux", script: `! grep -q "^Seccomp:.*2" /proc/self/status` },
  { name: "writes in a workspace that is read only", script: `echo x > "$W/made"`, widths: ["read-only"] },
  {
    name: "writes in a repository",
    script: `echo x > "$W/.git/made"`,
    widths: ["read-only", "workspace"],
  },
  ...inWorkspace,
  ...onMac,
  movesAround,
];

/** The one place that is theirs to write, inside and where nothing holds them. */
export const ownPlace = 'mkdir -p "$TMPDIR"';

/** Those that get through say so, one name a line, and the last line says that all were tried. */
export function scriptOf(tried: readonly Attack[]): string {
  const lines = tried.map(
    ({ script }, index) => `( ${script}\n) >/dev/null 2>&1 </dev/null && echo "through ${index}"`,
  );
  return [ownPlace, ...lines, "echo whole"].join("\n");
}

/** The names of those that got through. @throws when not all were tried */
export function readTries(tried: readonly Attack[], output: string): string[] {
  const lines = output.trimEnd().split("\n");
  if (lines.at(-1) !== "whole") throw new Error("not everything was tried");
  return lines.slice(0, -1).map((line) => {
    const attack = tried[Number(/^through (\d+)$/.exec(line)?.[1] ?? Number.NaN)];
    if (attack === undefined) throw new Error("it says what nobody asked");
    return attack.name;
  });
}
