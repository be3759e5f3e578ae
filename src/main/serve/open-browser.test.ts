/** Which program opens an address, and that none of them can do more harm than not opening it. */
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openBrowser, openersFor } from "./open-browser.ts";

const address = "http://127.0.0.1:1/#code=x";
const programs = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, isWsl = false) =>
  openersFor(address, { platform, env, isWsl }).map(({ program, args }) => [program, ...args].join(" "));

it("is the system's own way of opening an address", () => {
  expect(programs("darwin")).toEqual([`open ${address}`]);
  expect(programs("win32", { SystemRoot: "D:\\Windows" })[0]).toMatch(
    /^D:.*rundll32\.exe url\.dll,FileProtocolHandler http/,
  );
  expect(programs("linux")).toEqual([`xdg-open ${address}`, `gio open ${address}`]);
  expect(programs("linux", {}, true)[0]).toBe(`wslview ${address}`);
});

it("is what $BROWSER names before all else on Linux, with its arguments and the place for the address", () => {
  const env = { BROWSER: "one --new-window:two --at=%s --x" };
  expect(programs("linux", env).slice(0, 2)).toEqual([
    `one --new-window ${address}`,
    `two --at=${address} --x`,
  ]);
});

describe.skipIf(process.platform === "win32")("with real programs", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "opener-"));
  });
  afterEach(async () => {
    vi.useRealTimers();
    await rm(folder, { recursive: true });
  });

  async function install(name: string, script: string): Promise<void> {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  const machine = (path = [folder, "/bin", "/usr/bin"].join(delimiter)) => ({
    platform: "linux" as const,
    isWsl: false,
    env: { PATH: path },
  });

  it("hands the address over as one argument", async () => {
    await install("xdg-open", `printf '%s\\n' "$@" > "${folder}/got"`);
    expect(await openBrowser(address, machine())).toBeUndefined();
    expect(await readFile(join(folder, "got"), "utf8")).toBe(`${address}\n`);
  });

  it("tries the next one when one fails, and tells what the failed one said", async () => {
    await install("xdg-open", "exit 3");
    expect(await openBrowser(address, machine(folder))).toBe("xdg-open ended with code 3");
    await install("gio", `exit 0`);
    expect(await openBrowser(address, machine(folder))).toBeUndefined();
  });

  it("says that the program is missing where there is none", async () => {
    expect(await openBrowser(address, machine(folder))).toBe("xdg-open is not installed");
  });

  it("says why a program that is there cannot be started", async () => {
    await writeFile(join(folder, "xdg-open"), "no program");
    expect(await openBrowser(address, machine(folder))).toMatch(/^xdg-open: .*EACCES/);
  });

  it("takes a program that goes on running for the browser itself, and leaves it alone", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { spawn } = await import("node:child_process");
    await install(
      "xdg-open",
      `echo $$ > "${folder}/pid.new"; mv "${folder}/pid.new" "${folder}/pid"; exec sleep 60`,
    );
    const opened = openBrowser(address, machine());
    await vi.waitUntil(async () => (await readFile(join(folder, "pid"), "utf8").catch(() => "")) !== "");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await opened).toBeUndefined();
    const pid = await readFile(join(folder, "pid"), "utf8");
    const kill = spawn("kill", [pid.trim()]);
    expect((await once(kill, "exit"))[0]).toBe(0);
  });
});
