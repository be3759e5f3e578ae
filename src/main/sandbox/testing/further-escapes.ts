/** Tries to get out by the kernel's less known doors: each is a shell's text that ends well only if it had its effect. */
import type { Attack } from "../attacks.ts";

const named = (tries: readonly (readonly [string, string])[]): Attack[] =>
  tries.map(([name, script]) => ({ name, script }));

const processes = named([
  ["writes the memory of what holds it", `printf x | dd of=/proc/1/mem bs=1 seek=4194304 conv=notrunc`],
  ["goes out by the first process's folder", `[ -e "/proc/1/cwd/../../../../..$T" ]`],
  ["enters the mounts of the first process by its number", `nsenter --mount=/proc/1/ns/mnt test -e "$T"`],
  ["maps itself to root", `echo "0 0 1" > /proc/self/uid_map`],
  ["maps the groups of the machine", `echo "0 0 4294967295" > /proc/self/gid_map`],
  ["lets itself set groups", `echo allow > /proc/self/setgroups`],
  ["changes its label", `echo unconfined > /proc/thread-self/attr/exec`],
  ["chooses the next process's number", `echo 99999 > /proc/sys/kernel/ns_last_pid`],
  ["reads the kernel's messages", `[ -r /proc/kmsg ] && head -c 1 /proc/kmsg | grep -q .`],
  ["watches the pressure of the machine", `echo "some 150000 1000000" > /proc/pressure/cpu`],
  [
    "traces through the kernel's folder",
    `[ -w /sys/kernel/tracing/trace ] || [ -w /sys/kernel/debug/tracing/trace ]`,
  ],
  ["makes a group of processes", `mkdir "/sys/fs/cgroup/$MARK"`],
  ["leaves its group of processes", `echo $$ > /sys/fs/cgroup/cgroup.procs`],
  [
    "changes a module's setting",
    `for f in /sys/module/*/parameters/*; do [ -w "$f" ] && echo 1 > "$f" && exit 0; done; exit 1`,
  ],
  [
    "changes how large blocks are read",
    `for f in /sys/block/*/queue/read_ahead_kb; do [ -e "$f" ] && echo 128 > "$f" && exit 0; done; exit 1`,
  ],
  [
    "takes a descriptor that nobody meant for it",
    `for f in /proc/$$/fd/*; do n=\${f##*/}; [ "$n" -gt 2 ] && [ "$n" -ne 255 ] && readlink "$f" | grep -q ^/ && exit 0; done; exit 1`,
  ],
  [
    "finds a descriptor of the host in what holds it",
    `for f in /proc/1/fd/*; do readlink "$f" | grep -q "^$H\\|^$D" && exit 0; done; exit 1`,
  ],
  ["slows a process outside down", `renice -n 19 -p "$HOST"`],
  ["limits a process outside", `prlimit --pid "$HOST" --nofile=1:1`],
  ["binds a process outside to a processor", `taskset -p 1 "$HOST"`],
]);

