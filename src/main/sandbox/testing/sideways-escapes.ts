/** Tries to get out sideways: by programs that git's settings name, by hidden files of the workspace, by descriptors that only read, by calls that nobody thinks of. Each is a shell's text that ends well only if it had its effect. */
import type { Attack } from "../attacks.ts";

const named = (tries: readonly (readonly [string, string])[]): Attack[] =>
  tries.map(([name, script]) => ({ name, script }));

const inWorkspace = (tries: readonly (readonly [string, string])[]): Attack[] =>
  named(tries).map((each) => ({ ...each, widths: ["workspace", "workspace and git"] }));

/** What the settings of the target world name: its repositories' own, those that they take in, and the person's. */
export const namedPrograms = [
  "tools/clean.sh",
  "tools/bin/textconv.py",
  "tools/driver",
  "own/pager",
  "own/hooks/pre-push",
  "deep/er/scripts/monitor.sh",
];
export const repositorySettings = `[filter "x"]
	clean = ./tools/clean.sh %f
[diff "x"]
	textconv = python3 tools/bin/textconv.py
`;
export const includedSettings = `[merge "x"]
	driver = sh -c "tools/driver %A %B"
`;
/** @param workspace behind `~/` */
export const personalSettings = (workspace: string) => `[core]
	pager = ~/${workspace}/own/pager -R
	hooksPath = ~/${workspace}/own/hooks
`;
export const settingsBelow = `[core]
	fsmonitor = scripts/monitor.sh
`;

const programs = inWorkspace(
  namedPrograms.flatMap((name) => [
    [`adds to ${name}, which git starts or obeys`, `echo x >> "$W/${name}"`] as const,
    [
      `puts another in the place of ${name}, which git starts or obeys`,
      `echo x > "$W/p" && mv -f "$W/p" "$W/${name}"`,
    ] as const,
    [
      `moves the folder around ${name}, which git starts or obeys, and writes there`,
      `mv "$W/${name.split("/")[0]}" "$W/moved" && { echo x >> "$W/moved/${name.split("/").slice(1).join("/")}"; s=$?; mv "$W/moved" "$W/${name.split("/")[0]}"; [ $s = 0 ]; }`,
    ] as const,
  ]),
);

/** `mv --exchange` where it is not there yet. */
const exchange = (one: string, other: string) =>
  `perl -e 'exit(syscall(316, -100, $ARGV[0], -100, $ARGV[1], 2) == 0 ? 0 : 1)' "${one}" "${other}"`;

/** Hidden ones, which git passes over. */
export const ownSecrets = [".env", "api/.env.local", "far/a/b/c/d/.env"];

const byOthers = named([
  ...ownSecrets.map((name) => [`reads ${name} of its workspace`, `grep -q SECRET "$W/${name}"`] as const),
  ["reads its secrets by the root of its process", `grep -q SECRET "/proc/self/root$W/.env"`],
  ["reads its secrets from where they stand", `cd "$W/api" && grep -q SECRET ./.env.local`],
  ["packs its secrets", `tar cf "$TMPDIR/w.tar" -C "$W" .env api && grep -qa SECRET "$TMPDIR/w.tar"`],
  ["copies its secrets as links", `cp -al "$W/.env" "$TMPDIR/e" && grep -q SECRET "$TMPDIR/e"`],
  [
    "has git name its secrets by content",
    `git -C "$W" hash-object -w .env | xargs git -C "$W" cat-file -p | grep -q SECRET`,
  ],
  ["has git compare its secrets", `cd "$W" && git diff --no-index /dev/null .env | grep -q SECRET`],
  [
    "has git search its secrets",
    `cd "$W" && git grep --no-index --no-exclude-standard -q SECRET -- .env api far`,
  ],
]);
const secrets = [
  ...byOthers,
  ...inWorkspace([
    [
      "moves the folder of its secrets deeper and reads them",
      `mkdir -p "$W/x/y/z/q" && mv "$W/api" "$W/x/y/z/q/" && { grep -q SECRET "$W/x/y/z/q/api/.env.local"; s=$?; mv "$W/x/y/z/q/api" "$W/"; [ $s = 0 ]; }`,
    ],
    [
      "moves its secrets among packages and reads them",
      `mkdir -p "$W/node_modules" && mv "$W/api" "$W/node_modules/" && { grep -q SECRET "$W/node_modules/api/.env.local"; s=$?; mv "$W/node_modules/api" "$W/"; [ $s = 0 ]; }`,
    ],
    ["gives its secrets a second name", `ln "$W/.env" "$W/e1" && grep -q SECRET "$W/e1"`],
    ["renames its secrets", `mv "$W/.env" "$W/e2" && grep -q SECRET "$W/e2"`],
    ["swaps its secrets with its own", `echo x > "$W/e3" && ${exchange("$W/e3", "$W/.env")}`],
    ["writes its secrets", `echo x > "$W/.env" && grep -q x "$W/.env"`],
    ["has git keep its secrets", `git -C "$W" add -f .env && git -C "$W" show :.env | grep -q SECRET`],
    [
      "has git put its secrets away",
      `cd "$W" && git -c user.name=a -c user.email=b stash push -aq -- .env api && git show 'stash@{0}^3:.env' | grep -q SECRET`,
    ],
    ["moves its workspace away", `mv "$W" "$W-2" && mv "$W-2" "$W"`],
    ["swaps its workspace with another folder", `mkdir "$TMPDIR/w2" && ${exchange("$TMPDIR/w2", "$W")}`],
    [
      "makes a file of its workspace one that nobody can change",
      `echo x > "$W/i" && chattr +i "$W/i" && chattr -i "$W/i"`,
    ],
    ["leaves a link in the place of its workspace", `rm -rf "$W/nothing"; rmdir "$W" && ln -s / "$W"`],
  ]),
];

