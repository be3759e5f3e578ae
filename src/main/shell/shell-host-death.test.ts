/** What becomes of commands and of the shell when the shell host dies, hangs, cannot start, or is sent a signal. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { nothingMore } from "../sandbox/hidden-places.ts";
import type { Probe } from "../sandbox/probe.ts";
import type { CommandEvent } from "./output-subscribers.ts";
import type { RunningCommand } from "./running-command.ts";
import { forkWithNode, type ShellHostProcess } from "./shell-host-process.ts";
import {
  findNamed,
  isAlive,
  openShellFixture,
  shellHostOf,
  until,
  untilOutput,
} from "./testing/open-shell.ts";

/** With short heartbeats a shell host on a busy machine may count as hung before it has begun; then it is asked again. */
async function startPatiently(start: () => Promise<RunningCommand>, said: string): Promise<RunningCommand> {
  for (;;) {
    try {
      const command = await start();
      await untilOutput(command, said);
      return command;
    } catch (error) {
      expect(String(error)).toMatch(/was not started|ended without/);
    }
  }
}

describe.runIf(process.platform === "linux")("when the shell host dies", () => {
  it("ends its commands with what they said and why, and runs the next one in a new shell host", async () => {
    const { shell, start, run } = openShellFixture();
    const tree =
      "setsid bash -c 'trap \"\" TERM; sleep 71; sleep 71' & trap '' HUP; echo said; sleep 72; sleep 72";
    const commands = [await start(tree), await start("echo other; sleep 73")];
    const events: CommandEvent[] = [];
    commands[0]!.subscribe((event) => events.push(event));
    await Promise.all(commands.map((command, index) => untilOutput(command, index === 0 ? "said" : "other")));
    await until(() => events.length > 0);
    const shellHost = shellHostOf(commands[0]!);
    process.kill(shellHost, "SIGKILL");
    const [first, second] = await Promise.all(commands.map(({ done }) => done));
    expect(first).toMatchObject({ outcome: "killed", exitCode: null, stillRunning: [] });
    expect(first?.output).toMatch(/^said\n\[.* ended unexpectedly/);
    expect(second?.output).toMatch(/^other\n\[/);
    await until(() => events.at(-1)?.type === "ended");
    for (const name of ["sleep 71", "sleep 72", "sleep 73"]) expect(await findNamed(name)).toEqual([]);
    expect(shell.find(commands[0]!.executionId)).toBeUndefined();
    expect(Number((await run("echo $PPID")).output)).not.toBe(shellHost);
  });

  it("ends what it had left in the background only when the host closes", async () => {
    const { shell, run } = openShellFixture();
    const left = await run("nohup sleep 74 >/dev/null 2>&1 & echo $PPID; sleep 0.1");
    process.kill(Number(left.output), "SIGKILL");
    await until(() => !isAlive(Number(left.output)));
    await run("true");
    expect(await findNamed("sleep 74")).toHaveLength(1);
    await shell.disposeAll();
    expect(await findNamed("sleep 74")).toEqual([]);
  });

  it("is not started a fourth time within a minute, and says why", async () => {
    const { start } = openShellFixture();
    for (let death = 0; death < 3; death += 1) {
      const command = await start("sleep 75");
      process.kill(shellHostOf(command), "SIGKILL");
      expect((await command.done).outcome).toBe("killed");
    }
    await expect(start("true")).rejects.toMatchObject({
      code: "start-failed",
      message: expect.stringMatching(/3 times within a minute \(SIGKILL\)/),
    });
  });

  it("is ended when it hangs, and its commands with it", async () => {
    const { start } = openShellFixture({ heartbeatMs: 500 });
    const command = await startPatiently(() => start("echo said; sleep 76"), "said");
    const shellHost = shellHostOf(command);
    process.kill(shellHost, "SIGSTOP");
    expect((await command.done).outcome).toBe("killed");
    expect(isAlive(shellHost)).toBe(false);
    expect(await findNamed("sleep 76")).toEqual([]);
  });

  it("keeps working while it is told to stop by anyone but the host", async () => {
    const { start } = openShellFixture();
    const command = await start("read answer; echo got $answer");
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(shellHostOf(command), signal);
    command.write("it\n");
    expect((await command.done).output).toBe("it\ngot it\n");
  });
});

describe("a shell host that does not do its part", () => {
  it("does not start: it is tried once more, nothing has run, and the reason is told", async () => {
    const { start, shell } = openShellFixture({
      fork: (_file, environment) => forkWithNode("/does/not/exist.js", environment),
    });
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(start("true", { executionId: "once" })).rejects.toMatchObject({
        code: "start-failed",
        message: expect.stringContaining("was not started"),
      });
    await expect(start("true")).rejects.toThrow(/Cannot find module/);
    expect(shell.find("once")).toBeUndefined();
  });

  it("says something nobody understands: it is ended", async () => {
    let hear: (message: unknown) => void = () => undefined;
    let runs = 0;
    let exit: (why: string) => void = () => undefined;
    const double: ShellHostProcess = {
      send(message) {
        if ((message as { type: string }).type !== "run") return;
        runs += 1;
        queueMicrotask(() => hear({ type: "started", executionId: "x", pid: "one" }));
      },
      onMessage: (listener) => {
        hear = listener;
      },
      onExit: (listener) => {
        exit = listener;
      },
      kill: () => exit("killed"),
      hold: () => undefined,
    };
    const { start } = openShellFixture({ fork: () => double });
    await expect(start("true")).rejects.toThrow(/was not started/);
    expect(runs).toBe(2);
  });
});

describe("the shell host", () => {
  it.runIf(process.platform === "linux")("is given none of the host's secrets", async () => {
    const environment = {
      PATH: process.env.PATH,
      HOME: "/home/person",
      OPENAI_API_KEY: "k",
      NODE_OPTIONS: "",
    };
    const { start } = openShellFixture({ environment });
    const command = await start("sleep 5");
    const names = readFileSync(`/proc/${shellHostOf(command)}/environ`, "latin1")
      .split("\0")
      .map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["PATH", "HOME"]));
    expect(names).not.toContain("OPENAI_API_KEY");
    expect(names).not.toContain("NODE_OPTIONS");
    await command.kill("cancelled");
  });

  it("can be watched from the moment a command was asked for", async () => {
    const { shell, start } = openShellFixture();
    const started = start("echo early; read go", { executionId: "watched" });
    const command = shell.find("watched");
    const texts: string[] = [];
    const ended = new Promise<void>((resolve) => {
      command?.subscribe((event) => {
        if (event.type === "output") texts.push(event.text);
        if (event.type === "ended") resolve();
      });
    });
    command?.write("go\n");
    await ended;
    expect(texts.join("")).toContain("early\r\n");
    expect((await started).executionId).toBe("watched");
  });

  it("starts nothing that was asked for before the app closed, and whose sandbox was known only then", async () => {
    const { promise, resolve } = Promise.withResolvers<Probe>();
    let forks = 0;
    const { shell, start } = openShellFixture({
      sandbox: { ready: () => promise, home: "/", dataDir: "/", hidden: () => nothingMore },
      fork: (...args) => {
        forks += 1;
        return forkWithNode(...args);
      },
    });
    const asked = ["first", "first", "second"].map((executionId) =>
      start("true", { executionId, width: "read-only" }),
    );
    const ends = Promise.allSettled(asked);
    await shell.disposeAll();
    resolve({ usable: true, program: "/nowhere", tries: 1 });
    const codes = (await ends).map((end) => end.status === "rejected" && end.reason.code);
    expect(codes).toEqual(["closed", "closed", "closed"]);
    expect(forks).toBe(0);
  });

  it("tells the end to those who watch a command that was refused", async () => {
    const { shell, run, start } = openShellFixture();
    await run("true", { executionId: "once" });
    const again = start("true", { executionId: "once" });
    const ended = new Promise<void>((resolve) => {
      shell.find("once")?.subscribe((event) => {
        if (event.type === "ended") resolve();
      });
    });
    await expect(again).rejects.toMatchObject({ code: "already-run", field: "executionId" });
    await ended;
  });

  it.runIf(process.platform === "linux")(
    "is there before the first command when it was warmed up",
    async () => {
      let started = 0;
      const { shell, run } = openShellFixture({
        fork: (...args) => {
          started += 1;
          return forkWithNode(...args);
        },
      });
      expect(started).toBe(0);
      shell.warmUp();
      shell.warmUp();
      await run("true");
      expect(started).toBe(1);
    },
  );
});
