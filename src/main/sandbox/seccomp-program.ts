/**
 * What namespaces do not fence, refused by the kernel: a seccomp program for `bwrap --seccomp`, as bytes. Sockets of this
 * machine lend other programs' rights (docker, agents, D-Bus), io_uring opens sockets without `socket`, a namespace of
 * its own would undo the mounts, and a terminal can be typed into.
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

/** Where the kernel shows number, instruction set and the arguments' lower halves. */
const at = { number: 0, arch: 4, first: 16, second: 24 };
/** Of a socket's type; the rest says how it is opened. */
const typeBits = 0xf;

const newUserOrMountNamespace = 0x10000000 | 0x20000;
/** The internet, which ends in the own namespace, and the kernel's tables of it. Every other family reaches something here. */
const families = { inet: 2, inet6: 10, netlink: 16 };
/** A pair that is connected for good. One of datagrams can be sent on to any socket of this machine. */
const pairs = { unix: 1, stream: 1, seqpacket: 5 };
const typesIntoTerminal = [0x5412, 0x541c];

const everywhere = {
  clone3: 435,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  mount_setattr: 442,
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
  perf_event_open: 298,
};
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
  perf_event_open: 241,
};
const numbers: Partial<Record<NodeJS.Architecture, typeof x64>> = { x64, arm64 };

/** The second set of numbers that x64 knows begins here. */
const otherNumbers = 0x40000000;

type Step = { code: number; value: number; ifSo?: number; ifNot?: number };

type OnlyValues = { argument: number; bits?: number; values: readonly number[] };

function stepsFor(arch: NodeJS.Architecture): Step[] | undefined {
  const own = numbers[arch];
  if (own === undefined) return undefined;
  const refuse = (number: number, how: number): Step[] => [
    { code: ifEqual, value: number, ifNot: 1 },
    { code: answer, value: how },
  ];
  const refuseWith = (number: number, argument: number, test: number, values: number[]): Step[] => [
    { code: ifEqual, value: number, ifNot: 2 + 2 * values.length },
    { code: load, value: argument },
    ...values.flatMap((value) => [
      { code: test, value, ifNot: 1 },
      { code: answer, value: notPermitted },
    ]),
    { code: answer, value: allow },
  ];
  /** Only where each of these arguments is one of its values. */
  const allowOnly = (number: number, only: readonly OnlyValues[]): Step[] => {
    const each = only.map(({ argument, bits, values }): Step[] => [
      { code: load, value: argument },
      ...(bits === undefined ? [] : [{ code: keepBits, value: bits }]),
      ...values.map((value, index) => ({ code: ifEqual, value, ifSo: values.length - index })),
      { code: answer, value: notPermitted },
    ]);
    const steps = [...each.flat(), { code: answer, value: allow }];
    return [{ code: ifEqual, value: number, ifNot: steps.length }, ...steps];
  };
  return [
    // Another instruction set has other numbers, so it gets nothing.
    { code: load, value: at.arch },
    { code: ifEqual, value: own.arch, ifSo: 1 },
    { code: answer, value: notKnown },
    { code: load, value: at.number },
    { code: ifAtLeast, value: otherNumbers, ifNot: 1 },
    { code: answer, value: notKnown },
    ...[
      everywhere.clone3,
      everywhere.io_uring_setup,
      everywhere.io_uring_enter,
      everywhere.io_uring_register,
    ].flatMap((number) => refuse(number, notKnown)),
    ...[
      own.setns,
      own.mount,
      own.umount2,
      own.pivot_root,
      everywhere.open_tree,
      everywhere.move_mount,
    ].flatMap((number) => refuse(number, notPermitted)),
    ...[everywhere.fsopen, everywhere.mount_setattr, own.add_key, own.request_key, own.keyctl].flatMap(
      (number) => refuse(number, notPermitted),
    ),
    ...[own.bpf, own.userfaultfd, own.perf_event_open].flatMap((number) => refuse(number, notPermitted)),
    ...allowOnly(own.socket, [{ argument: at.first, values: Object.values(families) }]),
    ...allowOnly(own.socketpair, [
      { argument: at.first, values: [pairs.unix] },
      { argument: at.second, bits: typeBits, values: [pairs.stream, pairs.seqpacket] },
    ]),
    ...refuseWith(own.ioctl, at.second, ifEqual, typesIntoTerminal),
    ...refuseWith(own.unshare, at.first, ifAnyBit, [newUserOrMountNamespace]),
    ...refuseWith(own.clone, at.first, ifAnyBit, [newUserOrMountNamespace]),
    { code: answer, value: allow },
  ];
}

/** @returns undefined for a machine whose numbers are not known, which then confines nothing. */
export function seccompProgram(arch: NodeJS.Architecture = process.arch): Buffer | undefined {
  const steps = stepsFor(arch);
  if (steps === undefined) return undefined;
  const bytes = Buffer.alloc(steps.length * 8);
  steps.forEach(({ code, value, ifSo = 0, ifNot = 0 }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifSo, index * 8 + 2);
    bytes.writeUInt8(ifNot, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
