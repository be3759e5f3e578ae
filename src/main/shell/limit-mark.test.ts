/** The mark in a resource limit: set before the command's own first word, and no change to what the command sees. */

import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitMarkOf, readLimitMark, setLimitMark } from "./limit-mark.ts";
import { openShellFixture, untilOutput } from "./testing/open-shell.ts";

const bash = { kind: "bash" } as const;

describe("the mark of an execution", () => {
  it("is a number of its own, written as the system writes it", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), (ids) => {
        const marks = ids.map(limitMarkOf);
        expect(new Set(marks).size).toBe(ids.length);
        for (const mark of marks) expect(String(Number(mark))).toBe(mark);
      }),
    );
  });

  it("is set only where there is such a limit", () => {
    expect(setLimitMark(bash, "e", "darwin")).toBe("");
    expect(setLimitMark(bash, "e", "win32")).toBe("");
    expect(setLimitMark({ kind: "powershell" }, "e", "linux")).toBe("");
  });
});

describe.runIf(process.platform === "linux")("a marked command", () => {
  it.each(["/bin/bash", "/bin/sh"])("is marked by %s, and hears nothing of it", (shell) => {
    const text = `${setLimitMark(bash, "e", "linux")}echo $? "$#"; grep 'file locks' /proc/self/limits`;
    const { stdout, stderr } = spawnSync(shell, ["-c", text], { encoding: "utf8" });
    const mark = limitMarkOf("e");
    expect(stdout.replace(/ +/g, " ")).toBe(`0 0\nMax file locks ${mark} ${mark} locks \n`);
    expect(stderr).toBe("");
  });

  it("runs unmarked inside of a lower limit, and hears nothing of it", () => {
    // Root may raise a limit; without that right the attempt fails as it does for everybody else.
    const root = process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-sys_resource"] : [];
    const text = `${setLimitMark(bash, "e", "linux")}echo $?`;
    const words = [...root, "bash", "-c", `ulimit -x 5; exec bash -c "$1"`, "bash", text];
    const { stdout, stderr } = spawnSync(words[0]!, words.slice(1), { encoding: "utf8" });
    expect([stdout, stderr]).toEqual(["0\n", ""]);
  });

  it("keeps its line numbers", async () => {
    const { run } = openShellFixture();
    expect((await run("echo $LINENO\necho $LINENO")).output).toBe("1\n2\n");
  });

  it("carries it with its first word", async () => {
    const { start } = openShellFixture();
    const command = await start("echo ready; read line", { executionId: "first" });
    await untilOutput(command, "ready");
    expect(readLimitMark(command.pid)).toBe(limitMarkOf("first"));
    command.write("on\n");
    await command.done;
  });
});
