/** Every way a command is ended from outside: nothing of it may go on, and what it said is kept. */

import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endOrphan, findOrphans } from "./orphans.ts";
import { listProcesses } from "./process-table.ts";
import { isAlive, openShellFixture, until, untilOutput } from "./shell-fixture.ts";

async function findNamed(name: string): Promise<number[]> {
  return (await listProcesses()).filter((row) => row.name === name).map((row) => row.pid);
}

describe.runIf(process.platform === "linux")("ending a command", () => {
  it("ends the group at the time limit and keeps the output", async () => {
    const { start, dir } = openShellFixture();
    const result = await start("(sleep 1; touch late) & echo partial; sleep 30", { timeoutMs: 300 }).done;
    expect(result).toMatchObject({
      outcome: "timeout",
      output: "partial\n",
      exitCode: null,
      stillRunning: [],
    });
    expect(result.durationMs).toBeLessThan(1500);
    expect(existsSync(join(dir, "late"))).toBe(false);
  });

  it("ends a whole tree within 2 s of Stop: a nested shell, a pipe, one that ignores TERM, one that left the group", async () => {
    const { start } = openShellFixture();
    const stop = new AbortController();
    const tree = [
      "trap '' TERM HUP",
      "bash -c 'trap \"\" TERM HUP; sleep 41; sleep 41' &",
      "setsid bash -c 'trap \"\" TERM; sleep 42; sleep 42' &",
      "sleep 43 | cat & disown",
      "env -i sleep 44 &",
      "echo ready; sleep 45; sleep 45",
    ].join("\n");
    const command = start(tree, { signal: stop.signal });
    await untilOutput(command, "ready");
    for (const name of ["sleep 41", "sleep 42", "sleep 43", "sleep 44", "sleep 45"]) {
      await expect.poll(() => findNamed(name)).toHaveLength(1);
    }
    const began = performance.now();
    stop.abort();
    const result = await command.done;
    expect(performance.now() - began).toBeLessThan(2000);
    expect(result).toMatchObject({ outcome: "cancelled", output: "ready\n", stillRunning: [] });
    for (const name of ["sleep 41", "sleep 42", "sleep 43", "sleep 44", "sleep 45"]) {
      expect(await findNamed(name)).toEqual([]);
    }
  });

  it("lets a program that listens to TERM finish its work", async () => {
    const { start } = openShellFixture();
    const command = start("trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
    await untilOutput(command, "ready");
    const result = await command.kill("cancelled");
    expect(result).toMatchObject({ outcome: "cancelled", exitCode: 0 });
    expect(result.output).toContain("cleaned");
  });

  it("ends a stopped process too", async () => {
    const { start } = openShellFixture();
    const command = start("echo ready; kill -STOP $$");
    await untilOutput(command, "ready");
    expect(await command.kill("killed")).toMatchObject({ outcome: "killed", stillRunning: [] });
    expect(isAlive(command.pid)).toBe(false);
  });

  it("does not start what was cancelled before, beyond ending it at once", async () => {
    const { start } = openShellFixture();
    const result = await start("sleep 30", { signal: AbortSignal.abort() }).done;
    expect(result.outcome).toBe("cancelled");
    expect(result.durationMs).toBeLessThan(1500);
  });

  it("counts the first reason only, and none once the command has ended", async () => {
    const { start } = openShellFixture();
    const running = start("sleep 30");
    void running.kill("timeout");
    expect((await running.kill("cancelled")).outcome).toBe("timeout");
    const ended = start("true");
    await ended.done;
    expect((await ended.kill("killed")).outcome).toBe("exited");
  });

  it("ends everything when the host closes, also what earlier commands left behind, within 2 s", async () => {
    const { shell, start } = openShellFixture();
    await start(
      "trap '' TERM; nohup setsid bash -c 'trap \"\" TERM; sleep 51; sleep 51' >/dev/null 2>&1 & sleep 0.1",
    ).done;
    const stubborn = Array.from({ length: 5 }, () => start("trap '' TERM; echo ready; sleep 52; sleep 52"));
    await Promise.all(stubborn.map((command) => untilOutput(command, "ready")));
    expect(await findNamed("sleep 51")).toHaveLength(1);
    const began = performance.now();
    await shell.disposeAll();
    expect(performance.now() - began).toBeLessThan(2000);
    expect([...(await findNamed("sleep 51")), ...(await findNamed("sleep 52"))]).toEqual([]);
    expect(() => start("true")).toThrow(/closing/);
  });
});

/** A host of its own process, killed without warning. */
const HOST = `
import { createShell } from ${JSON.stringify(join(import.meta.dirname, "shell.ts"))};
const shell = createShell({ logDir: process.argv[1], assertPermit: () => undefined });
const command = "nohup sleep 61 >/dev/null 2>&1 & setsid sleep 62 >/dev/null 2>&1 & echo known output; sleep 63";
const running = shell.run({ executionId: process.argv[2], permit: { executionId: process.argv[2] }, command, cwd: process.argv[1] });
const { executionId, pid, startTime } = running;
let seen = "";
running.subscribe((event) => {
  if (event.type === "output") seen += event.text;
  if (seen.includes("known output")) console.log(JSON.stringify({ executionId, pid, startTime }));
});
if (process.argv[3] === "exit") setTimeout(() => process.exit(0), 300);
`;

async function runHost(logDir: string, executionId: string, end: "kill" | "exit") {
  const host = spawn(process.execPath, ["--input-type=module", "-e", HOST, logDir, executionId, end]);
  const line = await new Promise<string>((resolve) =>
    host.stdout.once("data", (data) => resolve(String(data))),
  );
  await until(() => readFileSync(join(logDir, `${executionId}.log`), "utf8").includes("known output"));
  const closed = new Promise((resolve) => host.once("exit", resolve));
  if (end === "kill") host.kill("SIGKILL");
  await closed;
  return JSON.parse(line.split("\n")[0] ?? "");
}

describe.runIf(process.platform === "linux")("after the host died", () => {
  it("finds what outlived a kill -9, knows its output, and ends it", async () => {
    const { shell, logDir } = openShellFixture();
    const root = await runHost(logDir, "crashed", "kill");
    const [orphan, ...others] = await findOrphans([
      root,
      { ...root, executionId: "unrelated", pid: process.pid },
    ]);
    expect(others).toEqual([]);
    expect(await findOrphans([{ executionId: "crashed", pid: 0, startTime: "" }])).toHaveLength(1);
    expect(orphan?.processes.map((row) => row.name)).toEqual(
      expect.arrayContaining(["sleep 61", "sleep 62"]),
    );
    expect(await shell.readLoggedOutput("crashed")).toMatchObject({
      output: "known output\n",
      truncated: false,
    });
    if (orphan !== undefined) expect(await endOrphan(orphan)).toEqual([]);
    expect(await findOrphans([root])).toEqual([]);
    expect([...(await findNamed("sleep 61")), ...(await findNamed("sleep 62"))]).toEqual([]);
  });

  it("leaves a stranger alone that has got the same pid", async () => {
    const { dir } = openShellFixture();
    writeFileSync(join(dir, "marker"), "");
    const stranger = spawn("sleep", ["64"], { detached: true });
    const pid = stranger.pid ?? 0;
    expect(await findOrphans([{ executionId: "gone", pid, startTime: "another boot/12345" }])).toEqual([]);
    stranger.kill("SIGKILL");
  });

  it("has already ended the group when the host leaves by process.exit", async () => {
    const { logDir } = openShellFixture();
    const root = await runHost(logDir, "left", "exit");
    await expect.poll(() => isAlive(root.pid)).toBe(false);
    for (const orphan of await findOrphans([root])) {
      expect(orphan.processes.map((row) => row.name)).toEqual(["sleep 62"]);
      await endOrphan(orphan);
    }
  });
});
