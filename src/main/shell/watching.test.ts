/** Those who watch a command: what they see, how they slow it down, and that they cannot hold it up for ever. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hangGuardMs } from "../../shared/testing/hang-guard.ts";
import { endsInPrompt } from "./input-wait.ts";
import type { CommandEvent } from "./output-subscribers.ts";
import type { RunningCommand } from "./running-command.ts";
import { openShellFixture, until, untilOutput } from "./testing/open-shell.ts";

/** Everything a watcher is told, and the text of it. */
function record(command: RunningCommand) {
  const events: CommandEvent[] = [];
  const subscription = command.subscribe((event) => events.push(event));
  const text = () => events.map((event) => (event.type === "output" ? event.text : "")).join("");
  const ended = new Promise<void>((resolve) => {
    command.subscribe((event) => {
      if (event.type === "ended") resolve();
    });
  });
  return { events, subscription, text, ended };
}

const skippedBytes = (events: CommandEvent[]) =>
  events.reduce((sum, event) => sum + (event.type === "skipped" ? event.bytes : 0), 0);

describe("watching a command", () => {
  it("shows a late watcher what was said before, then the rest, then the end", async () => {
    const { start } = openShellFixture();
    const command = await start("echo early; read answer; echo late $answer");
    await untilOutput(command, "early");
    const late = record(command);
    command.write("now\n");
    await late.ended;
    expect(late.text()).toBe("early\r\nnow\r\nlate now\r\n");
    expect(late.events.at(-1)).toMatchObject({ type: "ended", result: { exitCode: 0 } });
  });

  it("still shows a command that has ended", async () => {
    const { start } = openShellFixture();
    const command = await start("echo over");
    await command.done;
    const late = record(command);
    await late.ended;
    expect(late.text()).toBe("over\r\n");
  });

  it("gives a watcher that keeps up every byte", async () => {
    const { start } = openShellFixture({ stallMs: hangGuardMs });
    const command = await start("seq 1 300000");
    const watcher = record(command);
    await watcher.ended;
    expect(watcher.text().length).toBe((await command.done).bytes);
    expect(skippedBytes(watcher.events)).toBe(0);
  });

  it("holds the command back for a watcher that pauses now and then, and loses nothing", async () => {
    const { start } = openShellFixture({ stallMs: hangGuardMs });
    const command = await start("seq 1 300000");
    let length = 0;
    let skipped = 0;
    const subscription = command.subscribe((event) => {
      if (event.type === "skipped") skipped += event.bytes;
      if (event.type !== "output") return;
      length += event.text.length;
      subscription.pause();
      setTimeout(() => subscription.resume(), 2);
    });
    const { bytes } = await command.done;
    await until(() => length === bytes);
    expect(skipped).toBe(0);
  });

  it("cuts back a watcher that stalls, tells it how much it missed, and lets the command end", async () => {
    const { start } = openShellFixture({ stallMs: 50 });
    const command = await start("seq 1 300000");
    const stalled = record(command);
    stalled.subscription.pause();
    const result = await command.done;
    expect(stalled.events).toEqual([]);
    stalled.subscription.resume();
    await until(() => stalled.events.at(-1)?.type === "ended");
    expect(stalled.events[0]?.type).toBe("skipped");
    expect(skippedBytes(stalled.events) + stalled.text().length).toBe(result.bytes);
    expect(stalled.text()).toMatch(/^\d+\r\n\d+\r\n/);
    expect(stalled.text().endsWith("300000\r\n")).toBe(true);
  });

  it("loses no byte when the command ends while it is held back", async () => {
    const { start } = openShellFixture({ stallMs: hangGuardMs });
    // Half the ring (128 KiB) is let through; what is behind it then waits in the kernel while the program exits.
    const command = await start(
      "head -c 131100 /dev/zero | tr '\\0' a; head -c 6000 /dev/zero | tr '\\0' b; printf END",
    );
    const watcher = record(command);
    watcher.subscription.pause();
    const result = await command.done;
    expect(result.bytes).toBe(137_103);
    expect(result.output.endsWith("bbbEND")).toBe(true);
  });

  it("goes on when a watcher throws", async () => {
    const { start } = openShellFixture();
    const command = await start("echo one; sleep 0.05; echo two");
    command.subscribe(() => {
      throw new Error("a defect of the watcher");
    });
    const other = record(command);
    await other.ended;
    expect(other.text()).toBe("one\r\ntwo\r\n");
  });

  it("tells the program the size of the window", async () => {
    const { start } = openShellFixture();
    const command = await start("echo ready; read go; stty size", { cols: 80, rows: 24 });
    await untilOutput(command, "ready");
    command.resize(132, 43);
    command.write("\n");
    expect((await command.done).output).toContain("43 132");
  });
});

describe("a command that waits for input", () => {
  const untilWaiting = (command: RunningCommand, waiting: boolean) =>
    new Promise<void>((resolve) => {
      command.subscribe((event) => {
        if (event.type === "waitingForInput" && event.waiting === waiting) resolve();
      });
    });

  it.runIf(process.platform === "linux")(
    "is noticed without any prompt, and goes on when somebody types",
    async () => {
      const { start } = openShellFixture();
      const command = await start("read -r secret; echo got $secret");
      const { events } = record(command);
      await untilWaiting(command, true);
      command.write("it\n");
      expect((await command.done).output).toBe("it\ngot it\n");
      const told = events.filter((event) => event.type === "waitingForInput").map((event) => event.waiting);
      expect(told).toEqual([true, false]);
    },
  );

  it.runIf(process.platform === "linux")("is noticed in a child, such as a script that asks", async () => {
    const { dir, start } = openShellFixture();
    writeFileSync(join(dir, "ask.sh"), "cat > answer\n");
    const command = await start("true; bash ask.sh; cat answer");
    await untilWaiting(command, true);
    command.write("yes\n\u0004");
    expect((await command.done).output).toContain("yes\n");
  });

  it("is noticed by its prompt when the program polls the keyboard", async () => {
    const { start } = openShellFixture();
    const ask = `require("node:readline").createInterface(process.stdin, process.stdout).question("Proceed (y/n)? ", (a) => { console.log("said", a); process.exit(); })`;
    const command = await start(`"${process.execPath}" -e '${ask}'`);
    await untilWaiting(command, true);
    command.write("y\n");
    expect((await command.done).output).toContain("said y");
  });

  it("is not seen in one that works silently", async () => {
    const { start } = openShellFixture();
    const command = await start("printf 'working'; sleep 1.2; echo; echo done");
    const { events, ended } = record(command);
    await ended;
    expect(events.some((event) => event.type === "waitingForInput")).toBe(false);
  });

  it.each([
    ["Password: ", true],
    ["Overwrite? [y/N] ", true],
    ["\u001b[32m?\u001b[0m Continue (yes) ", true],
    ["Password: \r\n", false],
    ["Compiling 45%", false],
    ["", false],
  ])("reads %j as a prompt: %j", (tail, expected) => {
    expect(endsInPrompt(Buffer.from(tail))).toBe(expected);
  });
});
