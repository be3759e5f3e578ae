/** Takes one side through the same task: started, asked at once, asked after a rest, step after step, and twenty at once. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { createScriptedModel, script } from "../../src/main/agents/acp/testing/scripted-model.ts";
import { median, percentile } from "../measuring.ts";
import { treeBytes, treeProcessorSeconds } from "../process-memory.ts";
import { type Asked, type Place, type Running, type Session, type Side, stepIn } from "./side.ts";

/** `firstCards`: after so many starts and a rest each. */
export type Sizes = { steps: number; sessions: number; stepsOfSession: number; firstCards: number };

/** In milliseconds, megabytes and bytes, as the names say. */
export type Measured = {
  readyMs: number;
  firstCardMs: number;
  restedCardMs: number;
  visibleMs: number;
  startMs: number;
  startP95Ms: number;
  processorMs: number;
  stepBytes: number;
  firstMb: number;
  lastMb: number;
  manyVisibleMs: number;
  manyStartP95Ms: number;
};

/** Whoever has a program open looks at it for a moment before the first message. */
const restMs = 3_000;
const text = "The same line, again and again, for two thousand characters.\n".repeat(33).slice(0, 2_000);

/** Several starts, each with a home of its own. @param signal ends it. @throws what the side fails with. */
export async function measureSide(side: Side, sizes: Sizes, signal: AbortSignal): Promise<Measured> {
  const atOnce = await withSide(side, signal, async (scene) => {
    const { firstCardMs } = await scene.firstTurn();
    return { readyMs: scene.running.readyMs, firstCardMs };
  });
  const rested = await withSide(side, signal, async (scene) => {
    const { firstCardMs, session } = await firstTurnAfterRest(scene);
    const firstMb = scene.megabytes();
    const before = treeProcessorSeconds(scene.running.pid);
    const delays = await scene.turn(session, "s", sizes.steps);
    const processorMs = ((treeProcessorSeconds(scene.running.pid) - before) * 1_000) / sizes.steps;
    return { firstCardMs, firstMb, processorMs, lastMb: scene.megabytes(), ...delays };
  });
  const restedCards = [rested.value.firstCardMs];
  for (let more = 1; more < sizes.firstCards; more += 1) {
    const { value } = await withSide(side, signal, firstTurnAfterRest);
    restedCards.push(value.firstCardMs);
  }
  const many = await withSide(side, signal, async (scene) => {
    await scene.firstTurn();
    const sessions: Session[] = [];
    for (let at = 0; at < sizes.sessions; at += 1) sessions.push(await scene.running.open());
    const all = await Promise.all(
      sessions.map((session, at) => scene.turn(session, `m${at}x`, sizes.stepsOfSession)),
    );
    return { visible: all.flatMap(({ visible }) => visible), starts: all.flatMap(({ starts }) => starts) };
  });
  return {
    ...atOnce.value,
    restedCardMs: median(restedCards),
    visibleMs: median(rested.value.visible),
    startMs: median(rested.value.starts),
    startP95Ms: percentile(rested.value.starts, 0.95),
    processorMs: rested.value.processorMs,
    stepBytes: (rested.bytes - atOnce.bytes) / sizes.steps,
    firstMb: rested.value.firstMb,
    lastMb: rested.value.lastMb,
    manyVisibleMs: median(many.value.visible),
    manyStartP95Ms: percentile(many.value.starts, 0.95),
  };
}

async function firstTurnAfterRest(scene: Scene) {
  await rest(restMs);
  return scene.firstTurn();
}

type Delays = { visible: number[]; starts: number[] };
type Scene = {
  running: Running;
  megabytes(): number;
  firstTurn(): Promise<{ session: Session; firstCardMs: number }>;
  turn(session: Session, prefix: string, steps: number): Promise<Delays & { firstAt: number }>;
};

/** @returns what was found, and the bytes that the side left in its home. */
async function withSide<T>(
  side: Side,
  signal: AbortSignal,
  act: (scene: Scene) => Promise<T>,
): Promise<{ value: T; bytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-peers-"));
  const answeredAt = new Map<string, number>();
  const model = createScriptedModel((args) => answeredAt.set(stepIn(args), performance.now()));
  await model.start();
  const home = join(folder, "home");
  const place: Place = { home, workspace: join(folder, "workspace"), model: model.url, signal };
  for (const each of [place.home, place.workspace]) mkdirSync(each);
  writeFileSync(join(place.workspace, "notes.txt"), text);
  try {
    const running = await side.start(place);
    let value: T;
    try {
      value = await act(sceneOf(side, running, place, answeredAt));
    } finally {
      await running.stop();
    }
    return { value, bytes: bytesIn(place.home) };
  } finally {
    await model.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function sceneOf(
  side: Side,
  running: Running,
  { workspace }: Place,
  answeredAt: ReadonlyMap<string, number>,
): Scene {
  const turn: Scene["turn"] = async (session, prefix, steps) => {
    const names = Array.from({ length: steps }, (_, at) => `${prefix}${at}`);
    const asks = names.map((name) => [side.command(lineOf(name))]);
    const asked: Asked[] = [];
    const allowedAt = new Map<string, number>();
    await session.prompt(script(...asks), (request) => {
      asked.push(request);
      allowedAt.set(request.step, performance.timeOrigin + performance.now());
      request.allow();
    });
    if (asked.length < steps) throw new Error(`It asked about ${asked.length} of ${steps} commands.`);
    const began = beganIn(join(workspace, "run.log"));
    return {
      firstAt: asked[0]!.at,
      visible: asked.map(({ at, step }) => at - answeredAt.get(step)!),
      starts: names.map((name) => began.get(name)! - allowedAt.get(name)!),
    };
  };
  return {
    running,
    turn,
    megabytes: () => treeBytes(running.pid) / 1e6,
    async firstTurn() {
      const session = await running.open();
      const openedAt = performance.now();
      const { firstAt } = await turn(session, "f", 1);
      return { session, firstCardMs: firstAt - openedAt };
    },
  };
}

/** A command that nobody takes for one that only reads; its start is bash's own clock. */
const lineOf = (name: string) =>
  `echo "began ${name} $EPOCHREALTIME" | tee -a run.log; head -c 2000 notes.txt`;

function beganIn(log: string): Map<string, number> {
  const lines = readFileSync(log, "utf8").matchAll(/^began (\S+) ([\d.]+)$/gm);
  return new Map([...lines].map(([, name, seconds]) => [name!, Number(seconds) * 1_000]));
}

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}
