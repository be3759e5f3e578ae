/** What becomes of commands when the host goes: killed, left by itself, or together with the shell host. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { endOrphan, findOrphans } from "./orphans.ts";
import { findNamed, isAlive, openShellFixture, shellHostOf, until } from "./testing/open-shell.ts";

/** A host of its own process: runs the given command, says which process it is once it has written, and its end. */
const hostScript = `
import { spawn } from "node:child_process";
import { startTimeOf } from ${JSON.stringify(join(import.meta.dirname, "process-table.ts"))};
import { Shell } from ${JSON.stringify(join(import.meta.dirname, "shell.ts"))};
const [, cwd, executionId, command, then] = process.argv;
const shell = new Shell({ logDir: cwd, assertPermit: () => undefined });
if (then === "guard") {
  // As an outer agent is started: by the host itself, and one that ignores being told to end.
  const agent = spawn("sh", ["-c", "trap '' TERM; sleep 69; sleep 69"], { detached: true, stdio: "ignore" });
  agent.unref();
  shell.guard({ executionId: "agent", pid: agent.pid, startTime: startTimeOf(agent.pid) });
}
const running = await shell.run({ executionId, permit: { executionId }, command, cwd });
const { pid, startTime } = running;
running.subscribe((event) => {
  if (event.type === "output") console.log(JSON.stringify({ executionId, pid, startTime }));
});
if (then === "exit") process.exitCode = 0, setTimeout(() => process.exit(), 300);
if (then === "wait") console.log("outcome", (await running.done).outcome);
`;

type HostRun = {
  root: { executionId: string; pid: number; startTime: string };
  shellHost: number;
  dir: string;
  kill(): Promise<void>;
  /** Everything it printed, once it has left by itself. */
  left: Promise<string>;
};

async function startHost(command: string, then: "exit" | "stay" | "wait" | "guard"): Promise<HostRun> {
  const dir = mkdtempSync(join(tmpdir(), "countersign-host-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const executionId = `execution-${process.pid}-${Date.now()}`;
  const host = spawn(process.execPath, [
    "--input-type=module",
    "-e",
    hostScript,
    dir,
    executionId,
    command,
    then,
  ]);
  let said = "";
  host.stdout.on("data", (data) => {
    said += String(data);
  });
  const exited = new Promise<void>((resolve) => host.once("close", () => resolve()));
  await until(() => said.includes("\n"));
  const root = JSON.parse(said.split("\n")[0] ?? "");
  return {
    root,
    shellHost: then === "wait" ? 0 : shellHostOf(root),
    dir,
    async kill() {
      host.kill("SIGKILL");
      await exited;
    },
    left: exited.then(() => said),
  };
}

describe.runIf(process.platform === "linux")("when the host is gone", () => {
  it("ends everything at once after a kill -9, politely first, and goes itself", async () => {
    const tree = "nohup sleep 61 >/dev/null 2>&1 & setsid sleep 62 >/dev/null 2>&1 & ";
    const command = `${tree} trap 'echo cleaned; exit' TERM; echo known output; while :; do sleep 0.05; done`;
    const { root, shellHost, dir, kill } = await startHost(command, "stay");
    await kill();
    await until(() => !isAlive(shellHost));
    expect(isAlive(root.pid)).toBe(false);
    expect([...(await findNamed("sleep 61")), ...(await findNamed("sleep 62"))]).toEqual([]);
    const log = readFileSync(join(dir, `${root.executionId}.log`), "utf8");
    expect(log).toMatch(/^known output\r\n[\s\S]*cleaned\r\n$/);
  });

  it("ends what ignores TERM", async () => {
    const { root, shellHost, kill } = await startHost(
      "trap '' TERM HUP; echo on; sleep 66; sleep 66",
      "stay",
    );
    await kill();
    await until(() => !isAlive(shellHost) && !isAlive(root.pid));
    expect(await findNamed("sleep 66")).toEqual([]);
  });

  it("ends a program that the host itself started and has guarded", async () => {
    const { shellHost, kill } = await startHost("echo on; sleep 70", "guard");
    await expect.poll(() => findNamed("sleep 69")).toHaveLength(1);
    await kill();
    await until(() => !isAlive(shellHost));
    expect(await findNamed("sleep 69")).toEqual([]);
  });

  it("does the same when the host leaves by process.exit", async () => {
    const { root, shellHost } = await startHost("echo on; sleep 67", "exit");
    await until(() => !isAlive(shellHost));
    expect(isAlive(root.pid)).toBe(false);
  });

  it("leaves what outlived both to the next host, which knows its output and ends it", async () => {
    const command =
      "nohup sleep 63 >/dev/null 2>&1 & env -i setsid -f sleep 64 >/dev/null 2>&1; echo known output; sleep 65";
    const { root, shellHost, dir, kill } = await startHost(command, "stay");
    for (const name of ["sleep 63", "sleep 64"]) await expect.poll(() => findNamed(name)).toHaveLength(1);
    process.kill(shellHost, "SIGSTOP");
    await kill();
    process.kill(shellHost, "SIGKILL");
    await until(() => !isAlive(shellHost));
    const { shell } = openShellFixture({ logDir: dir });
    const {
      found: [orphan, ...others],
    } = await findOrphans([root, { ...root, executionId: "unrelated", pid: process.pid }]);
    expect(others).toEqual([]);
    expect((await findOrphans([{ ...root, pid: 0, startTime: "" }])).found).toHaveLength(1);
    expect(orphan?.processes.map((row) => row.name)).toEqual(
      expect.arrayContaining(["sleep 63", "sleep 64"]),
    );
    expect(await shell.readLog(root.executionId)).toMatchObject({ text: "known output\n", lines: 1 });
    if (orphan !== undefined)
      expect(await endOrphan(orphan)).toEqual({ stillRunning: [], mayRunMore: false });
    expect((await findOrphans([root])).found).toEqual([]);
    expect([...(await findNamed("sleep 63")), ...(await findNamed("sleep 64"))]).toEqual([]);
  });

  it("leaves a stranger alone that has got the same pid", async () => {
    const stranger = spawn("sleep", ["68"], { detached: true });
    const pid = stranger.pid ?? 0;
    const gone = { executionId: "gone", pid, startTime: "another boot/12345" };
    expect(await findOrphans([gone])).toEqual({ found: [], isKnown: true });
    stranger.kill("SIGKILL");
  });
});

describe.runIf(process.platform === "linux")("a host with nothing to do", () => {
  it("stays for a command that runs, and is not kept from leaving by the idle shell host", async () => {
    const { left } = await startHost("echo on; sleep 0.3", "wait");
    expect(await left).toContain("outcome exited");
  });
});
