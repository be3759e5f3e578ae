/** Tries to get out of the sandbox that go beyond those of its probe: each is a shell's text that ends well only if it had its effect. */
import type { Attack } from "../attacks.ts";

/** Where nothing may be left, and what a program would make of it there. */
const places = [
  ...["/etc/cron.d", "/etc/profile.d", "/etc/ld.so.conf.d", "/etc/sudoers.d", "/etc/systemd/system"],
  ...["/usr/local/bin", "/usr/bin", "/usr/lib/locale", "/usr/share/bash-completion", "/lib/modules"],
  ...["/var/spool/cron", "/var/tmp", "/var/lib", "/var/log", "/opt", "/srv", "/mnt", "/boot", "/root"],
  ...["$H", "$H/..", "$H/other", "$W/..", "$W/link/..", "$W/keys", "/sys/fs/cgroup", "/run/user"],
];
const writing: Attack[] = places.map((place) => ({
  name: `leaves something in ${place}`,
  script: `echo x > "${place}/$MARK"`,
}));

/** Files that shells, locales, sessions and tools of the person read at their next start. */
const startUp = [
  ...[
    ".bashrc",
    ".bash_profile",
    ".zshenv",
    ".inputrc",
    ".gitconfig",
    ".config/git/config",
    ".pam_environment",
  ],
  ...[".config/autostart/x.desktop", ".config/systemd/user/x.service", ".local/bin/ls", ".i18n", ".XCompose"],
].map((name) => ({
  name: `gives the person a ${name}`,
  script: `mkdir -p "$(dirname "$H/${name}")" && echo x > "$H/${name}"`,
}));

/** Names that the target world fills with the word SECRET. */
export const secretNames = [
  ...[
    ".aws/credentials",
    ".kube/config",
    ".docker/config.json",
    ".config/gh/hosts.yml",
    ".config/rclone/rclone.conf",
  ],
  ...[".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json", ".cargo/credentials.toml"],
  ...[".pgpass", ".vault-token", ".m2/settings.xml", ".terraform.d/credentials.tfrc.json", ".python_history"],
  ...[
    ".mozilla/firefox/p/key4.db",
    ".config/google-chrome/Default/Cookies",
    ".local/share/keyrings/login.keyring",
  ],
];
const reading: Attack[] = [
  ...secretNames.map((name) => ({ name: `reads ${name}`, script: `grep -q SECRET "$H/${name}"` })),
  { name: "reads the passwords of this machine", script: "grep -q : /etc/shadow" },
  { name: "reads a secret by its number", script: `grep -rqs SECRET /proc/*/root"$H/.aws"` },
  {
    name: "reads the records by another way",
    script: `cat "/proc/self/root$D"/* "/proc/1/root$D"/* | grep -q RECORD`,
  },
  { name: "reads the memory of the machine", script: "head -c 1 /proc/kcore | grep -q ." },
  { name: "reads the environment of a process outside", script: `grep -qs . "/proc/$HOST/environ"` },
  {
    name: "finds the machine's /tmp behind a process",
    script: `[ -e "/proc/1/root$T" ] || [ -e "/proc/self/root$T" ]`,
  },
];

const files: Attack[] = [
  ["writes through a descriptor that only reads", `exec 3<"$H/other/notes" && echo x > /proc/self/fd/3`],
  ["gives an open file a second name", `exec 3<"$H/other/notes" && ln -L /proc/self/fd/3 "$W/third"`],
  ["empties a file outside", `truncate -s 0 "$H/other/notes"`],
  ["takes room in a file outside", `fallocate -l 10000 "$H/other/notes"`],
  ["swaps a file with one outside", `echo x > "$W/a" && mv --exchange "$W/a" "$H/other/notes"`],
  ["moves a folder outside away", `mv "$H/other" "$W/other"`],
  ["links to the home and writes through it", `ln -s "$H" "$W/l" && echo x > "$W/l/$MARK"`],
  ["goes up from a link", `ln -s ../other "$W/up" && echo x > "$W/up/$MARK"`],
  ["changes the owner of a file outside", `chown 1:1 "$H/other/notes"`],
  ["gives a file outside an attribute", `setfattr -n user.x -v y "$H/other/notes"`],
  ["gives a file of the workspace rights", `cp /bin/true "$W/cap" && setcap cap_net_raw+ep "$W/cap"`],
  ["makes a device in the workspace", `mknod "$W/disk" b 8 0`],
  ["makes a pipe in the home", `mkfifo "$H/pipe"`],
  ["sees its own shared memory outside", `[ -e "/dev/shm/$SHARED" ]`],
  ["opens the machine's FUSE", `[ -c /dev/fuse ] && exec 3<>/dev/fuse`],
  ["opens the machine's console", `[ -c /dev/tty0 ] && exec 3<>/dev/tty0`],
  ["schedules something", `echo '* * * * * true' | crontab - || echo true | at now`],
].map(([name = "", script = ""]) => ({ name, script }));

