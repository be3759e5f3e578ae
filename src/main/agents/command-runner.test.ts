import { describe, expect, it } from "vitest";
import type { Width } from "../../shared/contract/decisions.ts";
import type { ExecutionId, ThreadId, TurnId } from "../../shared/ids.ts";
import type { CommandResult } from "../shell/command-result.ts";
import type { RunningCommand } from "../shell/running-command.ts";
import { createCommandRunner } from "./command-runner.ts";

const thread = "thread" as ThreadId;
const never = new AbortController().signal;
const ended: CommandResult = {
  output: "",
  exitCode: 0,
  outcome: "exited",
  truncated: false,
  bytes: 0,
  durationMs: 0,
  logPath: "",
  stillRunning: [],
  mayRunMore: false,
};

/** Runs commands whose end the test decides: the shell is the boundary, and each process ends with its promise. */
function openRunner(endWithinMs?: number) {
  const runner = createCommandRunner({
    shell: {
      run: async ({ command }) =>
        ({
          pid: 1,
          startTime: "",
          logPath: "",
          done: ends.get(command),
        }) as Partial<RunningCommand> as RunningCommand,
    },
    executions: { noteProcess: () => undefined },
    commandTimeoutMs: () => Number.POSITIVE_INFINITY,
    watch: { around: (_thread, _root, act) => act() },
    rootOf: (workspace) => workspace,
    noteStep: () => undefined,
    endWithinMs,
  });
  const ends = new Map<string, Promise<CommandResult>>();
  return {
    ended: runner.ended,
    run(command: string, done: Promise<CommandResult>, width: Width = "outside") {
      ends.set(command, done);
      const ids = { threadId: thread, turnId: "turn" as TurnId, executionId: command as ExecutionId };
      const how = { mayChangeFiles: true, width, signal: never };
      return runner.run({ ...ids, ...how, command, workspace: "/workspace" });
    },
  };
}

/** Whether a promise is settled once everything that could settle it has had its turn. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe("the end of a run", () => {
  it("waits for all commands of its thread, and not for those of another", async () => {
    const commands = openRunner();
    const [first, second] = [Promise.withResolvers<CommandResult>(), Promise.withResolvers<CommandResult>()];
    const results = [commands.run("one", first.promise), commands.run("two", second.promise)];
    const allEnded = commands.ended(thread, never);
    expect(await isSettled(commands.ended("other" as ThreadId, never))).toBe(true);
    first.resolve({ ...ended, output: "1" });
    expect(await isSettled(allEnded)).toBe(false);
    second.resolve({ ...ended, output: "2" });
    await allEnded;
    expect(await Promise.all(results)).toMatchObject([{ output: "1" }, { output: "2" }]);
  });

  it("comes also after a command that failed", async () => {
    const commands = openRunner();
    const failing = commands.run("one", Promise.reject(new Error("no terminal")));
    const allEnded = commands.ended(thread, never);
    await expect(failing).rejects.toThrow("no terminal");
    await allEnded;
  });

  it("is not kept away for ever by what ignores a stop, but only a stop cuts it short", async () => {
    const commands = openRunner(1);
    void commands.run("one", new Promise(() => undefined));
    const stop = new AbortController();
    const allEnded = commands.ended(thread, stop.signal);
    expect(await isSettled(allEnded)).toBe(false);
    stop.abort();
    await allEnded;
  });
});

describe("what the agent reads of a command that started something with &", () => {
  const startedOne = "sleep 1000 & echo up";
  const told = async (command: string, end: Partial<CommandResult>, width?: Width) =>
    (await openRunner().run(command, Promise.resolve({ ...ended, output: "up", ...end }), width)).output;

  it("says that it has ended with the command, and what outlives one", async () => {
    expect(await told(startedOne, {})).toBe(
      "up\n[What was started with & has ended with this command. To keep a process, start it with nohup or setsid.]",
    );
    expect(await told(startedOne, {}, "workspace")).toMatch(/has ended with this command. It ran confined/);
  });

  it("names what still runs, or that nobody could look", async () => {
    const stillRunning = [{ pid: 7, name: "sleep", startTime: "" }];
    expect(await told(startedOne, { stillRunning })).toBe("up\n[still running: 7]");
    expect(await told(startedOne, { mayRunMore: true })).toMatch(/may still run/);
  });

  it.each(["a && b", "a &> log", "a 2>&1", "echo 'a & b'", 'echo "a & b"', "a |& b", "echo \\&"])(
    "says nothing of %s",
    async (command) => expect(await told(command, {})).toBe("up"),
  );
});
