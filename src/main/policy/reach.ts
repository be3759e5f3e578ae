/**
 * What an action would reach, said from facts of now: files that git has or has not, and where it leaves this machine to.
 * Nothing is run for it, nothing is allowed because of it, and what is not known is said to be unknown.
 */
import type { Reach } from "../../shared/contract/approvals.ts";
import type { Verdict } from "../../shared/contract/decisions.ts";
import type { Subject } from "../../shared/contract/subjects.ts";
import { loopback } from "./beyond/web-address.ts";
import { collectUnits } from "./collect-units.ts";
import { resolvePathIn } from "./path-place.ts";
import type { DiskEntry, PolicyContext } from "./policy-context.ts";
import type { ShellUnit } from "./shell-unit.ts";
import { addressesIn } from "./unit-addresses.ts";
import { filesOf } from "./unit-files.ts";

/** More files than this, or a longer look, and what was counted is "at least". */
const mostFiles = 5_000;
const longestMs = 300;
/** Longer ones are not read for this. */
const longestCommand = 32_768;
const mostNamed = 4;
const longestName = 100;

type Counts = { kept: number; lost: number; created: number };
type Tally = {
  deletes: Counts;
  writes: Counts;
  to: Set<string>;
  programs: Set<string>;
  seen: Set<string>;
  leaves: boolean;
  /** What of it may be more than was counted. */
  more: { deletes: boolean; writes: boolean; leaves: boolean };
};

type Kinds = ReadonlyMap<string, DiskEntry["kind"]>;
type Scene = {
  context: PolicyContext;
  now: () => number;
  until: number;
  /** What stands in a folder, which is listed once however many of its files are named. */
  kindsIn(folder: string): Kinds | undefined;
};

/** @param verdict what the policy said of it, by which the parts that only read are known. */
export function findReach(
  subject: Subject,
  verdict: Verdict,
  context: PolicyContext,
  now: () => number = performance.now.bind(performance),
): Reach {
  const tally: Tally = {
    deletes: { kept: 0, lost: 0, created: 0 },
    writes: { kept: 0, lost: 0, created: 0 },
    to: new Set(),
    programs: new Set(),
    seen: new Set(),
    leaves: verdict.units.some((unit) => unit.class === "leaves"),
    more: { deletes: false, writes: false, leaves: false },
  };
  const scene = { context, now, until: now() + longestMs, kindsIn: listingsOf(context) };
  if (subject.kind === "command" || subject.kind === "escalation")
    addCommand(subject.command, verdict, scene, tally);
  else if (subject.kind === "file") addChange(subject, scene, tally);
  else if (subject.kind === "url") addAddress(subject.url, tally);
  else if (subject.kind === "arguments" || subject.kind === "outer")
    return { facts: [], unknown: [], unknownAll: true };
  return toReach(tally);
}

function addCommand(command: string, verdict: Verdict, scene: Scene, tally: Tally): void {
  const { context } = scene;
  if (context.shell !== "bash" || command.length > longestCommand) {
    tally.programs.add("");
    return;
  }
  const safe = new Set(verdict.units.flatMap((unit) => (unit.verdict === "safe" ? unit.text : [])));
  for (const unit of collectUnits(command, context)) {
    if (safe.has(unit.text)) continue;
    if (unit.problems.length > 0) tally.programs.add("");
    addUnit(unit, scene, tally);
  }
}

function addUnit(unit: ShellUnit, scene: Scene, tally: Tally): void {
  const { hosts, unsure } = addressesIn(unit);
  for (const host of hosts) addHost(host, tally);
  tally.more.leaves ||= unsure;
  const { deletes, writes, unknown } = filesOf(unit);
  const place = (path: string) =>
    unit.cwds.length === 1 ? placeOf(path, unit.cwds[0] ?? "", scene.context) : undefined;
  for (const { path, below } of deletes) {
    const real = path === undefined ? undefined : place(path);
    if (real === undefined) tally.more.deletes = true;
    else addDeleted(real, below, scene, tally);
  }
  for (const path of writes) {
    const real = path === undefined ? undefined : place(path);
    if (real === undefined) tally.more.writes = true;
    else addWritten(real, scene, tally);
  }
  if (unknown !== undefined) tally.programs.add(unknown);
}