const mounts: Attack[] = [
  ["mounts the processes anew", "mkdir /tmp/p && mount -t proc proc /tmp/p"],
  ["lays a folder over the home", `mkdir /tmp/b && mount --bind /tmp/b "$H/other"`],
  [
    "lays a writable layer over the machine",
    "mkdir /tmp/{u,k,o} && mount -t overlay -o lowerdir=/,upperdir=/tmp/u,workdir=/tmp/k none /tmp/o",
  ],
  ["mounts over a link of the workspace", `mkdir /tmp/c && mount --bind /tmp/c "$W/keys"`],
  ["takes off the own /tmp", "umount -l /tmp"],
  ["takes off what hides the services", "umount -l /run"],
  ["takes off what hides the records", `umount -l "$D"`],
  ["makes the home writable", `mount -o remount,rw,bind "$H"`],
  ["changes the root", "chroot /tmp true"],
  ...["-m", "-n", "-p -f", "-i", "-u", "-C", "-T", "-U", "-r"].map((kind) => [
    `makes a namespace (unshare ${kind})`,
    `unshare ${kind} true`,
  ]),
  ["enters all that the first process has", "nsenter -t 1 -a true"],
  ["enters the network of a process outside", `nsenter -t "$HOST" -n true`],
].map(([name = "", script = ""]) => ({ name, script }));

const kernel: Attack[] = [
  ...[
    "kernel/hostname",
    "kernel/modprobe",
    "vm/overcommit_memory",
    "net/ipv4/ip_forward",
    "user/max_user_namespaces",
  ].map((name) => ({ name: `opens ${name} for writing`, script: `: >> /proc/sys/${name}` })),
  ...[
    "/proc/sys/fs/binfmt_misc/register",
    "/proc/irq/default_smp_affinity",
    "/sys/kernel/uevent_helper",
    "/sys/bus/pci/rescan",
    "/sys/fs/cgroup/cgroup.procs",
  ].map((path) => ({ name: `opens ${path} for writing`, script: `[ -e ${path} ] && : >> ${path}` })),
  { name: "is spared when memory runs out", script: "echo -1000 > /proc/self/oom_score_adj" },
  { name: "names the machine", script: "hostname escaped" },
  { name: "is held by something that is not filtered", script: `! grep -q "^Seccomp:.*2" /proc/1/status` },
  {
    name: "may gain a right",
    script: `grep -E "^Cap(Prm|Eff|Inh|Amb)" /proc/self/status | grep -qvE "0{16}$"`,
  },
  {
    name: "writes to a descriptor of what holds it",
    script: `for f in /proc/1/fd/*; do [ "\${f##*/}" -gt 2 ] && echo x > "$f" && exit 0; done; exit 1`,
  },
];

/** By their numbers on x64; each would answer something else than -1. */
const calls: readonly (readonly [string, string])[] = [
  ["setns", "308,0,0"],
  ["open_tree", "428,-100,'/',1"],
  ["move_mount", "429,-100,'/',-100,'/tmp',0"],
  ["fsopen", "430,'tmpfs',0"],
  ["fspick", "433,-100,'/',0"],
  ["mount_setattr", "442,-100,'/',0,0,0"],
  ["pivot_root", "155,'/tmp','/tmp'"],
  ["clone3", "435,0,0"],
  ["io_uring_setup", "425,8,'\\0'x200"],
  ["add_key", "248,'user','a','b',1,-3"],
  ["request_key", "249,'user','a',0,0"],
  ["keyctl", "250,0,-3,0"],
  ["bpf", "321,0,'\\0'x100,100"],
  ["perf_event_open", "298,'\\0'x120,0,-1,-1,0"],
  ["userfaultfd", "323,0"],
  ["init_module", "175,'x',1,''"],
  ["kexec_load", "246,0,0,0,0"],
  ["acct", "163,'/tmp/a'"],
  ["swapon", "167,'/tmp/a',0"],
  ["ioperm", "173,0x70,1,1"],
  ["open_by_handle_at", "304,0,'\\0'x64,0"],
  ["quotactl", "179,0x800003,0,0,0"],
  ["ptrace", "101,0x4206,$ENV{HOST}+0,0,0"],
  ["process_vm_readv", "310,$ENV{HOST}+0,0,0,0,0,1"],
  ["pidfd_open", "434,$ENV{HOST}+0,0"],
  ["open a socket of the other set of numbers", "0x40000029,1,1,0"],
];
const byNumber: Attack[] = calls.map(([name, args]) => ({
  name: `has the kernel do ${name}`,
  script: `perl -e 'exit(syscall(${args}) == -1)'`,
}));

