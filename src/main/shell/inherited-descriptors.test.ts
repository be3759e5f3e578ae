/** What a command has to close is known at every moment, also when a number changes hands between two looks. */
import { closeSync, openSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { spawn } from "node-pty";
import { describe, expect, it } from "vitest";
import { inheritedDescriptors } from "./inherited-descriptors.ts";

describe.runIf(process.platform === "linux")("the descriptors a program would inherit", () => {
  it("are terminals from the moment they are open, and no files of Node", async () => {
    const file = openSync("/dev/null", "r");
    const terminal = spawn("/bin/sleep", ["5"], {});
    const { fd } = terminal as typeof terminal & { fd: number };
    const found = inheritedDescriptors.find();
    closeSync(file);
    const ended = new Promise((resolve) => terminal.onExit(resolve));
    terminal.kill("SIGKILL");
    await ended;
    expect(found).toContain(String(fd));
    expect(found).not.toContain(String(file));
    expect(inheritedDescriptors.find()).not.toContain(String(fd));
  });

  it("hold a terminal that took over the number of a file, as long as it is open", async () => {
    const file = openSync("/dev/null", "r");
    expect(inheritedDescriptors.find()).not.toContain(String(file));
    inheritedDescriptors.addTerminal(file);
    expect(inheritedDescriptors.find()).toContain(String(file));
    closeSync(file);
    inheritedDescriptors.lookSoon();
    await nextTurn();
    await nextTurn();
    const next = openSync("/dev/null", "r");
    const found = inheritedDescriptors.find();
    closeSync(next);
    // The lowest free number is given out, so it is the same one.
    expect(next).toBe(file);
    expect(found).not.toContain(String(next));
  });
});
