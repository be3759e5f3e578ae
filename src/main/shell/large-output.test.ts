/** What becomes of much output: head and tail for the model, all of it in the log, and memory that stays bounded. */
import { execFile } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openShellFixture } from "./testing/open-shell.ts";

describe("large output", () => {
  it("keeps head and tail for the model and all of it in the log", async () => {
    const { run } = openShellFixture({ limits: { headBytes: 1000, tailBytes: 1000 } });
    const result = await run("seq 1 200000");
    const whole = readFileSync(result.logPath);
    expect(result.truncated).toBe(true);
    expect(result.output.startsWith("1\n2\n3\n")).toBe(true);
    expect(result.output.endsWith("199999\n200000\n")).toBe(true);
    expect(result.output).toMatch(/\n\[\d+ bytes omitted; full log: .*\.log\]\n/);
    expect(Buffer.byteLength(result.output)).toBeLessThan(2300);
    expect(whole.length).toBe(result.bytes);
    expect(whole.toString().split("\r\n")).toHaveLength(200_001);
  });

  it.runIf(process.platform === "linux")("takes 20 MB in bounded memory, in both processes", async () => {
    const { run } = openShellFixture();
    const shellHost = Number((await run("echo $PPID")).output);
    const pageBytes = 4096;
    const rss = () =>
      process.memoryUsage.rss() +
      Number(readFileSync(`/proc/${shellHost}/statm`, "latin1").split(" ")[1]) * pageBytes;
    const before = rss();
    let peak = before;
    const sampler = setInterval(() => {
      peak = Math.max(peak, rss());
    });
    const result = await run("head -c 20000000 /dev/zero | tr '\\0' x | fold -w 99; echo; echo LAST");
    clearInterval(sampler);
    expect(result.output.endsWith("LAST\n")).toBe(true);
    expect(statSync(result.logPath).size).toBe(result.bytes);
    expect(result.bytes).toBeGreaterThan(20_000_000);
    expect(peak - before).toBeLessThan(120_000_000);
  });

  it("ends the log at its limit and says so, and the command goes on", async () => {
    const { run } = openShellFixture({ maxLogBytes: 1000 });
    const result = await run("seq 1 5000; echo END");
    expect(result.output).toContain("5000\nEND\n");
    expect(result.logFailure).toContain("1000 bytes");
    expect(statSync(result.logPath).size).toBeLessThan(1100);
  });

  it("goes on without a log when the disk takes no more, and says so", async () => {
    const { dir } = openShellFixture();
    const host = `
      process.on("SIGXFSZ", () => undefined);
      const { Shell } = await import(${JSON.stringify(join(import.meta.dirname, "shell.ts"))});
      const shell = new Shell({ logDir: ${JSON.stringify(join(dir, "small"))}, assertPermit: () => undefined });
      const permit = { executionId: "full" };
      const command = await shell.run({ ...permit, permit, command: "seq 1 20000; echo END", cwd: "/" });
      const result = await command.done;
      console.log(JSON.stringify({ last: result.output.slice(-4), failure: result.logFailure, exitCode: result.exitCode }));`;
    writeFileSync(join(dir, "host.mjs"), host);
    const run = promisify(execFile);
    const { stdout } = await run("bash", [
      "-c",
      `ulimit -f 8; exec "${process.execPath}" "${join(dir, "host.mjs")}"`,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      last: "END\n",
      failure: expect.stringContaining("EFBIG"),
      exitCode: 0,
    });
  });

  it("keeps logs readable by their owner only", async () => {
    const { logDir, run } = openShellFixture();
    const { logPath } = await run("echo private");
    expect(statSync(logDir).mode & 0o777).toBe(0o700);
    expect(statSync(logPath).mode & 0o777).toBe(0o600);
  });

  it("shows a person what a command left in its log: more than a model gets, in its colours, and how long it is", async () => {
    const { shell, run } = openShellFixture({ limits: { headBytes: 100, tailBytes: 100 } });
    const coloured =
      "for i in $(seq 1 900); do printf '\\033[32mline\\033[0m %s\\n' $i; done; printf '\\033]0;title\\007end'";
    const result = await run(coloured, { executionId: "seen" });
    expect(result.truncated).toBe(true);
    const log = await shell.readLog("seen");
    expect(log).toMatchObject({ bytes: result.bytes, lines: 901 });
    expect(log?.text.split("\n").at(747)).toBe("\u001b[32mline\u001b[0m 748");
    expect(log?.text.endsWith("\nend")).toBe(true);
    expect(await shell.readLog("never")).toBeUndefined();
  });

  it("names what is missing in the middle of a log that is too long to be shown, and counts its lines all the same", async () => {
    const { shell, run } = openShellFixture();
    const { bytes, logPath } = await run("seq 1 200000", { executionId: "long" });
    const log = await shell.readLog("long");
    expect(log).toMatchObject({ bytes, lines: 200_000 });
    expect(log?.text.startsWith("1\n2\n")).toBe(true);
    expect(log?.text.endsWith("\n199999\n200000\n")).toBe(true);
    expect(log?.text).toMatch(/\n\[\d+ bytes omitted; full log: /);
    expect(log?.text).toContain(logPath);
  });
});
