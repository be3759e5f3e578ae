/** Whether commands can be confined here, found out by attacking the sandbox before anything relies on it. */
import { messageOf } from "../../shared/message-of.ts";
import type { ConfinedWidth } from "../../shared/width.ts";
import { attacks, attacksOn, readTries, scriptOf } from "./attacks.ts";
import { type Confinement, type Fence, fencesOf } from "./confinement.ts";
import { type Found, findBubblewrap } from "./find-bubblewrap.ts";
import { runConfined } from "./run-confined.ts";
import { seccompProgram } from "./seccomp-program.ts";
import { makeTargetWorld, type TargetWorld } from "./target-world.ts";

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
    'echo x > /tmp/own && [ "$(cat /tmp/own)" = x ] || exit 90',
    'cat "$W/link" > /dev/null || exit 91',
    ...(width === "read-only" ? [] : ['echo x > "$W/made" && rm "$W/made" || exit 92']),
    ...(width === "workspace and git" ? ['echo x > "$W/.git/objects/made" || exit 93'] : []),
    `exit ${exitCode}`,
  ].join("\n");

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
  const args = change(fencesOf(confinement)).flat();
  const how = { program, args, env: world.env, timeoutMs, ...(seccomp && { seccomp }) };
  const works = await runConfined(mustWork(width), how);
  if (works.exitCode === undefined)
    throw new Error(`it could not be put up (${works.complaint || "it said nothing"})`);
  if (works.exitCode !== exitCode) throw new Error(`nothing works in it (${works.exitCode})`);
  const tried = attacksOn(attacks, width);
  const run = await runConfined(scriptOf(tried), how);
  if (run.exitCode !== 0) throw new Error("the tries to get out did not come to their end");
  return { through: readTries(tried, run.output), damage: world.damage() };
}

/** Never rejects, and leaves nothing behind. */
export async function probeSandbox(
  found: Found = findBubblewrap(),
  { seccomp = seccompProgram(), timeoutMs = longestMs } = {},
): Promise<Probe> {
  if ("why" in found) return { usable: false, why: found.why };
  if (seccomp === undefined) return { usable: false, why: `its filter is not known for ${process.arch}` };
  try {
    for (const width of widths) {
      const world = await makeTargetWorld();
      try {
        const { through, damage } = await attack(found.program, world, width, seccomp, { timeoutMs });
        if (through.length > 0 || damage.length > 0)
          return { usable: false, why: `a command gets out of it: it ${[...through, ...damage].join(", ")}` };
      } finally {
        world.close();
      }
    }
    return { usable: true, program: found.program, tries: attacks.length };
  } catch (error) {
    return { usable: false, why: messageOf(error) };
  }
}
