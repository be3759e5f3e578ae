/** The desktop's door: the unpackaged app in the real Electron. */
import { once } from "node:events";
import { _electron } from "@playwright/test";
import { hangGuardMs } from "../../src/shared/testing/hang-guard.ts";
import { hostEnvironment, projectRoot, type RunningApp } from "./door.ts";

/** Starts the app and waits for its window. Chromium refuses its sandbox to root; everybody else has it on, as people do. */
export async function startInElectron(args: string[], env: Record<string, string>): Promise<RunningApp> {
  const isRoot = process.getuid?.() === 0;
  const app = await _electron.launch({
    executablePath: process.env.COUNTERSIGN_ELECTRON_PATH,
    args: [projectRoot, ...args],
    chromiumSandbox: !isRoot,
    env: hostEnvironment(env),
    timeout: hangGuardMs,
  });
  const child = app.process();
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  // On Windows the child is a shell around the app, and killing that would leave the app alone.
  const pid = await app.evaluate(() => process.pid);
  return {
    page: await app.firstWindow(),
    pid,
    stop: () => app.close(),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      process.kill(pid, "SIGKILL");
      await gone;
    },
    log: () => log,
  };
}
