/** Tries to get out by what programs seldom use, each a shell's text that ends well only if it had its effect. */
import type { Attack } from "../attacks.ts";

const named = (tries: readonly (readonly [string, string])[]): Attack[] =>
  tries.map(([name, script]) => ({ name, script }));

/** `perl -e` that ends well where the call was not refused, whatever became of it. */
const notRefused = (call: string) =>
  `perl -e 'syscall(${call}) >= 0 and exit 0; exit($! == 1 || $! == 38 ? 1 : 0)'`;

/** Names that the target world fills with the word SECRET, beside those of the other tries. */
export const uncommonSecrets = [
  ...[".Xauthority", ".ICEauthority", ".msmtprc", ".mbsyncrc", ".fetchmailrc", ".offlineimaprc"],
  ...[".1password/agent.sock", ".colima/default/docker.sock", ".lima/x/docker.sock", ".rd/docker.sock"],
  ...[".orbstack/run/docker.sock", ".minikube/profiles/x/client.key", ".pulumi/credentials.json"],
  ...[".cloudflared/cert.pem", ".ngrok2/ngrok.yml", ".config/ngrok/ngrok.yml", ".config/hcloud/cli.toml"],
  ...[".config/stripe/config.toml", ".config/heroku/x", ".config/scw/config.yaml", ".config/solana/id.json"],
  ...[".cache/huggingface/token", ".huggingface/token", ".local/share/com.vercel.cli/auth.json"],
  ...[
    ".config/.wrangler/config/default.toml",
    ".wrangler/config/default.toml",
    ".config/netlify/config.json",
  ],
  ...[".config/opera/Default/Cookies", ".librewolf/p/key4.db", ".zen/p/key4.db", ".var/app/x/data/Cookies"],
  ...["snap/chromium/common/Cookies", ".config/google-chrome-beta/Default/Cookies", ".bitcoin/wallet.dat"],
  ...[".electrum/wallets/default", ".ethereum/keystore/x", ".config/Code/User/globalStorage/state.vscdb"],
  ...[
    ".config/Cursor/User/globalStorage/state.vscdb",
    ".config/Bitwarden/data.json",
    ".config/discord/Cookies",
  ],
  ...[".config/Element/Cookies", ".local/share/TelegramDesktop/tdata/key", ".config/1Password/x"],
  ...[".config/keepassxc/keepassxc.ini", ".config/evolution/sources/x", ".local/share/evolution/mail"],
  ...[".subversion/auth/svn.simple/x", ".smbcredentials"],
  ...[".davfs2/secrets", ".local/share/atuin/history.db", ".zhistory", ".histfile", ".lesshst", ".viminfo"],
  ...[".rediscli_history", ".irb_history", ".pry_history", ".mongorc.js", ".dbshell"],
  ...[".config/nushell/history.txt", ".local/share/powershell/PSReadLine/ConsoleHost_history.txt"],
  ...[".bash_history-00001.tmp", ".netrc.bak", "vault.kdbx", ".config/age/keys.age"],
];

const reading: Attack[] = uncommonSecrets.map((name) => ({
  name: `reads ${name} of the home`,
  script: `grep -q SECRET "$H/${name}"`,
}));

const kinds =
  "devpts sysfs cgroup2 bpf fuse securityfs debugfs tracefs ramfs mqueue binfmt_misc hugetlbfs configfs";
