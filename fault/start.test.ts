/** The commands a person types first, with nothing to help them: they stay up whatever becomes of the browser. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isLongRun } from "../src/main/base/testing/long-run.ts";
import { exchangeAddress } from "../src/main/serve/testing/exchange-address.ts";

const scripts = join(import.meta.dirname, "../scripts");
let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-start-"));
  await mkdir(join(folder, "bin"));
});
afterEach(async () => {
  child?.kill("SIGKILL");
  const opener = await readFile(join(folder, "opener.pid"), "utf8").catch(() => undefined);
  if (opener !== undefined) execFileSync("sh", ["-c", `kill ${opener.trim()} 2>&1 || true`]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Stands in for the system's program that opens a browser. */
async function installOpener(script: string): Promise<void> {
  const file = join(folder, "bin", "xdg-open");
  await writeFile(file, `#!/bin/sh\necho "$1" > "${folder}/opened"\n${script}\n`);
  await chmod(file, 0o755);
}

/** With no flag but a folder of its own for the data. */
function start(name: string) {
  const said = { out: "", err: "" };
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, BROWSER: _browser, ...env } = process.env;
  const started = spawn(
    process.execPath,
    [join(scripts, `${name}.mjs`), "--data-dir", join(folder, "data")],
    {
      env: { ...env, PATH: join(folder, "bin") },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  child = started;
  started.stdout.on("data", (chunk) => (said.out += chunk));
  started.stderr.on("data", (chunk) => (said.err += chunk));
  /** Waits until something is so; a program that ended meanwhile never will be, and tells why. */
  const until = <Found>(find: () => Found | Promise<Found>) =>
    vi.waitUntil(async () => {
      if (started.exitCode !== null) throw new Error(`It ended with code ${started.exitCode}:\n${said.err}`);
      return find();
    });
  const address = () => until(() => /http:\S+#code=\S+/.exec(said.out)?.[0]);
  return { said, process: started, until, address };
}

/** Whoever opens the printed address is let in, and the end is an orderly one. */
async function expectUp({ process, address }: ReturnType<typeof start>): Promise<void> {
  expect(await exchangeAddress(await address())).toMatch(/^[\w-]{43}$/);
  await expectEnd(process);
}

it("tells its launcher that all is closed before it ends, and ends well", async () => {
  const built = join(import.meta.dirname, "../out/main/serve.js");
  const args = [built, "--data-dir", join(folder, "data"), "--port", "0", "--no-open", "--json"];
  const host = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  child = host;
  await once(host.stdout!, "data");
  host.send({ type: "quit" });
  expect((await once(host, "message"))[0]).toEqual({ type: "closed" });
  expect(await once(host, "close")).toEqual([0, null]);
});

describe.skipIf(process.platform !== "linux").each(["serve", "start"])("npm run %s", (name) => {
  it("opens the browser with an address that works, and keeps the printed one out of every argument list", async () => {
    await installOpener(`echo $$ > "${folder}/opener.pid"; exec /bin/sleep 600 "$1"`);
    const started = start(name);
    const opened = await started.until(async () =>
      (await readFile(join(folder, "opened"), "utf8").catch(() => "")).trim(),
    );
    const argumentLists = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(argumentLists).not.toContain(new URL(await started.address()).hash);
    const token = await exchangeAddress(opened);
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(token);
    await expect(exchangeAddress(opened)).rejects.toThrow("401");
    await expectUp(started);
  });

  const failures: [how: string, script: string | undefined, sentence: RegExp][] = [
    ["fails", "exit 4", /could not be opened \(xdg-open ended with code 4\)\. Open the address above/],
    ["is missing", undefined, /could not be opened \(xdg-open is not installed\)\. Open the address above/],
  ];
  // Both commands go the same way from here, so the short run tries each failure with one of them.
  it.each(failures.filter((_, at) => isLongRun || at === (name === "serve" ? 0 : 1)))(
    "says so and goes on where the program that opens browsers %s",
    async (_how, script, sentence) => {
      if (script !== undefined) await installOpener(script);
      const started = start(name);
      await started.until(() => sentence.test(started.said.err));
      await expectUp(started);
    },
  );

  it("goes on when nobody reads what it says any more", async () => {
    const started = start(name);
    const address = await started.address();
    started.process.stdout.destroy();
    started.process.stdin.write("\n\n");
    expect(await exchangeAddress(address)).toMatch(/^[\w-]{43}$/);
    await expectEnd(started.process);
  });
});

async function expectEnd(process: ChildProcess): Promise<void> {
  const ended = once(process, "exit");
  process.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}
