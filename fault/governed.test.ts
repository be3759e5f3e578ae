/** Kills a real host at named points while a governed agent calls our tools: nothing lost, nothing twice, the agent goes on. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newCommandId } from "../src/main/base/command-id.ts";
import type { AgentId, ThreadId } from "../src/shared/ids.ts";
import type { HostProcess } from "./host-process.ts";
import { killAndGoOn, ledgerExecutions, openScene, type Scene } from "./scene.ts";

/** All points with all works and both kinds of agents where more kills are asked for; `npm test` kills at the worst. */
const isLong = process.env.COUNTERSIGN_FAULT_KILLS !== undefined;
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
/** One that goes on from what it is told, and one that calls for the same again whatever it was told. */
const kinds = isLong ? ["obeys", "repeats"] : ["repeats"];

const fake = fileURLToPath(new URL("../src/main/agents/acp/testing/fake-agent.mjs", import.meta.url));

let scene: Scene;

beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

/** The fake stands under the name of a program that is governed. */
async function setUp(kind: string): Promise<void> {
  const program = join(scene.folder, "bin/claude-agent-acp");
  await mkdir(join(program, ".."));
  const words = [process.execPath, fake, join(scene.folder, "journal"), kind].map((word) => `'${word}'`);
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
      await setUp(kind);
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
    },
  );
});