const mounts = named([
  ...kinds
    .split(" ")
    .map(
      (kind) =>
        [
          `mounts a ${kind} by the call itself`,
          `mkdir -p "$TMPDIR/k" && perl -e 'my ($a, $b, $c, $d) = ("none", "$ENV{TMPDIR}/k", "${kind}", ""); exit(syscall(165, $a, $b, $c, 0, $d) == 0 ? 0 : 1)'`,
        ] as const,
    ),
  ...["/", "/proc", "/dev", "$ENV{W}", "/proc/sys"].map(
    (place) =>
      [
        `takes off ${place} by the call itself`,
        `perl -e 'my $p = "${place}"; exit(syscall(166, $p, 2) == 0 ? 0 : 1)'`,
      ] as const,
  ),
  [
    "lets programs of its /tmp run as their owner",
    `perl -e 'my ($n, $t, $o) = ("none", "/tmp", ""); exit(syscall(165, $n, $t, $n, 0x1020, $o) == 0 ? 0 : 1)'`,
  ],
  ["configures a mount that nobody opened", notRefused("431, 0, 0, 0, 0, 0")],
  ["finishes a mount that nobody opened", notRefused("432, 0, 0, 0")],
]);

/** Of the file systems of processes and namespaces a file is known by its number, which can be guessed. */
const byHandle = named([
  [
    "finds a process outside by its file's number",
    `perl -e 'my $p = syscall(434, $$, 0); $p < 0 and exit 1; my ($m, $e, $h) = (pack("i", 0), "", pack("Ii", 64, 0) . "\\0" x 64); syscall(303, $p, $e, $h, $m, 0x1200) == 0 or exit 1; my ($n, $t) = unpack("Ii", $h); my $own = unpack("Q", substr($h, 8, 8)); for my $i (1 .. 4000) { my $g = $h; substr($g, 8, 8) = pack("Q", $own - $i); my $f = syscall(304, -10002, $g, 0); next if $f < 0; open(I, "<", "/proc/self/fdinfo/$f"); my ($pid) = join("", <I>) =~ /^Pid:\\s*(-?\\d+)/m; exit 0 if defined $pid && $pid <= 0; syscall(3, $f) } exit 1'`,
  ],
  [
    "finds the machine's mounts by their number",
    `perl -e 'open(N, "<", "/proc/self/ns/mnt"); my ($m, $e, $h) = (pack("i", 0), "", pack("Ii", 64, 0) . "\\0" x 64); syscall(303, fileno(N), $e, $h, $m, 0x1200) == 0 or exit 1; my ($inum) = $ENV{NS_mnt} =~ /(\\d+)/; for my $i (0 .. 200) { my $g = $h; substr($g, 8, 8) = pack("Q", $i); substr($g, 20, 4) = pack("I", $inum); my $f = syscall(304, -10003, $g, 0); next if $f < 0; exit 0 if readlink("/proc/self/fd/$f") eq $ENV{NS_mnt} } exit 1'`,
  ],
  [
    "lists the namespaces of the machine",
    `perl -e 'my ($r, $b) = (pack("I4Q2", 32, 0, 0, 0, 0, 0), "\\0" x 800); my $n = syscall(470, $r, $b, 100, 0); $n > 0 or exit 1; my %own = map { (stat "/proc/self/ns/$_")[1] => 1 } qw(pid net ipc uts user mnt cgroup time); exit($n > 8 ? 0 : 1)'`,
  ],
  [
    "sets an attribute of a file outside by the newest call",
    `perl -e 'my ($p, $a) = ("$ENV{H}/other/notes", "\\0" x 24); syscall(468, -100, $p, $a, 24, 0) == 0 or exit 1; substr($a, 0, 8) = pack("Q", 0x40); exit(syscall(469, -100, $p, $a, 24, 0) == 0 ? 0 : 1)'`,
  ],
  [
    "opens anew for writing what it mapped",
    `perl -e 'open(F, "<", "$ENV{H}/other/notes") or exit 1; my $a = syscall(9, 0, 4096, 1, 2, fileno(F), 0); for (glob "/proc/self/map_files/*") { next unless readlink($_) =~ /notes$/; open(G, "+<", $_) and exit 0 } exit 1'`,
  ],
]);

