/**
 * What namespaces do not fence, refused by the kernel: a seccomp program for `bwrap --seccomp`, as bytes. Sockets of this
 * machine lend other programs' rights (docker, agents, D-Bus), io_uring opens sockets without `socket`, a namespace of
 * its own would undo the mounts, a terminal can be typed into, and a file that runs as its owner would lend this person's
 * rights to every user of the machine once the command is over.
 */

const load = 0x20;
const ifEqual = 0x15;
const ifAtLeast = 0x35;
const ifAnyBit = 0x45;
const keepBits = 0x54;
const answer = 0x06;

const allow = 0x7fff0000;
const errno = 0x00050000;
const notPermitted = errno | 1;
/** For calls that libraries try first and then do without. */
const notKnown = errno | 38;
/** As of a disk that keeps no attributes: programs do without. */
const notSupported = errno | 95;

/** Where the kernel shows number, instruction set and the arguments' lower halves. */
const at = { number: 0, arch: 4, first: 16, second: 24, third: 32, fourth: 40 };
/** Of a socket's type; the rest says how it is opened. */
const typeBits = 0xf;

const newUserOrMountNamespace = 0x10000000 | 0x20000;
/** The internet, which ends in the own namespace, and the kernel's tables of it. Every other family reaches something here. */
const families = { inet: 2, inet6: 10, netlink: 16 };
/** A pair that is connected for good. One of datagrams can be sent on to any socket of this machine. */
const pairs = { unix: 1, stream: 1, seqpacket: 5 };
/** What is typed into a terminal, and another discipline for it, which the kernel would load. */
const ofTerminals = [0x5412, 0x541c, 0x5423];
/** Those of the internet and of the kernel's tables that programs use. Any other has the kernel load code for it. */
const protocols = [0, 1, 6, 17, 58, 262, 4, 9, 12, 15, 16];
/** Whoever writes to a file on which another holds a lease waits for most of a minute. */
const takesLease = 1024;
/** The process that tells how the command ended; one that traces it could hold that up for ever. */
const firstProcess = 1;
/** In a file's mode: it runs as its owner. */
const runsAsOwner = 0o4000;
/** In the flags of an opening: a file is made, named or not. In any other no mode is read. */
const makesFile = 0o100 | 0o20000000;

const everywhere = {
  clone3: 435,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  open_tree_attr: 467,
  /** Its flags and mode lie where no filter can read them. */
  openat2: 437,
  fchmodat2: 452,
  setxattrat: 463,
  removexattrat: 466,
};

const x64 = {
  ...{
    arch: 0xc000003e,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    clone: 56,
    unshare: 272,
    setns: 308,
    mount: 165,
    umount2: 166,
  },
  ...{ pivot_root: 155, add_key: 248, request_key: 249, keyctl: 250, bpf: 321, userfaultfd: 323 },
  ...{ perf_event_open: 298, syslog: 103, fchmod: 91, fchmodat: 268, mknodat: 259, openat: 257, fcntl: 72 },
  ptrace: 101,
  ...{
    setxattr: 188,
    lsetxattr: 189,
    fsetxattr: 190,
    removexattr: 197,
    lremovexattr: 198,
    fremovexattr: 199,
  },
};
/** What arm64 never had. */
const onlyOnX64 = { chmod: 90, creat: 85, mknod: 133, open: 2 };
const arm64: typeof x64 = {
  ...{
    arch: 0xc00000b7,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    clone: 220,
    unshare: 97,
    setns: 268,
    mount: 40,
    umount2: 39,
  },
  ...{ pivot_root: 41, add_key: 217, request_key: 218, keyctl: 219, bpf: 280, userfaultfd: 282 },
  ...{ perf_event_open: 241, syslog: 116, fchmod: 52, fchmodat: 53, mknodat: 33, openat: 56, fcntl: 25 },
  ptrace: 117,
  ...{ setxattr: 5, lsetxattr: 6, fsetxattr: 7, removexattr: 14, lremovexattr: 15, fremovexattr: 16 },
};
const numbers: Partial<Record<NodeJS.Architecture, typeof x64>> = { x64, arm64 };

/** The second set of numbers that x64 knows begins here. */
const otherNumbers = 0x40000000;

type Step = { code: number; value: number; ifSo?: number; ifNot?: number };

type OnlyValues = { argument: number; bits?: number; values: readonly number[] };
const only = (argument: number, values: readonly number[]): OnlyValues => ({ argument, values });

const refuse = (number: number, how: number): Step[] => [
  { code: ifEqual, value: number, ifNot: 1 },
  { code: answer, value: how },
];

/** Where this argument passes the test with one of the values. */
const refuseWith = (number: number, argument: number, test: number, values: readonly number[]): Step[] => [
  { code: ifEqual, value: number, ifNot: 2 + 2 * values.length },
  { code: load, value: argument },
  ...values.flatMap((value) => [
    { code: test, value, ifNot: 1 },
    { code: answer, value: notPermitted },
  ]),
  { code: answer, value: allow },
];

/** Only where each of these arguments is one of its values. */
function allowOnly(number: number, all: readonly OnlyValues[]): Step[] {
  const each = all.map(({ argument, bits, values }): Step[] => [
    { code: load, value: argument },
    ...(bits === undefined ? [] : [{ code: keepBits, value: bits }]),
    ...values.map((value, index) => ({ code: ifEqual, value, ifSo: values.length - index })),
    { code: answer, value: notPermitted },
  ]);
  const steps = [...each.flat(), { code: answer, value: allow }];
  return [{ code: ifEqual, value: number, ifNot: steps.length }, ...steps];
}

