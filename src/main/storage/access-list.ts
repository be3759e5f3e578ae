/** Reads the access list of a file or folder as Windows writes it (SDDL): who besides the owner is let in. */

/** The system, its administrators, and whoever owns a thing: they can read everything anyway, or are the person. */
const alwaysTrusted = new Set(["SY", "S-1-5-18", "BA", "S-1-5-32-544", "CO", "S-1-3-0", "OW", "S-1-3-4"]);
const allowing = /^[XO]?A$|^ZA$/;

/**
 * Who besides the owner is let in, as the list names them; undefined when it cannot be read or lets everybody in by being
 * none.
 */
export function othersLetIn(sddl: string, owner: string): string[] | undefined {
  const list = /D:([A-Z]*)((?:\([^()]*\))*)(?:S:|$)/.exec(sddl.trim());
  if (list === null || (list[1] ?? "").includes("NO_ACCESS_CONTROL")) return undefined;
  const entries = [...(list[2] ?? "").matchAll(/\(([^()]*)\)/g)].map(([, entry]) => (entry ?? "").split(";"));
  if (entries.length === 0) return undefined;
  return entries
    .filter(([type]) => allowing.test(type ?? ""))
    .map((entry) => entry[5] ?? "")
    .filter((who) => who !== owner && !alwaysTrusted.has(who));
}

/** The short names of a list that mean the same on every computer. */
const everywhere: Record<string, string> = {
  WD: "S-1-1-0",
  NU: "S-1-5-2",
  IU: "S-1-5-4",
  SU: "S-1-5-6",
  AN: "S-1-5-7",
  PS: "S-1-5-10",
  AU: "S-1-5-11",
  RC: "S-1-5-12",
  LS: "S-1-5-19",
  NS: "S-1-5-20",
  WR: "S-1-5-33",
  AC: "S-1-15-2-1",
  UD: "S-1-5-84-0-0-0-0-0",
};

/** Groups that every Windows has, by the last part of `S-1-5-32-…`. */
const builtIn: Record<string, number> = {
  ...{ BU: 545, BG: 546, PU: 547, AO: 548, SO: 549, PO: 550, BO: 551, RE: 552, RU: 554, RD: 555, NO: 556 },
  ...{ MU: 558, LU: 559, IS: 568, CY: 569, ER: 573, CD: 574, RA: 575, ES: 576, MS: 577, HA: 578, AA: 579 },
  RM: 580,
};

/** Users and groups of the computer or domain that the person belongs to, by the part behind its own number. */
const ofDomain: Record<string, number> = {
  ...{ RO: 498, LA: 500, LG: 501, DA: 512, DU: 513, DG: 514, DC: 515, DD: 516, CA: 517, SA: 518, EA: 519 },
  ...{ PA: 520, CN: 522, AP: 525, KA: 526, EK: 527, RS: 553 },
};

/** The number by which Windows' tools take somebody whom a list names; undefined for a short name that is not known. */
export function identityOf(who: string, owner: string): string | undefined {
  if (/^S-1-[0-9-]+$/.test(who)) return who;
  if (Object.hasOwn(everywhere, who)) return everywhere[who];
  if (Object.hasOwn(builtIn, who)) return `S-1-5-32-${builtIn[who]}`;
  if (Object.hasOwn(ofDomain, who)) return owner.replace(/-\d+$/, `-${ofDomain[who]}`);
  return undefined;
}