/** What makes the kernel load code that nobody uses here. */
const loading = named([
  [
    "gives its terminal another discipline",
    `perl -e 'open(P, "+<", "/dev/ptmx") or exit 1; my $d = pack("i", 0); ioctl(P, 0x5423, $d) or exit 1'`,
  ],
  ...[
    ["SCTP", 2, 1, 132],
    ["SCTP with messages", 10, 5, 132],
    ["DCCP", 2, 6, 33],
    ["UDP-Lite", 2, 2, 136],
    ["L2TP", 2, 2, 115],
    ["SMC", 2, 1, 256],
    ["a number of its own choice", 2, 3, 77],
  ].map(([name, ...words]) => [`opens a socket of ${name}`, notRefused(`41, ${words.join(", ")}`)] as const),
]);

const services = named([
  ["sees the names of the machine's sockets", `grep -q "$SOCK" /proc/net/unix`],
  ["finds another terminal of the machine", `ls /dev/pts | grep -v ptmx | grep -q .`],
  ["writes into the machine's log", "[ -S /dev/log ] && logger x"],
  ["is told of the session's bus", `[ -n "$(ls "\${XDG_RUNTIME_DIR:-/run/user/0}" 2>/dev/null)" ]`],
  ["has the machine start a unit", "systemd-run true || systemd-run --user true"],
  ["has the machine print", "[ -S /var/run/cups/cups.sock ] && echo x | lp"],
  ["finds a screen", '[ -n "$(ls /tmp/.X11-unix /tmp/.ICE-unix 2>/dev/null)" ]'],
  [
    "becomes root by the machine's own word",
    "sudo -n true || pkexec --disable-internal-agent true || su -c true",
  ],
  [
    "reaches what tells machines of a cloud who they are",
    `timeout 2 bash -c 'exec 3<>/dev/tcp/169.254.169.254/80'`,
  ],
  [
    "shouts into the network",
    `perl -MSocket -e 'socket(S, PF_INET, SOCK_DGRAM, 17) or exit 1; setsockopt(S, SOL_SOCKET, SO_BROADCAST, 1); send(S, "x", 0, sockaddr_in(9, INADDR_BROADCAST)) or exit 1'`,
  ],
  [
    "speaks to all that listen for it",
    `perl -MSocket -e 'socket(S, PF_INET, SOCK_DGRAM, 17) or exit 1; send(S, "x", 0, sockaddr_in(5353, inet_aton("224.0.0.251"))) or exit 1'`,
  ],
  ["asks whether a machine is there", `ping -c 1 -W 1 "$ADDRESS"`],
  [
    "leaves its pair and connects anew",
    `perl -MSocket -e 'socketpair(A, B, PF_UNIX, SOCK_STREAM, 0) or exit 1; connect(A, pack("S", 0)); connect(A, sockaddr_un($ENV{SOCK})) or exit 1'`,
  ],
  [
    "listens with one of a pair",
    `perl -MSocket -e 'socketpair(A, B, PF_UNIX, SOCK_STREAM, 0) or exit 1; bind(A, sockaddr_un("$ENV{W}/pair")) or exit 1; listen(A, 1) or exit 1'`,
  ],
  [
    "sends a message of one of a pair elsewhere",
    `perl -MSocket -e 'socketpair(A, B, PF_UNIX, SOCK_SEQPACKET, 0) or exit 1; shutdown(A, 2); connect(A, pack("S", 0)); connect(A, sockaddr_un($ENV{SOCK})) or exit 1'`,
  ],
  [
    "makes a pair that sends anywhere, by its other name",
    `perl -e 'exit(syscall(53, 1, 3, 0, "\\0" x 8) == 0 ? 0 : 1)'`,
  ],
]);

const devices =
  "kvm net/tun vhost-net vhost-vsock uinput uhid input dri snd hidraw0 rfkill watchdog mapper port nvram rtc0 userfaultfd dma_heap udmabuf bus/usb hwrng cpu/0/msr sda vda nvme0 mem";