/** Of the person's notes, which it may read. */
const open = 'open(F, "<", "$ENV{H}/other/notes") or exit 1;';
const opened = `my $n = "$ENV{H}/other/notes"; my $f = syscall(257, -100, $n, 0x200000, 0); $f < 0 and exit 1;`;
const unless = (call: string) => `exit(syscall(${call}) >= 0 ? 0 : 1)`;

const descriptors = named([
  [
    "writes a file outside by its own memory",
    `perl -e '${open} my $a = syscall(9, 0, 4096, 1, 1, fileno(F), 0); $a > 0 or exit 1; open(M, "+<", "/proc/self/mem") or exit 1; sysseek(M, $a, 0); syswrite(M, "x") and exit 0; exit 1'`,
  ],
  [
    "makes its mapping of a file outside writable",
    `perl -e '${open} my $a = syscall(9, 0, 4096, 1, 1, fileno(F), 0); ${unless("10, $a, 4096, 3")}'`,
  ],
  [
    "writes by a descriptor that only reads, at a place",
    `perl -e '${open} my $b = "x"; ${unless("18, fileno(F), $b, 1, 0")}'`,
  ],
  [
    "shortens by a descriptor that only reads",
    `perl -e '${open} exit(syscall(77, fileno(F), 0) == 0 ? 0 : 1)'`,
  ],
  [
    "copies from one file into one outside",
    `perl -e '${open} open(G, "<", "$ENV{W}/.envrc") or exit 1; exit(syscall(326, fileno(G), 0, fileno(F), 0, 1, 0) > 0 ? 0 : 1)'`,
  ],
  [
    "sends from one file into one outside",
    `perl -e '${open} open(G, "<", "/etc/passwd") or exit 1; exit(syscall(40, fileno(F), fileno(G), 0, 1) > 0 ? 0 : 1)'`,
  ],
  [
    "splices a pipe into a file outside",
    `perl -e '${open} pipe(R, P); syswrite(P, "x"); exit(syscall(275, fileno(R), 0, fileno(F), 0, 1, 0) > 0 ? 0 : 1)'`,
  ],
  [
    "writes into what a pipe took from a file outside",
    `perl -e '${open} pipe(R, P); my $z = "z" x 65536; syswrite(P, $z); sysread(R, $z, 65536); my $o = pack("q", 0); syscall(275, fileno(F), $o, fileno(P), 0, 1, 0) == 1 or exit 1; syswrite(P, "X"); open(C, "<", "$ENV{H}/other/notes"); exit(<C> =~ /X/ ? 0 : 1)'`,
  ],
  [
    "shares blocks with a file outside",
    `perl -e '${open} open(G, "<", "$ENV{W}/.envrc") or exit 1; exit(syscall(16, fileno(F), 0x40049409, fileno(G)) == 0 ? 0 : 1)'`,
  ],
  [
    "merges blocks with a file outside",
    `perl -e '${open} open(G, "<", "$ENV{H}/.profile") or exit 1; my $d = pack("QQSSIqQQiI", 0, 5, 1, 0, 0, fileno(F), 0, 0, 0, 0); syscall(16, fileno(G), 0xc0189436, $d) == 0 or exit 1; my ($s) = (unpack("QQSSIqQQiI", $d))[8]; exit($s == 0 ? 0 : 1)'`,
  ],
  [
    "queues a write by a descriptor that only reads",
    `perl -e '${open} my $c = pack("Q", 0); syscall(206, 1, $c) == 0 or exit 1; my $b = "x"; my $i = pack("QIIsSIPQqQII", 0, 0, 0, 1, 0, fileno(F), $b, 1, 0, 0, 0, 0); my $l = pack("P", $i); exit(syscall(209, unpack("Q", $c), 1, $l) == 1 ? 0 : 1)'`,
  ],
  [
    "changes rights by the name of a descriptor",
    `perl -e '${opened} exit(system("chmod", "777", "/proc/$$/fd/$f") == 0 ? 0 : 1)'`,
  ],
  [
    "changes rights by an empty name",
    `perl -e '${opened} my $e = ""; exit(syscall(452, $f, $e, 0777, 0x1000) == 0 ? 0 : 1)'`,
  ],
  [
    "changes the owner by an empty name",
    `perl -e '${opened} my $e = ""; exit(syscall(260, $f, $e, 1, 1, 0x1000) == 0 ? 0 : 1)'`,
  ],
  [
    "changes times by an empty name",
    `perl -e '${open} my $t = pack("q4", 0, 0, 0, 0); exit(syscall(280, fileno(F), 0, $t, 0) == 0 ? 0 : 1)'`,
  ],
  [
    "names an opened file outside anew",
    `perl -e '${opened} my ($e, $t) = ("", "$ENV{TMPDIR}/anew"); exit(syscall(265, $f, $e, -100, $t, 0x1000) == 0 ? 0 : 1)'`,
  ],
  [
    "leaves a mark of overlays in the place of a file outside",
    `perl -e 'my ($a, $b) = ("$ENV{H}/other/victim", "$ENV{H}/other/v2"); exit(syscall(316, -100, $a, -100, $b, 4) == 0 ? 0 : 1)'`,
  ],
  [
    "counts a file outside to another project",
    `perl -e '${open} my $x = pack("I5x8", 0, 0, 0, 7, 0); exit(syscall(16, fileno(F), 0x401c5820, $x) == 0 ? 0 : 1)'`,
  ],
  [
    "has a file outside encrypted",
    `perl -e '${open} my $k = "\\0" x 12; exit(syscall(16, fileno(F), 0x800c6613, $k) == 0 ? 0 : 1)'`,
  ],
  [
    "has a file outside sealed",
    `perl -e '${open} my $v = pack("IIIIQIIQQ11", 1, 1, 4096, 0, 0, 0, 0, 0, (0) x 11); exit(syscall(16, fileno(F), 0x40806685, $v) == 0 ? 0 : 1)'`,
  ],
  [
    "locks out whoever writes a file outside",
    `perl -e '${open} my $l = pack("ssx4qqix4", 1, 0, 0, 0, 0); exit(syscall(72, fileno(F), 37, $l) == 0 ? 0 : 1)'`,
  ],
]);