/** Where a file is made that runs as its owner. */
const refuseMaking = (number: number, flags: number, mode: number): Step[] => [
  { code: ifEqual, value: number, ifNot: 6 },
  { code: load, value: flags },
  { code: ifAnyBit, value: makesFile, ifNot: 3 },
  { code: load, value: mode },
  { code: ifAnyBit, value: runsAsOwner, ifNot: 1 },
  { code: answer, value: notPermitted },
  { code: answer, value: allow },
];

function refuseRunningAsOwner(own: typeof x64): Step[] {
  const isX64 = own === x64;
  const { chmod, creat, mknod, open } = onlyOnX64;
  const second = [own.fchmod, ...(isX64 ? [chmod, creat, mknod] : [])];
  const third = [own.fchmodat, everywhere.fchmodat2, own.mknodat];
  return [
    ...second.flatMap((number) => refuseWith(number, at.second, ifAnyBit, [runsAsOwner])),
    ...third.flatMap((number) => refuseWith(number, at.third, ifAnyBit, [runsAsOwner])),
    ...refuseMaking(own.openat, at.third, at.fourth),
    ...(isX64 ? refuseMaking(open, at.second, at.third) : []),
  ];
}

/** No socket of this machine, unless these are what a person allowed. */
function refuseSockets(own: typeof x64, { sockets }: Grants): Step[] {
  const { inet, inet6, netlink } = families;
  const values = [inet, inet6, netlink, ...(sockets ? [pairs.unix] : [])];
  const socket = allowOnly(own.socket, [only(at.first, values), only(at.third, protocols)]);
  if (sockets) return [...socket, ...allowOnly(own.socketpair, [only(at.first, [pairs.unix])])];
  const pair = [
    only(at.first, [pairs.unix]),
    { argument: at.second, bits: typeBits, values: [pairs.stream, pairs.seqpacket] },
  ];
  return [...socket, ...allowOnly(own.socketpair, pair)];
}

/** Extended attributes and access lists of files, which are kept as such. */
function refuseAttributes(own: typeof x64): Step[] {
  const setting = [own.setxattr, own.lsetxattr, own.fsetxattr, everywhere.setxattrat];
  const removing = [own.removexattr, own.lremovexattr, own.fremovexattr, everywhere.removexattrat];
  return [...setting, ...removing].flatMap((number) => refuse(number, notSupported));
}

function stepsFor(own: typeof x64, grants: Grants): Step[] {
  const { clone3, io_uring_setup, io_uring_enter, io_uring_register, openat2 } = everywhere;
  const { open_tree, open_tree_attr, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr } =
    everywhere;
  const never = [
    ...[fsconfig, fsmount, fspick],
    ...[own.setns, own.mount, own.umount2, own.pivot_root, open_tree, move_mount, fsopen, mount_setattr],
    ...[open_tree_attr, own.add_key, own.request_key, own.keyctl, own.bpf, own.userfaultfd],
    ...[own.perf_event_open, own.syslog],
  ];
  const triedFirst = [clone3, io_uring_setup, io_uring_enter, io_uring_register, openat2];
  return [
    // Another instruction set has other numbers, so it gets nothing.
    { code: load, value: at.arch },
    { code: ifEqual, value: own.arch, ifSo: 1 },
    { code: answer, value: notKnown },
    { code: load, value: at.number },
    { code: ifAtLeast, value: otherNumbers, ifNot: 1 },
    { code: answer, value: notKnown },
    ...triedFirst.flatMap((number) => refuse(number, notKnown)),
    ...never.flatMap((number) => refuse(number, notPermitted)),
    ...(grants.attributes ? [] : refuseAttributes(own)),
    ...refuseSockets(own, grants),
    ...refuseWith(own.ioctl, at.second, ifEqual, ofTerminals),
    ...refuseWith(own.fcntl, at.second, ifEqual, [takesLease]),
    ...refuseWith(own.ptrace, at.second, ifEqual, [firstProcess]),
    ...refuseWith(own.unshare, at.first, ifAnyBit, [newUserOrMountNamespace]),
    ...refuseWith(own.clone, at.first, ifAnyBit, [newUserOrMountNamespace]),
    ...refuseRunningAsOwner(own),
    { code: answer, value: allow },
  ];
}

/** What a command may have besides. */
export type Grants = {
  /** Those of this machine, which a person may let it have. */
  readonly sockets: boolean;
  /** Whether it changes attributes of files, which a rehearsal could not carry over. */
  readonly attributes: boolean;
};

/** @returns undefined for a machine whose numbers are not known, which then confines nothing. */
export function seccompProgram(
  arch: NodeJS.Architecture = process.arch,
  { sockets = false, attributes = true }: Partial<Grants> = {},
): Buffer | undefined {
  const own = numbers[arch];
  if (own === undefined) return undefined;
  const steps = stepsFor(own, { sockets, attributes });
  const bytes = Buffer.alloc(steps.length * 8);
  steps.forEach(({ code, value, ifSo = 0, ifNot = 0 }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifSo, index * 8 + 2);
    bytes.writeUInt8(ifNot, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
