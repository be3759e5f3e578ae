/** Starts the process that runs commands as a utility process, since a packaged app does not run as plain Node. */
import { utilityProcess } from "electron";
import type { HostOptions } from "../host/host.ts";

/** Given to the host, which knows no Electron. The process gets exactly the environment that is passed in. */
export const forkShellHost: NonNullable<HostOptions["forkShellHost"]> = (file, environment) => {
  const child = utilityProcess.fork(file, [], {
    env: environment,
    serviceName: "Countersign shell host",
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