/** By their numbers on x64; each would answer 0 or more. */
const calls: readonly (readonly [string, string])[] = [
  ["turn off what memory is swapped to", '168,"/x"'],
  ["name the domain", '171,"x",1'],
  ["allow it all ports", "172,3"],
  ["take a module out", '176,"dummy",0'],
  ["load a module from a file", '313,0,"",0'],
  ["start another kernel", "320,-1,-1,0,0,4"],
  ["set the day", '164,pack("qq",time,0),0'],
  ["set another clock", '305,0,pack("Ix204",1)'],
  ["go before all others", '144,0,1,pack("i",1)'],
  ["have a deadline", '314,0,pack("IIQiIQQQ",48,6,0,0,0,1000000,2000000,2000000),0'],
  ["read the disk before all others", "251,1,0,0x2000"],
  ["be somebody else", "105,1"],
  ["be of another group", "106,1"],
  ["be of more groups", '116,1,pack("I",0)'],
  ["have other rights", '126,pack("II",0x20080522,0),pack("I6",0xffffffff,0xffffffff,0,0,0,0)'],
  ["change its root by the call itself", '161,"/tmp"'],
  ["open a file by a handle of its own making", '304,3,pack("IiQ",8,1,2),0'],
  ["count the disk's users by a descriptor", "443,3,0x800003,0,0"],
  ["watch by another's eyes", "300,0x10,0"],
  ["look into the kernel's log", "103,10,0,0"],
  ["take over dying memory of what holds it", "448,3,0"],
  ["advise on the memory of another", "440,3,0,0,21,0"],
  ["tell what it is to the security module", '460,100,pack("QQQQ",100,0,32,0),32,0'],
  ["have keys of a session of its own", '250,1,"x"'],
];
const byNumber = named(
  calls.map(
    ([name, args]) =>
      [
        `has the kernel ${name}`,
        `perl -e 'my ($n, @a) = (${args}); exit(syscall($n, @a) >= 0 ? 0 : 1)'`,
      ] as const,
  ),
);

/** Opens for writing what has a right to be written, and writes nothing. */
const anyWritable = (top: string, but: string) =>
  `perl -e 'sub f { my ($p) = @_; lstat $p or return; return if -l _ or $p =~ m{${but}}; if (-d _) { opendir(my $d, $p) or return; my @n = readdir $d; f("$p/$_") for grep { !/^[.][.]?$/ } @n; return } return unless -f _; open(my $h, ">>", $p) and exit 0 } f("${top}"); exit 1'`;