const processes = named([
  ["finds a device of the machine", `for f in ${devices}; do [ -e "/dev/$f" ] && exit 0; done; exit 1`],
  [
    "holds up whoever writes a file outside",
    `perl -e 'open(F, "<", "$ENV{H}/other/notes") or exit 1; exit(syscall(72, fileno(F), 1024, 0) == 0 ? 0 : 1)'`,
  ],
  ["traces what holds it", `perl -e 'exit(syscall(101, 16, 1, 0, 0) == 0 ? 0 : 1)'`],
  ["seizes what holds it", `perl -e 'exit(syscall(101, 0x4206, 1, 0, 0) == 0 ? 0 : 1)'`],
  [
    "takes a descriptor of what holds it",
    `perl -e 'my $p = syscall(434, 1, 0); $p < 0 and exit 1; for (3 .. 20) { my $f = syscall(438, $p, $_, 0); next if $f < 0; exit 0 if readlink("/proc/self/fd/$f") !~ /^anon_inode|^pipe/ } exit 1'`,
  ],
  ["takes the keys of the session", `perl -e 'exit(syscall(250, 1, 0) >= 0 ? 0 : 1)'`],
  ["asks for memory that the machine shares by a number", `[ "$(ipcs -m | grep -c 0x)" -gt 0 ]`],
  ["sees the uptime's users", `[ -n "$(who)" ]`],
  [
    "waits in a group of the host",
    `[ "$(cut -d' ' -f5,6 /proc/self/stat)" = "$(cut -d' ' -f5,6 "/proc/$HOST/stat" 2>/dev/null)" ]`,
  ],
]);

const git = (words: string) => `git -c user.name=A -c user.email=a@b.c -C "$W" ${words}`;
const changesSettings = (words: string) =>
  `c=$(cat "$W/.git/config" "$W/.git/config.worktree"); ${git(words)}; [ "$c" != "$(cat "$W/.git/config" "$W/.git/config.worktree")" ]`;
const byGit: Attack[] = [
  ["adds a remote", changesSettings("remote add x y")],
  ["has git settings of one work tree", changesSettings("config --worktree core.hooksPath /tmp")],
  [
    "leads git elsewhere when it begins anew",
    changesSettings(`init -q --template="$TMPDIR" --separate-git-dir "$W/elsewhere"`),
  ],
  [
    "takes a lock's place",
    `cp "$W/.git/config" "$W/.git/config.lock"; echo x >> "$W/.git/config.lock"; mv -f "$W/.git/config.lock" "$W/.git/config"`,
  ],
  ["makes a work tree outside", git('worktree add -f "$H/other/tree"')],
  ["makes a copy outside", `git clone -q "$W" "$H/other/copy"`],
  ["puts an archive outside", git('archive -o "$H/other/a.tar" HEAD')],
  ["puts its changes outside", git('format-patch -1 -o "$H/other" HEAD')],
  ["puts a bundle outside", git('bundle create "$H/other/b" --all')],
  [
    "writes a branch over the settings",
    `${git("update-ref refs/../config HEAD")} && grep -q "^[0-9a-f]*$" "$W/.git/config"`,
  ],
  [
    "logs into a file outside",
    `ln -s "$H/other/notes" "$W/.git/logs"; ${git("commit -q --allow-empty -m x")}; grep -q commit "$H/other/notes"`,
  ],
  [
    "borrows hooks by a template",
    `mkdir -p "$TMPDIR/t/hooks"; echo x > "$TMPDIR/t/hooks/post-checkout"; ${git('init -q --template="$TMPDIR/t"')}; [ -e "$W/.git/hooks/post-checkout" ]`,
  ],
].map(([name = "", script = ""]) => ({ name, script, widths: ["workspace", "workspace and git"] }));

/** Of a machine with other numbers those by number are left out. */
export const uncommonEscapes: readonly Attack[] = [
  ...reading,
  ...(process.arch === "x64" ? [...mounts, ...byHandle, ...loading] : []),
  ...services,
  ...processes,
  ...byGit,
];
