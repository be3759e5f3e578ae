/** Rehearses a command: runs it where nothing of it lasts, and keeps what it would change so that just that can be committed. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { z } from "zod";
import type { CommandShell } from "../../shared/command-shell.ts";
import type { ConfinedWidth } from "../../shared/width.ts";
import { createOriginalBlobs, type OriginalBlobs } from "../files/original-blobs.ts";
import { isInside } from "../paths/real-of.ts";
import { type Fence, fencesOf } from "../sandbox/confinement.ts";
import { findRefusals } from "../sandbox/find-refusals.ts";
import { isSeatbelt } from "../sandbox/find-sandbox.ts";
import { listSteering } from "../sandbox/guarded-places.ts";
import type { Hidden } from "../sandbox/hidden-places.ts";
import type { Probe } from "../sandbox/probe.ts";
import { seccompProgram } from "../sandbox/seccomp-program.ts";
import { environmentInside } from "../shell/confined-start.ts";
import { buildEnvironment, inheritedEnvironment } from "../shell/environment.ts";
import type { HeldProgram, HeldRequest } from "../shell/held-program.ts";
import { createOutputCapture } from "../shell/output-capture.ts";
import { isTooLong } from "../shell/shell-arguments.ts";
import { NotRehearsable, type RehearsedChanges, readChanges } from "./read-changes.ts";
import { fencesInOverlay, type NotRun, type OverlayEnd, runInOverlay } from "./run-in-overlay.ts";

const versionSchema = z.object({ hash: z.string(), mode: z.number().nullable() }).nullable();
const folderSchema = z.object({ path: z.string(), mode: z.number() });

/** What a rehearsal found, and all that its commit goes by. */
const rehearsalSchema = z.object({
  command: z.string(),
  /** The real path of the workspace. */
  root: z.string(),
  exitCode: z.number(),
  output: z.string(),
  truncated: z.boolean(),
  bytes: z.number(),
  /** Lines of its output that look as if it was refused something. */
  refused: z.array(z.string()).readonly(),
  files: z.array(z.object({ path: z.string(), from: versionSchema, to: versionSchema })).readonly(),
  folders: z.object({ gone: z.array(folderSchema).readonly(), made: z.array(folderSchema).readonly() }),
});
export type Rehearsal = z.infer<typeof rehearsalSchema>;

/** Where it is kept, and the digest of all that it found; a card is bound to both. */
export type RehearsalName = { readonly id: string; readonly digest: string };

export type Rehearsals = {
  /** Resolves with why it cannot be rehearsed, as a sentence, or with what it would do. Writes nothing to the workspace. */
  rehearse(what: RehearsedCommand): Promise<{ name: RehearsalName; rehearsal: Rehearsal } | NotRun>;
  /** What was found then; `undefined` when it is not kept any more, or is another. */
  open(
    name: RehearsalName,
  ): Promise<{ rehearsal: Rehearsal; contents: Pick<OriginalBlobs, "get"> } | undefined>;
  forget(id: string): Promise<void>;
  /** Forgets all but those that are in use, which it asks for only where any is kept; none may be underway. */
  keepOnly(inUse: () => ReadonlySet<string>): Promise<void>;
};

type RehearsedCommand = {
  readonly command: string;
  readonly workspace: string;
  readonly width: ConfinedWidth;
  readonly signal: AbortSignal;
};

export type RehearsalParts = {
  dataDir: string;
  home: string;
  /** What a command does not see beside credentials of the home, as it is when it is rehearsed. */
  hidden(): Hidden;
  commandShell: CommandShell;
  sandbox(): Promise<Probe>;
  /** Starts what puts a rehearsal up. */
  hold(request: HeldRequest): Promise<HeldProgram>;
};

/** Beyond it a command is ended, or its writes fail, and it is not rehearsed. */
export const rehearsalBounds = { bytes: 256_000_000, files: 50_000, processes: 256, ms: 60_000 };

/** What a person and the model read of its output, from each end. */
const outputLimits = { headBytes: 16 * 1024, tailBytes: 48 * 1024 };

/** @returns rehearsals whose findings lie in the data directory, each in a folder of its own */
export function createRehearsals(parts: RehearsalParts): Rehearsals {
  const folder = join(parts.dataDir, "rehearsals");
  const forget = (id: string) => rm(join(folder, id), { recursive: true, force: true });
  const contentsOf = (id: string) => createOriginalBlobs(join(folder, id));
  return {
    async rehearse(what) {
      const id = randomUUID();
      const contents = contentsOf(id);
      try {
        const rehearsal = await rehearseIn(parts, what, join(folder, id), contents);
        const digest = await contents.put(Buffer.from(JSON.stringify(rehearsal)));
        return { name: { id, digest }, rehearsal };
      } catch (error) {
        await forget(id);
        if (error instanceof NotRehearsable) return { why: error.message };
        throw error;
      }
    },
    async open({ id, digest }) {
      const contents = contentsOf(id);
      const bytes = await contents.get(digest);
      return bytes === null
        ? undefined
        : { rehearsal: rehearsalSchema.parse(JSON.parse(bytes.toString())), contents };
    },
    forget,
    async keepOnly(inUse) {
      const kept = await readdir(folder).catch(() => []);
      if (kept.length === 0) return;
      const ids = inUse();
      for (const id of kept) if (!ids.has(id)) await forget(id);
    },
  };
}

