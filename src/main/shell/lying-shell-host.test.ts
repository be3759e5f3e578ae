/** A shell host that says what is not so: nothing of it is believed beyond what can be checked. */

import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { listProcesses } from "./process-table.ts";
import type { RunningCommand } from "./running-command.ts";
import type { ShellHostProcess } from "./shell-host-process.ts";
import { openShellFixture, until } from "./testing/open-shell.ts";

/** A shell host that answers a request to run with messages of the test's own; killed, it is gone as a real one is. */
function lyingShellHost(answers: readonly ((executionId: string) => object)[]) {
  let killed = 0;
  const fork = (): ShellHostProcess => {
    let hear: (message: unknown) => void = () => undefined;
    let exit: (why: string) => void = () => undefined;
    return {
      send(message) {
        const { type, request } = message as { type: string; request: { executionId: string } };
        if (type === "beat") queueMicrotask(() => hear({ type: "beat" }));
        if (type !== "run" && type !== "hold") return;
        for (const answer of answers) queueMicrotask(() => hear(answer(request.executionId)));
      },
      onMessage: (listener) => {
        hear = listener;
      },
      onExit: (listener) => {
        exit = listener;
      },
      kill() {
        killed += 1;
        exit("killed");
      },
      hold: () => undefined,
    };
  };
  return { fork, deaths: () => killed };
}

describe("a shell host that lies about a command", () => {
  const result = {
    ...{ output: "", exitCode: 0, outcome: "exited", truncated: false, bytes: 0, durationMs: 1 },
    ...{ logPath: "/log", stillRunning: [], mayRunMore: false },
  };
  // No process has this number, so that nothing is ended in its name.
  const started = (executionId: string, pid = 2 ** 22 + 1) => ({
    type: "started",
    executionId,
    pid,
    startTime: "0",
  });
  const ended = (executionId: string) => ({ type: "ended", executionId, result });
  const refused = (executionId: string) => {
    const why = { code: "start-failed", field: "command", message: "It was refused." };
    return { type: "refused", executionId, ...why };
  };

  it.each<[string, ((executionId: string) => object)[]]>([
    ["ends before it started", [ended]],
    ["starts as no process", [(id) => started(id, 0)]],
    ["starts as every process", [(id) => started(id, -1)]],
  ])("that %s is ended, and nothing waits for it", async (_how, answers) => {
    const { fork, deaths } = lyingShellHost(answers);
    const { start } = openShellFixture({ fork });
    await expect(start("true")).rejects.toThrow(/was not started/);
    expect(deaths()).toBe(2);
  });

  it.each<[string, ((executionId: string) => object)[]]>([
    ["starts twice", [started, started]],
    ["is refused after it started", [started, refused]],
  ])("that %s is ended, and the command counts as one that ran", async (_how, answers) => {
    const { fork, deaths } = lyingShellHost(answers);
    const { run } = openShellFixture({ fork });
    expect(await run("true")).toMatchObject({
      outcome: "killed",
      output: expect.stringContaining("ended unexpectedly"),
    });
    expect(deaths()).toBe(1);
  });

  it.each<[string, ((executionId: string) => object)[], number | undefined]>([
    ["never says whether it began, and is told to end", [], undefined],
    ["never says that it ended, and is told to end", [started], undefined],
    ["never says whether it began, within its time", [], 20],
    ["never says that it ended, within its time", [started], 20],
  ])("that beats, but %s, is ended", async (_how, answers, timeoutMs) => {
    const { fork, deaths } = lyingShellHost(answers);
    const { shell, start } = openShellFixture({ fork, heartbeatMs: 10, graceMs: 5 });
    const asked = start("true", { executionId: "one", timeoutMs }).catch(String);
    await until(() => shell.find("one") !== undefined);
    const command = shell.find("one") as RunningCommand;
    if (timeoutMs === undefined) expect((await command.kill("stopped")).outcome).toBe("killed");
    else expect((await command.done).outcome).toBe("killed");
    await asked;
    // What nobody told to end, and of which nothing began, is tried once more.
    expect(deaths()).toBe(timeoutMs !== undefined && answers.length === 0 ? 2 : 1);
    expect(shell.find("one")).toBeUndefined();
  });

  it.runIf(process.platform === "linux")(
    "that freezes before it says that a command began: told to end, the command is ended from here",
    async () => {
      const frozen: ShellHostProcess = {
        ...{ send: () => undefined, onMessage: () => undefined, onExit: () => undefined },
        ...{ kill: () => undefined, hold: () => undefined },
      };
      const { shell, start } = openShellFixture({ fork: () => frozen, graceMs: 20 });
      void start("true", { executionId: "silent" }).catch(String);
      await until(() => shell.find("silent") !== undefined);
      const begun = spawn("sleep", ["600"], { env: { ...process.env, COUNTERSIGN_EXECUTION: "silent" } });
      const ended = new Promise<string | null>((resolve) =>
        begun.once("exit", (_, signal) => resolve(signal)),
      );
      void (shell.find("silent") as RunningCommand).kill("stopped");
      expect(await ended).not.toBeNull();
    },
  );

  it.each<[string, object[], string]>([
    ["that is none", [{ type: "gone", heldId: 2, said: "" }], "it is let go"],
    [
      "whose end it told",
      [
        { type: "gone", heldId: 1, said: "" },
        { type: "ready", heldId: 1, pid: 1 },
      ],
      "",
    ],
    ["and never that it is gone", [{ type: "ready", heldId: 1, pid: 2 ** 22 + 1 }], "it is let go"],
  ])("that speaks of a held program %s is ended, and nobody waits for that", async (_how, answers, end) => {
    const { fork, deaths } = lyingShellHost(answers.map((answer) => () => answer));
    const { shell } = openShellFixture({ fork, heartbeatMs: 5 });
    const held = await shell.hold({ program: "true", args: [], env: {}, handed: new Uint8Array() });
    if (end !== "") held.letGo();
    expect(await held.gone).toMatch(end === "" ? /^$/ : /ended \(killed\)$/);
    await until(() => deaths() === 1);
  });

  it("that never closes leaves nothing in the background that it was known to have left", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { stdio: "ignore" });
    const gone = new Promise((resolve) => child.once("exit", resolve));
    const row = async () => {
      const table = await listProcesses();
      return table === "no answer" ? undefined : table.find(({ pid }) => pid === child.pid);
    };
    const { pid, startTime, name } = (await row())!;
    const left = { ...result, stillRunning: [{ pid, startTime, name }] };
    const { fork } = lyingShellHost([
      started,
      (executionId) => ({ type: "ended", executionId, result: left }),
    ]);
    const { shell, run } = openShellFixture({ fork });
    await run("true");
    expect(await row()).toBeDefined();
    await shell.disposeAll();
    await gone;
    expect(await row()).toBeUndefined();
  });

  it.each([[ended], [refused], [started]])(
    "and speaks of it once more after its end is ended",
    async (again) => {
      const { fork, deaths } = lyingShellHost([started, ended, again]);
      const { run } = openShellFixture({ fork });
      expect(await run("true")).toMatchObject({ outcome: "exited" });
      expect(deaths()).toBe(1);
    },
  );
});
