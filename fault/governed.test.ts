/** Kills a real host at named points while a governed agent calls our tools: nothing lost, nothing twice, the agent goes on. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { processesOf } from "../src/main/agents/acp/testing/marked-processes.ts";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { AgentId, ThreadId } from "../src/shared/ids.ts";
import type { HostProcess } from "./host-process.ts";
import {
  driveToEnd,
  driveUntilKilled,
  killAndGoOn,
  ledgerExecutions,
  openScene,
  type Scene,
  send,
} from "./scene.ts";

/**
 * `COUNTERSIGN_FAULT_KILLS=200` for all points with all works and both kinds of agents, and so many kills at random;
 * `COUNTERSIGN_FAULT_SEED` repeats one. `npm test` kills at the worst points.
 */
const kills = Number(process.env.COUNTERSIGN_FAULT_KILLS ?? "0");
const seed = Number(process.env.COUNTERSIGN_FAULT_SEED ?? Date.now() % 2 ** 31);
const isLong = kills > 0;
const points = isLong
  ? ["message-sent", "approval-asked", "approval-decided", "execution-started", "effect-done"]
  : ["approval-decided", "effect-done"];
const works = {
  "one command": ["run echo x >> ran", ["ran"]],
  "a command after another": ["run echo x >> ran\nrun echo x >> ran-too", ["ran", "ran-too"]],
  "two at once": [
    `call ${["ran", "ran-too"].map((file) => `execute {"command":"echo x >> ${file}"}`).join(" ; ")}`,
    ["ran", "ran-too"],
  ],
} as const;
/** One that goes on from what it is told when it was cut off, and one that calls again for all that it knows no end of. */
const kinds = isLong ? ["obeys", "repeats"] : ["repeats"];

const fake = fileURLToPath(new URL("../src/main/agents/acp/testing/fake-agent.mjs", import.meta.url));

let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

/** The fake stands under the name of a program that is governed. @param more further words for it */
async function setUp(kind: string, ...more: string[]): Promise<void> {
  const program = join(scene.folder, "bin/claude-agent-acp");
  await mkdir(join(program, ".."), { recursive: true });
  const named = "named=@agentclientprotocol/claude-agent-acp";
  const words = [process.execPath, fake, join(scene.folder, "journal"), kind, named, ...more].map(
    (word) => `'${word}'`,
  );
  await writeFile(program, `#!/bin/sh\nexec ${words.join(" ")}\n`, { mode: 0o700 });
  const outerAgents = { fake: { name: "Fake", command: program, args: [] } };
  await writeFile(join(scene.folders.dataDir, "outer-agents.json"), JSON.stringify({ outerAgents }));
}

async function newThread({ client }: HostProcess): Promise<ThreadId> {
  const { workspace, workspace: path } = scene.folders;
  const { digest } = await client.call("workspaces.review", { path });
  await client.call("workspaces.setTrust", { path, trusted: true, digest });
  const agentId = "fake" as AgentId;
  return (await client.call("threads.create", { commandId: newCommandId(), workspace, agentId })).id;
}

const cases = Object.entries(works).flatMap(([name, work]) =>
  kinds.map((kind) => [name, kind, work] as const),
);

describe.each(points)("a host killed at the point %s, whose agent", (point) => {
  it.each(isLong ? cases : cases.slice(0, 1))(
    "calls for %s and then %s, loses nothing and runs nothing twice",
    async (_name, kind, [text, files]) => {
      // Neither the end of its input nor being told ends it.
      await setUp(kind, "ignore-end");
      const env = { COUNTERSIGN_KILL_AT: point };
      const { second, threadId } = await killAndGoOn(scene, env, text, newThread);
      expect(second.threads.get(threadId)?.actsItself?.level).toBe("governed");
      const unknown = [...second.approvals.values()].flatMap(({ subject }) =>
        subject.kind === "recovery" ? [subject.what] : [],
      );
      for (const file of files) {
        expect(await scene.runsOf(file), file).toBeLessThanOrEqual(1);
        // What was not run was cut off with an unknown outcome, and the person said that it was done; or its agent, which
        // goes on from what it is told, did not call for it before it was cut off.
        if ((await scene.runsOf(file)) === 0 && kind === "repeats")
          expect(unknown).toContain(`echo x >> ${file}`);
      }
      const executions = await ledgerExecutions(second);
      expect(new Set(executions).size).toBe(executions.length);
      const journal = await readFile(join(scene.folder, "journal"), "utf8");
      expect(journal.split("\n").filter((line) => line.startsWith("prompted")).length).toBeLessThanOrEqual(3);
      await second.stop();
      expect(await processesOf(threadId)).toEqual([]);
    },
  );
});