const sockets: Attack[] = [
  ...[1, 3, 4, 5, 9, 11, 15, 17, 29, 30, 31, 38, 40, 42, 43, 44].map((family) => ({
    name: `opens a socket of family ${family}`,
    script: `perl -e 'for (1, 2, 3, 5) { socket(S, ${family}, $_, 0) and exit 0 } exit 1'`,
  })),
  {
    name: "sends to a service from a pair of its own",
    script: `perl -MSocket -e 'socketpair(A, B, PF_UNIX, SOCK_DGRAM, 0) or exit 1; send(A, "x", 0, sockaddr_un($ENV{DATAGRAMS})) or exit 1'`,
  },
  ...["SOCK_STREAM", "SOCK_SEQPACKET"].map((type) => ({
    name: `connects one of a pair anew (${type})`,
    script: `perl -MSocket -e 'socketpair(A, B, PF_UNIX, ${type}, 0) or exit 1; connect(A, sockaddr_un($ENV{SOCK})) or exit 1'`,
  })),
  { name: "reaches this machine by its address", script: `exec 3<>"/dev/tcp/$ADDRESS/$PORT"` },
  { name: "reaches this machine by its name", script: `exec 3<>"/dev/tcp/localhost/$PORT"` },
  { name: "reaches this machine by IPv6", script: `exec 3<>"/dev/tcp/::1/$PORT"` },
  { name: "brings up a network card", script: `ip link add name x0 type dummy && ip link set x0 up` },
];

const inWorkspace: Attack[] = [
  ["changes hooks that the settings name", `echo x >> "$W/tools/hooks/pre-commit"`],
  ["plants hooks where the settings name them", `echo x > "$W/tools/hooks/post-commit"`],
  ["changes settings that the settings take in", `echo x >> "$W/tools/gitconfig"`],
  ["changes the settings of a bare repository", `echo x >> "$W/fixtures/bare/config"`],
  ["changes the hooks of a bare repository", `echo x > "$W/fixtures/bare/hooks/update"`],
  ["changes what a link is obeyed by", `echo x >> "$W/docs/agents.md"`],
  ["changes the hooks behind a linked repository", `echo x > "$W/linked-git/hooks/pre-commit"`],
  ["changes the settings behind a linked repository", `echo x >> "$W/linked-git/config"`],
  ["sets git's own hooks", `git -C "$W" config core.hooksPath /tmp`],
  ["sets the person's hooks", `git config --global core.hooksPath /tmp`],
  ["leads the repository elsewhere", `echo "$H" > "$W/.git/commondir" && ! [ -e "$W/.git/made" ] && exit 1`],
  ["changes what the CI runs", `echo x >> "$W/.github/workflows/ci.yml"`],
  ["changes another CI's file", `echo x >> "$W/.gitlab-ci.yml"`],
  ["changes a start-up file that the workspace has", `echo x >> "$W/.bash_profile"`],
  ["changes a build's programs", `echo x >> "$W/.cargo/config.toml"`],
  [
    "writes by a file that says it is another repository's",
    `echo x > "$H/other/$MARK" || echo x > "$H/$MARK"`,
  ],
].map(([name = "", script = ""]) => ({ name, script, widths: ["workspace", "workspace and git"] }));

/** Of a machine with other numbers those by number are left out. */
export const escapes: readonly Attack[] = [
  ...[...writing, ...startUp, ...reading, ...files, ...mounts, ...kernel],
  ...(process.arch === "x64" ? byNumber : []),
  ...sockets,
  ...inWorkspace,
];