const kernel = named([
  [
    "opens some file of the kernel for writing",
    anyWritable("/proc", "^/proc/(\\d+|self|thread-self|pressure)(/|$)"),
  ],
  ["opens some file of the machine's devices for writing", anyWritable("/sys", "^$")],
  [
    "knows where its memory lies in the machine",
    `perl -e 'my $x = "x" x 8192; my ($a) = unpack("Q", pack("P", $x)); open(P, "<", "/proc/self/pagemap") or exit 1; sysseek(P, int($a / 4096) * 8, 0); sysread(P, my $e, 8); exit((unpack("Q", $e) & ((1 << 55) - 1)) != 0 ? 0 : 1)'`,
  ],
  ["is another person to the machine's log", `echo 1 > /proc/self/loginuid`],
  ["has a clock of its own", `echo "monotonic 1000000 0" > /proc/self/timens_offsets`],
  ["maps its projects", `echo "0 0 1" > /proc/self/projid_map`],
  ["counts the pages of the machine", `head -c 8 /proc/kpagecount | grep -qa .`],
]);

const message = (kind: number, body: string) =>
  `perl -e 'socket(S, 16, 3, 0) or exit 1; my $b = ${body}; my $m = pack("ISSII", 16 + length($b), ${kind}, 0x605, 1, 0) . $b; send(S, $m, 0) or exit 1; recv(S, my $a, 200, 0); my ($l, $t) = unpack("IS", $a); exit($t == 2 && unpack("x16l", $a) == 0 ? 0 : 1)'`;
const network = named([
  [
    "makes a card by the kernel's own words",
    message(
      16,
      `pack("CxSiII", 0, 0, 0, 1, 1) . pack("SSZ8", 12, 3, "x1") . pack("SSSSZ8", 16, 18, 12, 1, "dummy")`,
    ),
  ],
  [
    "gives its card an address",
    message(20, `pack("CCCCI", 2, 8, 0, 0, 1) . pack("SSC4", 8, 2, 10, 9, 8, 7)`),
  ],
  [
    "leads all to another place",
    message(24, `pack("C8I", 2, 0, 0, 0, 254, 4, 0, 1, 0) . pack("SSI", 8, 4, 1)`),
  ],
  [
    "writes the rules of a wall",
    `perl -e 'exit(syscall(54, 3, 0, 64, 0, 0) == 0 ? 0 : 1)' || iptables -A INPUT -j DROP || nft add table x`,
  ],
  [
    "binds itself to a card",
    `perl -MSocket -e 'socket(S, 2, 2, 17) or exit 1; my $p = sockaddr_in(80, INADDR_ANY); setsockopt(S, 1, 36, pack("I", 7)) or exit 1'`,
  ],
  [
    "asks for a service of the machine by its name on the network",
    `timeout 2 perl -MSocket -e 'socket(S, 2, 1, 6); connect(S, sockaddr_in($ENV{PORT}, inet_aton("localhost"))) or exit 1'`,
  ],
  [
    "talks to itself through the machine",
    `perl -MSocket -e 'socket(S, 2, 1, 6); bind(S, sockaddr_in(0, inet_aton($ENV{ADDRESS}))) or exit 1'`,
  ],
]);

const helpers = named([
  ["maps itself by the machine's helper", `unshare -U sleep 1 & newuidmap $! 0 0 1`],
  ["mounts by the machine's helper", `fusermount3 -o ro -- "$TMPDIR" || fusermount "$TMPDIR"`],
  ["changes its shell", `chsh -s /bin/true < /dev/null`],
  ["opens a session of another", `runuser -u nobody true || setpriv --reuid 65534 true`],
  [
    "has the host of its box start a program",
    `flatpak-spawn --host true || distrobox-host-exec true || host-spawn true`,
  ],
  [
    "has a container's service answer",
    `docker ps || podman --remote ps || nerdctl ps || lxc list || virsh list`,
  ],
  [
    "speaks on the bus",
    `busctl list || gdbus call --system -d org.freedesktop.DBus -o / -m org.freedesktop.DBus.ListNames || dbus-send --system --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames`,
  ],
  ["types into a session that stands open", `tmux ls || screen -ls | grep -q Attached`],
  ["signs by an agent of the person", `ssh-add -l`],
]);

const isByNumber = ({ script }: Attack) => script.includes("syscall(");

/** Of a machine with other numbers those by number are left out. */
export const sidewaysEscapes: readonly Attack[] = [
  ...[...programs, ...secrets, ...descriptors, ...byNumber, ...kernel, ...network, ...helpers].filter(
    (each) => process.arch === "x64" || !isByNumber(each),
  ),
];
