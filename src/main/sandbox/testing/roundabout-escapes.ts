/** Tries to get out by way of something else: what programs of the person read later, a folder around what is guarded, the numbers of another machine. Each is a shell's text that ends well only if it had its effect. */
import type { Attack } from "../attacks.ts";

const named = (tries: readonly (readonly [string, string])[]): Attack[] =>
  tries.map(([name, script]) => ({ name, script }));

const inWorkspace = (tries: readonly (readonly [string, string])[]): Attack[] =>
  named(tries).map((each) => ({ ...each, widths: ["workspace", "workspace and git"] }));

/** What the target world has below its workspace, and agents or shells obey there. */
export const obeyedBelow = [
  "pkg/AGENTS.md",
  "pkg/a/b/c/d/CLAUDE.md",
  "pkg/.claude/settings.json",
  "pkg/.envrc",
];

const obeyed = inWorkspace([
  ...obeyedBelow.flatMap((name) => [
    [`adds to ${name}`, `echo x >> "$W/${name}"`] as const,
    [`puts another in the place of ${name}`, `echo x > "$W/n" && mv -f "$W/n" "$W/${name}"`] as const,
  ]),
  ["takes what agents obey away", `rm -f "$W/pkg/AGENTS.md" && ! [ -e "$W/pkg/AGENTS.md" ]`],
  ["adds a file to what agents obey", `echo x > "$W/pkg/.claude/more.json"`],
  [
    "moves the folder around what agents obey and writes there",
    `mv "$W/pkg" "$W/p2" && echo x >> "$W/p2/AGENTS.md"`,
  ],
]);

/** By another way to the same file. */
const guarded = inWorkspace([
  [
    "moves the folder around named hooks and writes there",
    `mv "$W/tools" "$W/t" && echo x >> "$W/t/hooks/pre-commit"`,
  ],
  [
    "moves the folder around a repository and plants a hook",
    `mv "$W/deep" "$W/d4" && echo x > "$W/d4/er/.git/hooks/x"`,
  ],
  [
    "moves a bare repository and writes its settings",
    `mv "$W/fixtures" "$W/f" && echo x >> "$W/f/bare/config"`,
  ],
  ["moves what a link of the workspace leads to", `mv "$W/docs" "$W/d5" && echo x >> "$W/d5/agents.md"`],
  ["adds an editor's file", `echo x > "$W/.vscode/launch.json"`],
  ["makes a folder among an editor's", `mkdir "$W/.vscode/snippets"`],
  ["leaves a link among an editor's files", `ln -s "$H/other/notes" "$W/.vscode/settings.json"`],
  ["takes an editor's folder away", `rm -rf "$W/.vscode"; ! [ -e "$W/.vscode/tasks.json" ]`],
  ["lets what is guarded run as a program", `chmod +x "$W/.vscode/tasks.json"`],
  ["changes the time of what is guarded", `touch -t 200101010000 "$W/.envrc"`],
  ["leaves a word on what is guarded", `setfattr -n user.x -v y "$W/.envrc"`],
  ["takes room in what is guarded", `fallocate -l 9999 "$W/.envrc"`],
  ["writes it by the folder it holds open", `exec 3< "$W/.vscode"; echo x >> /proc/self/fd/3/tasks.json`],
  ["writes it from where it stands", `cd "$W/.vscode" && echo x >> ./tasks.json`],
  ["writes it by the root of its process", `echo x >> "/proc/self/root$W/.envrc"`],
  ["writes it by the folder of its process", `cd "$W" && echo x >> /proc/self/cwd/.git/config`],
  ["writes it by another thread's name", `echo x >> "/proc/thread-self/root$W/.git/hooks/post-merge"`],
  ["copies over it", `echo x > "$W/c3" && cp --remove-destination "$W/c3" "$W/.envrc"`],
  [
    "unpacks over it",
    `cd "$TMPDIR" && mkdir -p u && echo x > u/.envrc && tar cf u.tar -C u .envrc && tar xf u.tar -C "$W"`,
  ],
  ["installs over it", `echo x > "$W/c4" && install -m 755 "$W/c4" "$W/.git/hooks/post-merge"`],
  ["patches it", `cd "$W" && printf -- '--- a/.envrc\\n+++ b/.envrc\\n@@ -1 +1 @@\\n-\\n+x\\n' | git apply`],
  ["gives git's folder another owner", `chown -R 1:1 "$W/.git/hooks"`],
  [
    "maps it to write it",
    `perl -e 'open(F, "+<", "$ENV{W}/.envrc") or exit 1; exit(syscall(9, 0, 4096, 2, 1, fileno(F), 0) > 0 ? 0 : 1)'`,
  ],
  [
    "gives a file without a name one among hooks",
    `perl -e 'my $n = syscall(257, -100, $ENV{W}, 020200000 | 1, 0700); $n < 0 and exit 1; exit(syscall(265, -100, "/proc/self/fd/$n", -100, "$ENV{W}/.git/hooks/x", 0x400) == 0 ? 0 : 1)'`,
  ],
  [
    "swaps a folder with that of a repository by the call itself",
    `mkdir "$W/mine" && perl -e 'my ($a, $b) = ("$ENV{W}/mine", "$ENV{W}/.git"); exit(syscall(316, -100, $a, -100, $b, 2) == 0 ? 0 : 1)'`,
  ],
  ["leaves what overlays take for gone in its place", `rm -f "$W/.envrc"; mknod "$W/.envrc" c 0 0`],
]);

