/** The browser's door: the built host as a process of its own, and its page in Chromium. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Page } from "@playwright/test";
import { hangGuardMs } from "../../src/shared/testing/hang-guard.ts";
import { hostEnvironment, projectRoot, type RunningApp } from "./door.ts";

/** Starts the host and opens its address in the given page. @throws with the host's own words when it does not start. */
export async function startInBrowser(
  page: Page,
  args: string[],
  env: Record<string, string>,
): Promise<RunningApp> {
  const host = spawn(
    process.execPath,
    [join(projectRoot, "out/main/serve.js"), ...args, "--port", "0", "--no-open", "--json"],
    // The channel closes when this worker dies, and the host with it.
    { env: hostEnvironment(env), stdio: ["ignore", "pipe", "pipe", "ipc"] },
  );
  let log = "";
  host.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const url = await readUrl(host, () => log);
  // From another document, so that an address that differs in its fragment alone is loaded anew.
  await page.goto("about:blank");
  await page.goto(url);
  return {
    page,
    pid: host.pid ?? 0,
    stop: () => end(host, "SIGTERM"),
    kill: () => end(host, "SIGKILL"),
    log: () => log,
  };
}

async function readUrl(host: ChildProcess, log: () => string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (what: string) => reject(new Error(`The host ${what}. It said:\n${log()}`));
  const timer = setTimeout(() => {
    host.kill("SIGKILL");
    fail(`was not ready after ${hangGuardMs} ms`);
  }, hangGuardMs);
  host.once("close", (code) => fail(`ended with code ${code} before it was ready`));
  if (host.stdout !== null)
    createInterface({ input: host.stdout }).once("line", (line) => {
      const { url } = JSON.parse(line) as { url: string };
      resolve(url);
    });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

async function end(host: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return;
  const gone = once(host, "exit");
  host.kill(signal);
  const timer = setTimeout(() => host.kill("SIGKILL"), hangGuardMs);
  await gone;
  clearTimeout(timer);
}
