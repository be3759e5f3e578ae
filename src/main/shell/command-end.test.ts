/** Every way a command is ended from outside: nothing of it may go on, and what it said is kept. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findNamed, isAlive, openShellFixture, shellHostOf, untilOutput } from "./testing/open-shell.ts";

/** Ways to begin a program so that neither its variables, its session, its terminal nor its parent tell whose it is. */
const leavings: [how: string, leave: (program: string) => string][] = [
  ["an empty environment in a session of its own", (program) => `env -i setsid -f ${program}`],
  [
    "a foreign marker and no open file",
    (program) => `COUNTERSIGN_EXECUTION=other setsid -f ${program} <&- >&- 2>&-`,
  ],
  [
    "a daemon's two forks",
    (program) => `env -i setsid -f sh -c '(cd /; exec ${program}) >/dev/null 2>&1 </dev/null &'`,
  ],
  [
    "a trap and an unset marker",
    (program) => `unset COUNTERSIGN_EXECUTION; trap '' HUP TERM; setsid -f ${program}`,
  ],
];

let sleeps = 0;
/** A program that no other test and no other run of these tests starts. */
function nextSleep(): string {
  sleeps += 1;
  return `sleep ${1_000_000 + process.pid}.${sleeps}`;
}

describe.runIf(process.platform === "linux")("ending a command", () => {
  it("ends the group at the time limit and keeps the output", async () => {
    const { dir, run } = openShellFixture();
    const result = await run("(sleep 4; touch late) & echo partial; sleep 86400", { timeoutMs: 1_500 });
    expect(result).toMatchObject({
      outcome: "timeout",
      output: "partial\n",
      exitCode: null,
      stillRunning: [],
    });
    expect(existsSync(join(dir, "late"))).toBe(false);
  });

  it("ends a whole tree on Stop: a nested shell, a pipe, one that ignores TERM, one that left the group", async () => {
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
    const command = await start(tree, { signal: stop.signal });
    await untilOutput(command, "ready");
    for (const name of ["sleep 41", "sleep 42", "sleep 43", "sleep 44", "sleep 45"]) {
      await expect.poll(() => findNamed(name)).toHaveLength(1);
    }
    stop.abort();
    const result = await command.done;
    expect(result).toMatchObject({ outcome: "cancelled", output: "ready\n", stillRunning: [] });
    for (const name of ["sleep 41", "sleep 42", "sleep 43", "sleep 44", "sleep 45"]) {
      expect(await findNamed(name)).toEqual([]);
    }
  });

  it.each(leavings)("ends what left by %s, on Stop", async (_how, leave) => {
    const { start } = openShellFixture();
    const name = nextSleep();
    const command = await start(`${leave(name)}; echo ready; sleep 60`);
    await untilOutput(command, "ready");
    await expect.poll(() => findNamed(name)).toHaveLength(1);
    expect(await command.kill("cancelled")).toMatchObject({ stillRunning: [], mayRunMore: false });
    expect(await findNamed(name)).toEqual([]);
  });

  it.each(leavings)("names what left by %s after the end, and ends it with the host", async (_how, leave) => {
    const { shell, run } = openShellFixture();
    const name = nextSleep();
    const { stillRunning } = await run(`${leave(name)}; until pgrep -fx '${name}'; do :; done`);
    expect(stillRunning.map((process) => process.name)).toEqual([name]);
    await shell.disposeAll();
    expect(await findNamed(name)).toEqual([]);
  });

  it("leaves alone what another command left", async () => {
    const { run, start } = openShellFixture();
    const name = nextSleep();
    await run(`env -i setsid -f ${name}; until pgrep -fx '${name}'; do :; done`);
    const stopped = await start("echo ready; sleep 60");
    await untilOutput(stopped, "ready");
    await stopped.kill("cancelled");
    expect(await findNamed(name)).toHaveLength(1);
  });

  it("lets a program that listens to TERM finish its work", async () => {
    const { start } = openShellFixture();
    const command = await start("trap 'echo cleaned; exit 0' TERM; echo ready; while :; do sleep 0.05; done");
    await untilOutput(command, "ready");
    const result = await command.kill("cancelled");
    expect(result).toMatchObject({ outcome: "cancelled", exitCode: 0 });
    expect(result.output).toContain("cleaned");
  });

  it("ends a stopped process too", async () => {
    const { start } = openShellFixture();
    const command = await start("echo ready; kill -STOP $$");
    await untilOutput(command, "ready");
    expect(await command.kill("killed")).toMatchObject({ outcome: "killed", stillRunning: [] });
    expect(isAlive(command.pid)).toBe(false);
  });

  it("does not start what was cancelled before, beyond ending it at once", async () => {
    const { run } = openShellFixture();
    const result = await run("sleep 86400", { signal: AbortSignal.abort() });
    expect(result.outcome).toBe("cancelled");
  });

  it("counts the first reason only, and none once the command has ended", async () => {
    const { start } = openShellFixture();
    const running = await start("sleep 30");
    void running.kill("timeout");
    expect((await running.kill("cancelled")).outcome).toBe("timeout");
    const ended = await start("true");
    await ended.done;
    expect((await ended.kill("killed")).outcome).toBe("exited");
  });

  it("ends everything when the host closes, also what earlier commands left behind", async () => {
    const { shell, start, run } = openShellFixture();
    await run(
      "trap '' TERM; nohup setsid bash -c 'trap \"\" TERM; sleep 51; sleep 51' >/dev/null 2>&1 & sleep 0.1",
    );
    const stubborn = await Promise.all(
      Array.from({ length: 5 }, () => start("trap '' TERM; echo ready; sleep 52; sleep 52")),
    );
    const shellHost = shellHostOf(stubborn[0]!);
    await Promise.all(stubborn.map((command) => untilOutput(command, "ready")));
    await expect.poll(() => findNamed("sleep 51")).toHaveLength(1);
    await shell.disposeAll();
    expect([...(await findNamed("sleep 51")), ...(await findNamed("sleep 52"))]).toEqual([]);
    expect(isAlive(shellHost)).toBe(false);
    await expect(start("true")).rejects.toThrow(/closing/);
  });
});
