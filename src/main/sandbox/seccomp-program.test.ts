/** The filter by a reader of its own, which follows the kernel's rules for such programs, over every rule and its neighbours. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seccompProgram } from "./seccomp-program.ts";

type Call = { number: number; arch: number; args?: readonly number[] };

const allowed = 0x7fff0000;
const notPermitted = 0x00050001;
const notKnown = 0x00050026;
const notSupported = 0x0005005f;

/** What the kernel would answer. @throws where it would refuse the program itself */
function answerTo(program: Buffer, { number, arch, args = [] }: Call): number {
  const seen = new Map([
    [0, number],
    [4, arch],
    ...args.map((value, index) => [16 + 8 * index, value] as const),
  ]);
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const tests: Record<number, () => boolean> = {
      21: () => loaded === value,
      53: () => loaded >= value,
      69: () => (loaded & value) !== 0,
    };
    const test = tests[code];
    if (code === 0x20) loaded = (seen.get(value) ?? 0) >>> 0;
    else if (code === 0x54) loaded = (loaded & value) >>> 0;
    else if (code === 0x06) return value;
    else if (test !== undefined) at += program.readUInt8(at * 8 + (test() ? 2 : 3));
    else throw new Error(`instruction ${code.toString(16)} at ${at}`);
  }
  throw new Error("it runs over its end");
}

/** By the kernel's own tables, as `man 2 syscalls` and its headers have them. */
const machines = {
  x64: {
    arch: 0xc000003e,
    ...{ socket: 41, socketpair: 53, ioctl: 16, unshare: 272, clone: 56, fcntl: 72, ptrace: 101 },
    // Where the mode stands among the arguments, and for those that open also where the flags stand.
    modes: {
      chmod: [90, 1],
      fchmod: [91, 1],
      creat: [85, 1],
      mknod: [133, 1],
      fchmodat: [268, 2],
      mknodat: [259, 2],
    },
    openings: { open: [2, 1, 2], openat: [257, 2, 3] },
    refused: {
      setns: 308,
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
    },
    more: { bpf: 321, userfaultfd: 323, perf_event_open: 298, syslog: 103 },
    attributes: [188, 189, 190, 197, 198, 199],
  },
  arm64: {
    arch: 0xc00000b7,
    ...{ socket: 198, socketpair: 199, ioctl: 29, unshare: 97, clone: 220, fcntl: 25, ptrace: 117 },
    modes: { fchmod: [52, 1], fchmodat: [53, 2], mknodat: [33, 2] },
    openings: { openat: [56, 2, 3] },
    refused: {
      setns: 268,
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
    },
    more: { bpf: 280, userfaultfd: 282, perf_event_open: 241, syslog: 116 },
    attributes: [5, 6, 7, 14, 15, 16],
  },
};
const onBoth = {
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  open_tree_attr: 467,
};
const modesOnBoth = { fchmodat2: [452, 2] };
const attributesOnBoth = [463, 466];
const triedFirst = {
  clone3: 435,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  openat2: 437,
};