const filesystem = named([
  [
    "makes a program that runs as its owner",
    `cp /bin/true "$W/suid" && chmod u+s "$W/suid" && [ -u "$W/suid" ]`,
  ],
  [
    "makes a file in its /tmp that runs as its owner",
    `cp /bin/true /tmp/suid && chmod 4755 /tmp/suid && [ -u /tmp/suid ]`,
  ],
  [
    "opens a new file with the rights of its owner",
    `perl -MFcntl -e 'umask 0; sysopen(F, "$ENV{W}/suid2", O_CREAT|O_WRONLY, 04755) or exit 1; exit(((stat F)[2] & 04000) ? 0 : 1)'`,
  ],
  ["changes rights by a descriptor that only reads", `exec 3<"$H/other/notes" && chmod 777 /proc/self/fd/3`],
  [
    "changes times by a descriptor that only reads",
    `exec 3<"$H/other/notes" && touch -d 2001-01-01 /proc/self/fd/3`,
  ],
  [
    "opens a file outside anew for writing",
    `exec 3<"$H/other/notes" && exec 4<>/proc/self/fd/3 && echo x >&4`,
  ],
  ["copies by reference into a file outside", `cp --reflink=always "$W/.envrc" "$H/other/notes"`],
  ["moves a file of the workspace out", `echo x > "$W/out" && mv "$W/out" "$H/other/$MARK"`],
  ["gives a file of the workspace a name outside", `echo x > "$W/out2" && ln "$W/out2" "$H/other/$MARK"`],
  [
    "gives a file without a name one outside",
    `perl -e 'my $n = syscall(257, -100, $ENV{W}, 020200000 | 1, 0600); $n < 0 and exit 1; exit(syscall(265, -100, "/proc/self/fd/$n", -100, "$ENV{H}/other/$ENV{MARK}", 0x400) == 0 ? 0 : 1)'`,
  ],
  ["gives what is guarded a second name", `ln "$W/.envrc" "$W/e2" && echo x >> "$W/e2"`],
  ["gives a guarded folder's file a second name", `ln "$W/.vscode/tasks.json" "$W/t2" && echo x >> "$W/t2"`],
  ["gives git's settings a second name", `ln "$W/.git/config" "$W/c2" && echo x >> "$W/c2"`],
  ["swaps what is guarded with its own", `echo x > "$W/mine" && mv --exchange -T "$W/mine" "$W/.envrc"`],
  ["empties what is guarded", `: > "$W/.envrc" || truncate -s 0 "$W/.vscode/tasks.json"`],
  ["reads a hidden file by the folder above it", `cd "$H/.ssh/.." && cat .ssh/id_ed25519 | grep -q PRIVATE`],
  [
    "reads a hidden file by another mount of the machine",
    `for p in $(cut -d' ' -f5 /proc/self/mountinfo); do grep -qs PRIVATE "$p/.ssh/id_ed25519" "$p$H/.ssh/id_ed25519" && exit 0; done; exit 1`,
  ],
  [
    "reads a hidden file by its handle",
    `perl -e 'my $h = pack("II", 128, 0) . "\\0" x 128; my $m = "\\0" x 4; syscall(303, -100, "$ENV{H}/other/notes", $h, $m, 0) == 0 or exit 1; open(F, "<", $ENV{H}) or exit 1; exit(syscall(304, fileno(F), $h, 0) >= 0 ? 0 : 1)'`,
  ],
  ["leaves a mark on a file outside", `chattr +d "$H/other/notes"`],
  [
    "sets an attribute by a descriptor",
    `perl -e 'open(F, "<", "$ENV{H}/other/notes") or exit 1; exit(syscall(190, fileno(F), "user.x", "y", 1, 0) == 0 ? 0 : 1)'`,
  ],
  ["makes a pipe where programs look for one", `mkfifo "$H/other/pipe"`],
  [
    "mounts a file system of its own making",
    `dd if=/dev/zero of=/tmp/image bs=1M count=1 && mkdir -p /tmp/at && mount -o loop /tmp/image /tmp/at`,
  ],
  ["finds a loop to put a file on", `[ -e /dev/loop-control ] || [ -e /dev/loop0 ]`],
  ["shares its mounts with the machine", `mount --make-rshared /`],
  ["moves a mount", `mkdir -p /tmp/to && mount --move "$H/.ssh" /tmp/to`],
]);

/** `perl -e` that ends well where the call was not refused, whatever became of it. */
const notRefused = (call: string) =>
  `perl -e 'syscall(${call}) >= 0 and exit 0; exit($! == 1 || $! == 38 ? 1 : 0)'`;