/** The last part of a path is not followed: a link is deleted itself. */
function placeOf(path: string, cwd: string, context: PolicyContext): string | undefined {
  const parts = path.replace(/\/+$/, "").split("/");
  const name = parts.pop() ?? "";
  if (name === "" || name === "." || name === "..") return resolvePathIn(path, cwd, context);
  const folder = resolvePathIn(parts.join("/") || (path.startsWith("/") ? "/" : "."), cwd, context);
  return folder === undefined ? undefined : `${folder === "/" ? "" : folder}/${name}`;
}

function addDeleted(path: string, below: boolean, scene: Scene, tally: Tally): void {
  const { look } = scene.context;
  if (look && !look.isThere(path)) return;
  const kind = kindOf(path, scene);
  if (kind === undefined) tally.more.deletes = true;
  else if (kind !== "folder") count(path, tally.deletes, scene, tally);
  else if (below) addBelow(path, scene, tally);
}

function addBelow(folder: string, scene: Scene, tally: Tally): void {
  const kinds = scene.kindsIn(folder);
  if (kinds === undefined) tally.more.deletes = true;
  for (const [name, kind] of kinds ?? []) {
    if (isOver(scene, tally)) {
      tally.more.deletes = true;
      return;
    }
    const path = `${folder}/${name}`;
    if (kind === "folder") addBelow(path, scene, tally);
    else count(path, tally.deletes, scene, tally);
  }
}

/** As its folder lists it, so that a link is not looked behind. */
function kindOf(path: string, { kindsIn }: Scene): DiskEntry["kind"] | undefined {
  const at = path.lastIndexOf("/");
  return kindsIn(path.slice(0, at) || "/")?.get(path.slice(at + 1));
}

function listingsOf({ look }: PolicyContext): Scene["kindsIn"] {
  const known = new Map<string, Kinds | undefined>();
  return (folder) => {
    if (!known.has(folder)) {
      const entries = look?.entriesIn(folder);
      known.set(folder, entries && new Map(entries.map(({ name, kind }) => [name, kind])));
    }
    return known.get(folder);
  };
}

function addWritten(path: string, scene: Scene, tally: Tally): void {
  const { look } = scene.context;
  if (!look) tally.more.writes = true;
  else if (look.isThere(path)) count(path, tally.writes, scene, tally);
  else if (!tally.seen.has(path)) {
    tally.seen.add(path);
    tally.writes.created += 1;
  }
}

function addChange(subject: Extract<Subject, { kind: "file" }>, scene: Scene, tally: Tally): void {
  const { operation, path, movedTo } = subject;
  const real = resolvePathIn(path, scene.context.workspace, scene.context);
  if (operation === "read") return;
  if (real === undefined) tally.more.writes = true;
  else if (operation === "delete") addDeleted(real, true, scene, tally);
  // What is moved is there afterwards, elsewhere.
  else if (operation !== "move") addWritten(real, scene, tally);
  if (movedTo !== undefined) tally.writes.created += 1;
}

function addAddress(url: string, tally: Tally): void {
  if (URL.canParse(url)) addHost(new URL(url).hostname, tally);
  else tally.leaves = true;
}

function addHost(host: string, tally: Tally): void {
  if (loopback.test(host)) return;
  tally.leaves = true;
  tally.to.add(host);
}

function count(path: string, counts: Counts, { context }: Scene, tally: Tally): void {
  if (tally.seen.has(path)) return;
  tally.seen.add(path);
  if (context.isKept?.(path)) counts.kept += 1;
  else counts.lost += 1;
}

function isOver({ now, until }: Scene, { seen }: Tally): boolean {
  return seen.size >= mostFiles || now() > until;
}

/** The worst first. */
function toReach({ deletes, writes, to, programs, leaves, more }: Tally): Reach {
  const named = [...to].map((host) => host.slice(0, longestName));
  const facts: Reach["facts"] = [];
  if (deletes.lost + deletes.kept > 0 || more.deletes)
    facts.push({ kind: "deletes", kept: deletes.kept, lost: deletes.lost, more: more.deletes });
  if (leaves)
    facts.push({
      kind: "leaves",
      to: named.slice(0, mostNamed),
      more: more.leaves || named.length > mostNamed,
    });
  if (writes.kept + writes.lost + writes.created > 0 || more.writes)
    facts.push({ kind: "writes", ...writes, more: more.writes });
  const unknown = [...programs].filter((name) => name !== "").map((name) => name.slice(0, longestName));
  return {
    facts,
    unknown: unknown.slice(0, mostNamed),
    unknownAll: programs.has("") || unknown.length > mostNamed,
  };
}