/** @throws NotRehearsable */
async function rehearseIn(
  parts: RehearsalParts,
  { command, workspace, width, signal }: RehearsedCommand,
  own: string,
  contents: OriginalBlobs,
): Promise<Rehearsal> {
  const { dataDir, home, commandShell } = parts;
  const probed = await parts.sandbox();
  const filter = seccompProgram(process.arch, { attributes: false });
  if (!probed.usable || filter === undefined || isSeatbelt(probed.program))
    throw new NotRehearsable("Commands cannot be confined here, so none can be rehearsed.");
  if (isTooLong(commandShell, command, "linux")) throw new NotRehearsable("The command is too long.");
  const root = realpathSync(workspace);
  assertOneFileSystem(root);
  const scratch = join(own, "scratch");
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const real = realpathSync(scratch);
  const startedAt = statSync(real).ctimeMs;
  const fences = fencesFor({ width, workspace: root, cwd: root, home, dataDir, hidden: parts.hidden() });
  const run = {
    fences: fencesInOverlay(fences, real),
    scratch: real,
    workspace: root,
    command,
    signal,
    filter,
  };
  const inherited = inheritedEnvironment({ source: process.env, allow: [] });
  const env = buildEnvironment({ inherited, extra: environmentInside(width), executionId: real });
  const how = {
    program: probed.program,
    shell: commandShell,
    env,
    bounds: rehearsalBounds,
    hold: parts.hold,
  };
  const end = await runInOverlay({ ...run, ...how });
  if ("why" in end) throw new NotRehearsable(end.why);
  try {
    const { upper, merged, lower } = end;
    const where = { workspace: root, upper, merged, lower };
    const found = await readChanges({ ...where, startedAt, keep: contents.put });
    assertSteersNothing(found, merged, root);
    const said = wordOutput(end);
    requireThere(upper);
    const refused = findRefusals(said.output, { width, workspace: root })?.lines ?? [];
    return { command, root, exitCode: end.exitCode, ...said, refused, ...found };
  } catch (error) {
    requireThere(end.upper);
    throw error;
  } finally {
    await end.close();
  }
}

/** What was read of one that is not up any more may be less than there was. @throws NotRehearsable */
function requireThere(upper: string): void {
  if (!existsSync(upper)) throw new NotRehearsable("It was taken down while it was looked at.");
}

/** @throws NotRehearsable where the command may write to what no overlay lies over */
function fencesFor(confinement: Parameters<typeof fencesOf>[0]): Fence[] {
  let fences: Fence[];
  try {
    fences = fencesOf(confinement);
  } catch (error) {
    throw new NotRehearsable(`It cannot be confined: ${error instanceof Error ? error.message : error}.`);
  }
  for (const [kind, from] of fences)
    if (kind === "--bind" && !isInside(confinement.workspace, from ?? ""))
      throw new NotRehearsable("Its repository lies outside of the folder, and git would write there.");
  return fences;
}

/** An overlay shows none of what is mounted below. @throws NotRehearsable */
function assertOneFileSystem(root: string): void {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  for (const line of mounts) {
    const path = line
      .split(" ")[4]
      ?.replaceAll(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    if (path !== undefined && path !== root && isInside(root, path))
      throw new NotRehearsable(`Another file system is mounted in the folder, at ${relative(root, path)}.`);
  }
}

/** What a command newly makes of these is moved aside after it, which a commit of its bytes would not do. */
function assertSteersNothing({ files, folders }: RehearsedChanges, merged: string, root: string): void {
  const steering = [...listSteering(merged).keys()].map((path) => join(root, relative(merged, path)));
  const comes = [...folders.made, ...files.filter(({ to }) => to !== null)];
  const made = comes.find(({ path }) => steering.some((place) => isInside(place, path)));
  if (made !== undefined)
    throw new NotRehearsable(
      `It makes ${relative(root, made.path)}, which agents or programs would obey; run so, it is moved aside.`,
    );
}

function wordOutput({ output: { head, tail, bytes } }: OverlayEnd) {
  const capture = createOutputCapture();
  const isWhole = bytes === head.length + tail.length;
  capture.append(head);
  if (!isWhole) capture.append(Buffer.from("\n[…]\n"));
  capture.append(tail);
  const worded = capture.word({ limits: outputLimits, logPath: "none is kept of a rehearsal" });
  return { output: worded.output, truncated: worded.truncated || !isWhole, bytes };
}
