/** The desktop's door: the unpackaged app in the real Electron. */
import { once } from "node:events";
import { _electron } from "@playwright/test";
import { hostEnvironment, projectRoot, type RunningApp } from "./door.ts";

const startTimeoutMs = 30_000;

/** Starts the app and waits for its window. */
export async function startInElectron(args: string[], env: Record<string, string>): Promise<RunningApp> {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const app = await _electron.launch({
    executablePath: process.env.COUNTERSIGN_ELECTRON_PATH,
    args: [...sandbox, projectRoot, ...args],
    env: hostEnvironment(env),
    timeout: startTimeoutMs,
  });
  const child = app.process();
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  return {
    page: await app.firstWindow(),
    pid: child.pid ?? 0,
    stop: () => app.close(),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    log: () => log,
  };
}