/** By their numbers on x64. */
const calls = named([
  ["types into its terminal", notRefused(`16, 0, 0x5412, "x"`)],
  ["types into its terminal by a number with more bits", notRefused(`16, 0, 0x100005412, "x"`)],
  ["pastes into the console", notRefused(`16, 0, 0x541c, "x"`)],
  [
    "makes a namespace of users by clone",
    `perl -e 'my $p = syscall(56, 0x10000011, 0, 0, 0, 0); $p == 0 and syscall(60, 0); exit($p > 0 ? 0 : 1)'`,
  ],
  [
    "makes a namespace of mounts by clone",
    `perl -e 'my $p = syscall(56, 0x00020011, 0, 0, 0, 0); $p == 0 and syscall(60, 0); exit($p > 0 ? 0 : 1)'`,
  ],
  [
    "opens a tree of mounts with attributes",
    `perl -e 'exit(syscall(467, -100, "/", 1, pack("Q4", 0, 1, 0, 0), 32) >= 0 ? 0 : 1)'`,
  ],
  [
    "takes a descriptor of a process outside",
    `perl -e 'my $p = syscall(434, $ENV{HOST}+0, 0); $p < 0 and exit 1; exit(syscall(438, $p, 1, 0) >= 0 ? 0 : 1)'`,
  ],
  [
    "writes the memory of a process outside",
    `perl -e 'exit(syscall(311, $ENV{HOST}+0, 0, 0, 0, 0, 1) >= 0 ? 0 : 1)'`,
  ],
  [
    "compares itself with a process outside",
    `perl -e 'exit(syscall(312, $$, $ENV{HOST}+0, 0, 0, 0) >= 0 ? 0 : 1)'`,
  ],
  [
    "reads the kernel's messages by a call",
    `perl -e 'my $b = "\\0" x 4096; exit(syscall(103, 3, $b, 4096) >= 0 ? 0 : 1)'`,
  ],
  ["sets the clock", `perl -e 'exit(syscall(227, 0, pack("QQ", time, 0)) == 0 ? 0 : 1)'`],
  ["adjusts the clock", `perl -e 'my $b = pack("I", 1) . "\\0" x 300; exit(syscall(159, $b) >= 0 ? 0 : 1)'`],
  ["restarts the machine", `perl -e 'exit(syscall(169, 0xfee1dead, 672274793, 0, 0) == 0 ? 0 : 1)'`],
  ["locks a terminal of the machine", `perl -e 'exit(syscall(153) == 0 ? 0 : 1)'`],
  [
    "watches all files of the machine",
    `perl -e 'my $n = syscall(300, 0, 0); $n < 0 and exit 1; exit(syscall(301, $n, 0x11, 0x2, -100, "/") == 0 ? 0 : 1)'`,
  ],
  [
    "opens a socket by a number with more bits",
    `perl -e 'exit(syscall(41, 0x100000001, 1, 0) >= 0 ? 0 : 1)'`,
  ],
  [
    "makes a pair of datagrams that closes itself",
    `perl -e 'exit(syscall(53, 1, 02000002, 0, "\\0" x 8) == 0 ? 0 : 1)'`,
  ],
  ["opens a raw socket", `perl -e 'exit(syscall(41, 2, 3, 1) >= 0 ? 0 : 1)'`],
  ["asks the kernel for a ring again", `perl -e 'exit(syscall(427, 0, 0, 0, 0) >= 0 || $! != 38 ? 0 : 1)'`],
  ["calls by the numbers of another machine", `perl -e 'exit(syscall(0x40000000 + 57) >= 0 ? 0 : 1)'`],
]);

const sockets = named([
  [
    "is heard by its unnamed service outside",
    `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) or exit 1; connect(S, "\\1\\0\\0$ENV{MARK}") or exit 1'`,
  ],
  [
    "listens where the machine's programs look",
    `perl -MSocket -e 'socket(S, PF_UNIX, SOCK_STREAM, 0) and bind(S, sockaddr_un("$ENV{W}/sock")) or exit 1'`,
  ],
  [
    "speaks to the kernel about users",
    `perl -e 'socket(S, 16, 3, 9) or exit 1; my $m = pack("ISSIIx16", 32, 1001, 5, 1, 0); send(S, $m, 0) or exit 1; recv(S, my $a, 99, 0); exit(unpack("x16l", $a) == 0 ? 0 : 1)'`,
  ],
  ["asks a server for a name", `timeout 2 perl -MSocket -e 'inet_aton("example.com") or exit 1'`],
  [
    "reaches the machine's own address by UDP and hears back",
    `timeout 1 bash -c 'exec 3<>/dev/udp/127.0.0.1/53 && echo x >&3 && read -t 1 -u 3 _'`,
  ],
]);

/** Of a machine with other numbers those by number are left out. */
export const furtherEscapes: readonly Attack[] = [
  ...processes,
  ...filesystem,
  ...(process.arch === "x64" ? calls : []),
  ...sockets,
];