describe.each(Object.entries(machines))("the filter on %s", (name, machine) => {
  const program = seccompProgram(name as "x64" | "arm64")!;
  const { arch, refused, more } = machine;
  const never = new Set(Object.values({ ...refused, ...more, ...onBoth }));
  const unknown = new Set(Object.values(triedFirst));
  const byArgument = new Set([
    machine.socket,
    machine.socketpair,
    machine.ioctl,
    machine.unshare,
    machine.clone,
    machine.fcntl,
    machine.ptrace,
  ]);
  const modes = Object.values({ ...machine.modes, ...modesOnBoth }) as [number, number][];
  const openings = Object.values(machine.openings) as [number, number, number][];
  for (const [number] of [...modes, ...openings]) byArgument.add(number);
  const withArguments = (...given: [number, number][]) => {
    const args = [0, 0, 0, 0, 0, 0];
    for (const [at, value] of given) args[at] = value;
    return args;
  };

  it("refuses exactly the calls of its list, whatever their arguments are", () => {
    for (let number = 0; number < 600; number++) {
      if (byArgument.has(number)) continue;
      const expected = never.has(number) ? notPermitted : unknown.has(number) ? notKnown : allowed;
      for (const args of [[], [1, 0x5412], [40, 0xffffffff]])
        expect(answerTo(program, { number, arch, args }), `${number}`).toBe(expected);
    }
  });

  it.each<[string, number, (value: number) => number[], number[], number[]]>([
    [
      "sockets of the machine",
      machine.socket,
      (family) => [family],
      [0, 1, 3, 9, 11, 15, 17, 31, 38, 40, 42],
      [2, 10, 16],
    ],
    ["pairs of other kinds", machine.socketpair, (family) => [family, 1], [0, 2, 16, 30], [1]],
    [
      "pairs that can be sent on",
      machine.socketpair,
      (type) => [1, type],
      [2, 3, 0x80002, 0x802, 4],
      [1, 5, 0x80001, 0x805],
    ],
    [
      "what has the kernel load code",
      machine.socket,
      (protocol) => [2, 1, protocol],
      [2, 33, 115, 132, 136, 256],
      [0, 1, 6, 17, 58, 262],
    ],
    [
      "typing into a terminal, or another discipline for it",
      machine.ioctl,
      (request) => [0, request],
      [0x5412, 0x541c, 0x5423],
      [0x5401, 0x5411, 0x5413, 0x541b, 0x5424],
    ],
    ["leases on files", machine.fcntl, (request) => [3, request], [1024], [0, 2, 4, 1023, 1025, 1030]],
    ["tracing what tells of the end", machine.ptrace, (pid) => [16, pid], [1], [0, 2, 3]],
    [
      "namespaces of its own",
      machine.unshare,
      (flags) => [flags],
      [0x10000000, 0x20000, 0x10000400],
      [0, 0x400, 0x40000000],
    ],
    [
      "processes in namespaces of their own",
      machine.clone,
      (flags) => [flags],
      [0x10000011, 0x20011],
      [0x11, 0x3d0f00],
    ],
  ])("refuses %s and nothing near it", (_, number, argsOf, bad, good) => {
    for (const value of bad)
      expect(answerTo(program, { number, arch, args: argsOf(value) })).toBe(notPermitted);
    for (const value of good) expect(answerTo(program, { number, arch, args: argsOf(value) })).toBe(allowed);
  });

  it("lets no file run as its owner, however it is made, and any other mode be", () => {
    const answer = (number: number, ...given: [number, number][]) =>
      answerTo(program, { number, arch, args: withArguments(...given) });
    for (const [number, at] of modes) {
      expect(answer(number, [at, 0o4755]), `${number}`).toBe(notPermitted);
      for (const mode of [0o755, 0o2775, 0o1777]) expect(answer(number, [at, mode])).toBe(allowed);
    }
    const [makes, makesUnnamed, reads] = [0o101, 0o20200001, 0o2];
    for (const [number, flagsAt, at] of openings) {
      for (const flags of [makes, makesUnnamed])
        expect(answer(number, [flagsAt, flags], [at, 0o4755])).toBe(notPermitted);
      expect(answer(number, [flagsAt, makes], [at, 0o2644])).toBe(allowed);
      // Where nothing is made the kernel reads no mode, and anything may stand in its place.
      expect(answer(number, [flagsAt, reads], [at, 0xffffffff])).toBe(allowed);
    }
  });

  it("opens the sockets of this machine only where they were allowed, and nothing else by that", () => {
    const open = seccompProgram(name as "x64" | "arm64", { sockets: true })!;
    const same = (number: number, args: number[]) =>
      answerTo(open, { number, arch, args }) === answerTo(program, { number, arch, args });
    expect([answerTo(open, { number: machine.socket, arch, args: [1] }), same(machine.socket, [1])]).toEqual([
      allowed,
      false,
    ]);
    for (const type of [1, 2, 5])
      expect(answerTo(open, { number: machine.socketpair, arch, args: [1, type] })).toBe(allowed);
    for (const family of [0, 3, 17, 38, 40, 44]) expect(same(machine.socket, [family])).toBe(true);
    for (let number = 0; number < 600; number++)
      if (![machine.socket, machine.socketpair].includes(number))
        expect(same(number, [0x10000000, 0x5412, 0o4755]), `${number}`).toBe(true);
  });

  it("changes no attributes of files where they cannot be carried over, and nothing else by that", () => {
    const kept = seccompProgram(name as "x64" | "arm64", { attributes: false })!;
    const changing = new Set([...machine.attributes, ...attributesOnBoth]);
    for (let number = 0; number < 600; number++) {
      const args = [0x10000000, 0x5412, 0o4755];
      const expected = changing.has(number) ? notSupported : answerTo(program, { number, arch, args });
      expect(answerTo(kept, { number, arch, args }), `${number}`).toBe(expected);
    }
  });

  it("knows no other machine's calls, nor the second set of x64", () => {
    fc.assert(
      fc.property(fc.nat(600), fc.integer({ min: 0, max: 0xffffffff }), (number, other) => {
        if (other !== arch) expect(answerTo(program, { number, arch: other })).toBe(notKnown);
        expect(answerTo(program, { number: 0x40000000 + number, arch })).toBe(notKnown);
      }),
    );
  });
});
