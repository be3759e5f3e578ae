/** Starts the host's processes as utility processes, since a packaged app does not run as plain Node. */
import { parse } from "node:path";
import { type UtilityProcess, utilityProcess } from "electron";
import { hearComplaint } from "../base/process-complaint.ts";
import type { HostOptions } from "../host/host.ts";

/** Given to the host, which knows no Electron. The process gets exactly the environment that is passed in. */
export const forkShellHost: NonNullable<HostOptions["forkShellHost"]> = (file, environment) => {
  const child = utilityProcess.fork(file, [], {
    env: environment,
    // As Electron's own measurements name it: shell host, database probe.
    serviceName: `Countersign ${parse(file)
      .name.replace(/-entry$/, "")
      .replaceAll("-", " ")}`,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const complaint = hearComplaint(child.stderr);
  let isGone = false;
  child.on("exit", () => {
    isGone = true;
  });
  return {
    // Posting to one that is gone can take the main process down with it.
    send: (message) => isGone || child.postMessage(message),
    onMessage: (listener) => void child.on("message", listener),
    onExit: (listener) => void child.once("exit", (code) => listener(complaint(`exit code ${code}`))),
    kill: () => killOutright(child),
    // The window and the tray decide how long the app lives.
    hold: () => {},
  };
};

/** Electron's own `kill` asks with SIGTERM, which the shell host leaves to us; before it has spawned there is no other. */
function killOutright(child: UtilityProcess): void {
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(child.pid, "SIGKILL");
    } catch {
      // It has ended by itself, and the news of that is on its way.
    }
  };
  if (child.pid === undefined) child.once("spawn", kill);
  else kill();
}