/** Where package managers, editors and desktops of the person look by themselves. */
const forLater = named(
  [
    ...[
      ".npm/_cacache/index-v5/x",
      ".cache/pip/http/x",
      ".cargo/registry/x",
      "go/pkg/mod/x",
      ".m2/repository/x",
    ],
    ...[".gradle/init.d/x.gradle", ".config/Code/User/settings.json", ".vscode/extensions/x/package.json"],
    ...[".config/nvim/init.lua", ".vim/plugin/x.vim", ".emacs.d/init.el", ".config/zed/settings.json"],
    ...[".config/fish/conf.d/x.fish", ".config/environment.d/x.conf", ".local/share/applications/x.desktop"],
    ...[
      ".local/lib/python3.11/site-packages/x.pth",
      ".docker/cli-plugins/docker-x",
      ".ssh/rc",
      ".ssh/config",
    ],
    ...[
      ".config/git/hooks/post-checkout",
      ".local/share/bash-completion/completions/git",
      ".terminfo/x/xterm",
    ],
    ...[
      ".yarn/berry/cache/x.zip",
      ".cache/uv/x",
      ".bun/bin/x",
      ".deno/bin/x",
      ".claude/CLAUDE.md",
      ".codex/AGENTS.md",
    ],
    ...[
      ".config/countersign/rules.json",
      ".gnupg/gpg.conf",
      ".aws/config",
      ".kube/config2",
      ".config/pip/pip.conf",
    ],
  ].map(
    (name) =>
      [`leaves the person a ${name}`, `mkdir -p "$(dirname "$H/${name}")"; echo x > "$H/${name}"`] as const,
  ),
);

const kernel = named([
  ...[
    [
      "dev/tty/ldisc_autoload",
      "kernel/keys/maxkeys",
      "fs/inotify/max_user_watches",
      "vm/drop_caches",
      "fs/mount-max",
    ],
    [
      "kernel/random/boot_id",
      "kernel/yama/ptrace_scope",
      "kernel/unprivileged_bpf_disabled",
      "fs/suid_dumpable",
    ],
  ]
    .flat()
    .map((name) => [`opens ${name} for writing`, `: >> /proc/sys/${name}`] as const),
  ...[
    [
      "/proc/mtrr",
      "/proc/acpi/wakeup",
      "/sys/kernel/mm/transparent_hugepage/enabled",
      "/sys/fs/cgroup/cgroup.kill",
    ],
    [
      "/sys/devices/system/cpu/cpu1/online",
      "/sys/module/printk/parameters/time",
      "/sys/firmware/efi/efivars",
    ],
  ]
    .flat()
    .map((path) => [`writes to ${path}`, `[ -f ${path} ] && : >> ${path}`] as const),
  ["knows where the kernel lies in memory", `grep -qvE '^0+ ' /proc/kallsyms`],
  ["makes a device of the machine", `mknod "$W/tty" c 136 0 || mknod "$TMPDIR/mem" c 1 1`],
  [
    "opens a terminal of the machine by its number",
    `for n in 0 1 2 3 4 5; do exec 3<> "/dev/pts/$n" && exit 0; done; exit 1`,
  ],
  ["has the console speak to it", `perl -e 'exit(syscall(16, 0, 0x541d, 0) == 0 ? 0 : 1)'`],
  ["hangs a terminal up", `perl -e 'exit(syscall(16, 0, 0x5437, 0) == 0 ? 0 : 1)'`],
  [
    "signals a process outside by its thread",
    `perl -e 'my $p = $ENV{HOST}+0; exit(syscall(234, $p, $p, 0) == 0 ? 0 : 1)'`,
  ],
  [
    "queues a signal for a process outside",
    `perl -e 'my ($p, $i) = ($ENV{HOST}+0, pack("iii", 10, 0, -1) . "\\0" x 116); exit(syscall(129, $p, 0, $i) == 0 ? 0 : 1)'`,
  ],
  [
    "is told of a process outside by a signal of its own",
    `perl -e 'open(F, "<", "$ENV{W}/.envrc") or exit 1; my $p = $ENV{HOST}+0; exit(syscall(72, fileno(F), 8, $p) == 0 ? 0 : 1)'`,
  ],
  [
    "moves the memory of a process outside",
    `perl -e 'my $p = $ENV{HOST}+0; exit(syscall(256, $p, 1, "\\1\\0\\0\\0\\0\\0\\0\\0", "\\1\\0\\0\\0\\0\\0\\0\\0") == 0 ? 0 : 1)'`,
  ],
  [
    "changes when a process outside reads its disk",
    `perl -e 'my $p = $ENV{HOST}+0; exit(syscall(251, 1, $p, 0x6000) == 0 ? 0 : 1)'`,
  ],
]);

