/** Tools and builtins that tell something about the machine or do nothing at all. */
import type { FlagProfile } from "./flag-profile.ts";

const nothing: FlagProfile = { operands: "none" };

export const systemInfo: Record<string, FlagProfile> = {
  ":": { operands: "text" },
  true: { operands: "text", long: "help version" },
  false: { operands: "text", long: "help version" },
  pwd: { short: "LP", long: "logical physical help version", operands: "none" },
  whoami: { operands: "none", long: "help version" },
  // Without operands: a name that this machine does not know may be asked of others.
  id: { short: "agGnruz", long: "group groups name real user zero help version", operands: "none" },
  groups: { operands: "none", long: "help version" },
  uname: {
    short: "asnrvmpio",
    long: "all kernel-name nodename kernel-release kernel-version machine processor operating-system help version",
    operands: "none",
  },
  arch: nothing,
  nproc: { long: "all ignore= help version", operands: "none" },
  // The other letters look the name up.
  hostname: { short: "sI", operands: "none" },
  tty: { short: "s", operands: "none" },
  uptime: { short: "ps", long: "pretty since", operands: "none" },
  free: { short: "bkmghtw", long: "bytes kilo mega giga human total wide", operands: "none" },
  which: { short: "as", bsd: "as", long: "all", operands: "metadata" },
  whereis: { short: "bms", operands: "text" },
  type: { short: "afptP", operands: "metadata" },
  command: { short: "vV", operands: "metadata" },
  help: { short: "ds", operands: "text" },
  expr: { operands: "text" },
  lscpu: { operands: "none" },
  cal: { short: "13ymjs", operands: "text" },
  getconf: { short: "a", bsd: "a", operands: "metadata" },
  locale: { short: "a", operands: "text" },
  sw_vers: { operands: "none" },
  wait: nothing,
};