const call = (file: string) => `execute {"command":"echo x >> ${file}"}`;
/** A command, two at once, or a file that is written; each leaves a mark of its own. */
const step = fc.constantFrom("run", "both", "write");
const round = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom("obeys", "repeats"),
  victim: fc.constantFrom("host", "host", "agent", "both"),
  /** Whether a person answers before that; else what is asked waits when it comes. */
  isAnswered: fc.boolean(),
  /** From the message on, no moment more likely than another; the first card comes after about two thirds of a second on a calm machine. */
  killAfterMs: fc.noBias(fc.integer({ min: 0, max: 2_500 })),
});

let marks = 0;
const newMark = () => {
  marks += 1;
  return `mark-${marks}`;
};
const lineOf = {
  run: () => `run echo x >> ${newMark()}`,
  both: () => `call ${call(newMark())} ; ${call(newMark())}`,
  write: () => `call write_file {"file_path":"${newMark()}","content":"x"}`,
};

/** Its process stands in what is kept of its session; before it runs there is none to kill. */
async function killAgent(threadId: ThreadId): Promise<void> {
  const file = join(scene.folders.dataDir, "outer-sessions", `${encodeURIComponent(threadId)}.json`);
  const kept = await readFile(file, "utf8").catch(() => "{}");
  const { pid } = (JSON.parse(kept) as { process?: { pid: number } }).process ?? {};
  if (pid === undefined) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Nothing that was called for had two effects, and nothing that had one stands in the record twice. */
async function assertOnce(on: HostProcess): Promise<void> {
  for (let mark = 1; mark <= marks; mark += 1)
    expect(await scene.runsOf(`mark-${mark}`), `mark-${mark}`).toBeLessThanOrEqual(1);
  const executions = await ledgerExecutions(on);
  expect(new Set(executions).size).toBe(executions.length);
}

if (isLong)
  it(`keeps its promise over ${kills} random kills of host, agent or both (seed ${seed})`, {
    timeout: kills * 60_000,
  }, async () => {
    await setUp("repeats");
    const tally = { rounds: 0, left: 0, lost: 0, unsaid: 0 };
    onTestFinished(() => console.log(JSON.stringify(tally)));
    const threads: ThreadId[] = [];
    await fc.assert(
      fc.asyncProperty(round, async ({ steps, kind, victim, isAnswered, killAfterMs }) => {
        await setUp(kind);
        const host = await scene.start();
        const threadId = await newThread(host);
        threads.push(threadId);
        const text = steps.map((one) => lineOf[one]()).join("\n");
        await send(host, threadId, text);
        const kill = () => {
          if (victim !== "host") void killAgent(threadId);
          if (victim !== "agent") void host.kill();
        };
        if (isAnswered) await driveUntilKilled(host, threadId, killAfterMs, kill);
        else {
          await new Promise((over) => setTimeout(over, killAfterMs));
          kill();
          await host.kill();
        }

        const startedAt = Date.now();
        const after = await scene.start();
        await after.until((on) => on.isReady, "all that waited is told");
        expect(threads.filter((id) => !after.threads.has(id))).toEqual([]);
        // What an earlier host's agents asked says that nobody waits for it.
        const left = after.pending().filter((card) => card.requestedAt < startedAt);
        tally.left += left.length;
        tally.unsaid += left.filter((card) => card.description === undefined).length;
        await driveToEnd(after, threads);
        const { items } = await after.client.call("threads.page", { threadId, limit: 200 });
        const said = items.filter((item) => item.kind === "userMessage").map((item) => item.text);
        tally.rounds += 1;
        tally.lost += Number(said.length !== 1 || said[0] !== text);
        expect(tally).toMatchObject({ lost: 0, unsaid: 0 });
        for (const id of threads) expect(["done", "failed"]).toContain(after.threads.get(id)?.status);
        await assertOnce(after);
        await after.stop();
        expect(await processesOf(threadId)).toEqual([]);
      }),
      { numRuns: kills, seed, endOnFailure: true },
    );
  });
