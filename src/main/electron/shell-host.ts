/** Starts the host's processes as utility processes, since a packaged app does not run as plain Node. */
import { parse } from "node:path";
import { utilityProcess } from "electron";
import type { HostOptions } from "../host/host.ts";

/** Given to the host, which knows no Electron. The process gets exactly the environment that is passed in. */
export const forkShellHost: NonNullable<HostOptions["forkShellHost"]> = (file, environment) => {
  const child = utilityProcess.fork(file, [], {
    env: environment,
    // As the system's list of processes shows it: shell host, database probe.
    serviceName: `Countersign ${parse(file)
      .name.replace(/-entry$/, "")
      .replaceAll("-", " ")}`,
    stdio: "ignore",
  });
  let isGone = false;
  child.on("exit", () => {
    isGone = true;
  });
  return {
    // Posting to one that is gone can take the main process down with it.
    send: (message) => isGone || child.postMessage(message),
    onMessage: (listener) => void child.on("message", listener),
    onExit: (listener) => void child.once("exit", (code) => listener(`exit code ${code}`)),
    kill: () => void (child.pid === undefined ? child.kill() : process.kill(child.pid, "SIGKILL")),
    // The window and the tray decide how long the app lives.
    hold: () => {},
  };
};
