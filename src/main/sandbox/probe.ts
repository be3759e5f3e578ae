/** Whether commands can be confined here, found out by attacking the sandbox before anything relies on it. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../shared/message-of.ts";
import type { ConfinedWidth } from "../../shared/width.ts";
import { attacks, attacksFor, attacksOn, ownPlace, readTries, scriptOf } from "./attacks.ts";
import { type Confinement, type Fence, fencesOf } from "./confinement.ts";
import { type Found, findSandbox, isSeatbelt } from "./find-sandbox.ts";
import { runConfined } from "./run-confined.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";
import { seccompProgram } from "./seccomp-program.ts";
import { noteBefore, setAside } from "./set-aside.ts";
import { makeTargetWorld, sweepTargetWorlds, type TargetWorld } from "./target-world.ts";

export type Probe =
  | { readonly usable: true; readonly program: string; readonly tries: number }
  /** `why` is a part of a sentence: "Commands cannot be confined, because …" */
  | { readonly usable: false; readonly why: string };

const widths: readonly ConfinedWidth[] = [
  ...(["read-only", "workspace", "workspace and git"] as const),
  ...(["workspace; network", "workspace; sockets"] as const),
];
const longestMs = 20_000;
const exitCode = 23;

/** What must work inside, or the sandbox is of no use; it ends with a code of its own. */
const mustWork = (width: ConfinedWidth) =>
  [
    `${ownPlace} || exit 89`,
    'echo x > "$TMPDIR/own" && [ "$(cat "$TMPDIR/own")" = x ] || exit 90',
    'cat "$W/link" > /dev/null || exit 91',
    ...(width === "read-only" ? [] : ['echo x > "$W/made" && rm "$W/made" || exit 92']),
    ...(width === "workspace and git" ? ['echo x > "$W/.git/objects/made" || exit 93'] : []),
    `exit ${exitCode}`,
  ].join("\n");

const systemOf = (program: string) => (isSeatbelt(program) ? "darwin" : "linux");

type Tried = { through: string[]; damage: string[] };

/** Tries everything at one width. @throws with the reason when the sandbox does not even start or does not work */
export async function attack(
  program: string,
  world: TargetWorld,
  width: ConfinedWidth,
  seccomp: Uint8Array | undefined,
  { change = (fences: Fence[]) => fences, timeoutMs = longestMs } = {},
): Promise<Tried> {
  const { home, workspace, dataDir } = world;
  const confinement: Confinement = { width, home, workspace, dataDir, cwd: workspace };
  if (isSeatbelt(program)) return attackSeatbelt(program, world, confinement, timeoutMs);
  const args = change(fencesOf(confinement)).flat();
  return tryAll(world, width, { program, args, env: world.env, timeoutMs, ...(seccomp && { seccomp }) });
}

async function attackSeatbelt(
  program: string,
  world: TargetWorld,
  confinement: Confinement,
  timeoutMs: number,
): Promise<Tried> {
  const own = realpathSync(mkdtempSync(join(tmpdir(), "countersign-own-")));
  try {
    const args = ["-D", "TTY=/dev/null", "-p", seatbeltProfile(confinement, own)];
    const env = { ...world.env, TMPDIR: own };
    return await tryAll(world, confinement.width, { program, args, env, timeoutMs });
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

async function tryAll(
  world: TargetWorld,
  width: ConfinedWidth,
  how: Parameters<typeof runConfined>[1],
): Promise<Tried> {
  const works = await runConfined(mustWork(width), how);
  if (works.exitCode === undefined)
    throw new Error(`it could not be put up (${works.complaint || "it said nothing"})`);
  if (works.exitCode !== exitCode) throw new Error(`nothing works in it (${works.exitCode})`);
  const tried = attacksOn(attacks, width, systemOf(how.program));
  const run = await runConfined(scriptOf(tried), how);
  if (run.exitCode !== 0) throw new Error("the tries to get out did not come to their end");
  return { through: readTries(tried, run.output), damage: world.damage() };
}

/** Whether what steers other programs and was not there before is taken out of their way. */
function movesAside({ workspace, plant }: TargetWorld): boolean {
  const before = noteBefore(join(workspace, "../noted"), [workspace]);
  plant();
  return setAside(before).length === 1;
}

/** Never rejects, and leaves nothing behind. All widths at once, each in a world of its own: the first command waits for it. */
export async function probeSandbox(
  found: Found = findSandbox(),
  { seccomp = seccompProgram(), timeoutMs = longestMs } = {},
): Promise<Probe> {
  if ("why" in found) return { usable: false, why: found.why };
  const { program } = found;
  if (seccomp === undefined && !isSeatbelt(program))
    return { usable: false, why: `its filter is not known for ${process.arch}` };
  sweepTargetWorlds();
  const reasons = await Promise.all(
    widths.map((width) => whyNot(program, width, seccomp, timeoutMs).catch(messageOf)),
  );
  const why = reasons.find((reason) => reason !== undefined);
  return why === undefined
    ? { usable: true, program, tries: attacksFor(attacks, systemOf(program)).length }
    : { usable: false, why };
}

/** Why it cannot be relied on at this width; undefined where everything held. @throws as `attack` */
async function whyNot(
  program: string,
  width: ConfinedWidth,
  seccomp: Uint8Array | undefined,
  timeoutMs: number,
): Promise<string | undefined> {
  const world = await makeTargetWorld();
  try {
    const { through, damage } = await attack(program, world, width, seccomp, { timeoutMs });
    if (!movesAside(world)) return "what a command newly makes cannot be moved aside here";
    const got = [...through, ...damage];
    return got.length === 0 ? undefined : `a command gets out of it: it ${got.join(", ")}`;
  } finally {
    world.close();
  }
}