/** `mov eax, 102; mov ebx, 1; mov ecx, words; int 0x80`: a socket of this machine, in the numbers of the machine before. */
const older = `import ctypes, mmap, struct, sys
words = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40, prot=7)
at = ctypes.addressof(ctypes.c_char.from_buffer(words))
words[2048:2060] = struct.pack("<III", 1, 1, 0)
code = b"\\x53\\xb8\\x66\\0\\0\\0\\xbb\\x01\\0\\0\\0\\xb9" + struct.pack("<I", at + 2048) + b"\\xcd\\x80\\x5b\\xc3"
words[0:len(code)] = code
sys.exit(0 if ctypes.CFUNCTYPE(ctypes.c_int)(at)() >= 0 else 1)`;

const network = named([
  ["opens a socket by the numbers of the older machine", `/usr/bin/python3 -c '${older}'`],
  ...["::ffff:127.0.0.1", "0.0.0.0", "127.1.2.3", "[::]"].map(
    (address) => [`reaches this machine as ${address}`, `exec 3<> "/dev/tcp/${address}/$PORT"`] as const,
  ),
  [
    "asks the server for names by TCP",
    `timeout 2 bash -c "exec 3<> /dev/tcp/$(sed -n 's/^nameserver //p' /etc/resolv.conf | head -1)/53"`,
  ],
  ["sees who speaks with this machine", `grep -q " $(printf '[0-9A-F]*:%04X' "$PORT") " /proc/net/tcp`],
  ["knows the routes of this machine", `[ "$(wc -l < /proc/net/route)" -gt 1 ]`],
  ["knows its neighbours", `[ "$(wc -l < /proc/net/arp)" -gt 1 ]`],
  ...[4, 6, 9, 12, 15].map(
    (protocol) =>
      [
        `hears what the kernel tells all (${protocol})`,
        `perl -MSocket -e 'socket(S, 16, 3, ${protocol}) or exit 1; bind(S, pack("SSII", 16, 0, 0, 1)) or exit 1; my $r = ""; vec($r, fileno(S), 1) = 1; exit(select($r, undef, undef, 0.2) > 0 ? 0 : 1)'`,
      ] as const,
  ),
]);

const secrets = named([
  [
    "asks git for a password",
    `printf 'protocol=https\\nhost=x\\n\\n' | GIT_TERMINAL_PROMPT=0 git -c credential.helper=store credential fill | grep -q SECRET`,
  ],
  [
    "has git keep a password for the person",
    `printf 'protocol=https\\nhost=x\\nusername=a\\npassword=b\\n\\n' | git -c credential.helper=store credential approve; [ -s "$H/.git-credentials" ]`,
  ],
  ["has git look after a repository for ever", `git -C "$W" maintenance register; [ -e "$H/.gitconfig" ]`],
  ["finds what was typed", `grep -rqs SECRET "$H"/.*_history "$H"/.*hist*`],
  [
    "copies the home with what is hidden",
    `cp -r "$H/.config" "$H/.local" "$H/.ssh" "$TMPDIR/"; grep -rqs 'SECRET\\|PRIVATE\\|RECORD' "$TMPDIR/.config" "$TMPDIR/.local" "$TMPDIR/.ssh"`,
  ],
  [
    "packs the home with what is hidden",
    `tar cf "$TMPDIR/h.tar" -C "$H" --exclude=project . ; grep -qa 'SECRET\\|PRIVATE\\|RECORD' "$TMPDIR/h.tar"`,
  ],
  ["finds a secret by looking through all", `grep -rlqs --exclude-dir=project 'SECRET\\|PRIVATE' "$H"`],
]);

/** Of a machine with other numbers those by number are left out. */
export const roundaboutEscapes: readonly Attack[] = [
  ...obeyed,
  ...guarded.filter(({ script }) => process.arch === "x64" || !script.includes("syscall(")),
  ...forLater,
  ...kernel.filter(({ script }) => process.arch === "x64" || !script.includes("syscall(")),
  ...(process.arch === "x64" ? network : network.slice(1)),
  ...secrets,
];
