/** Errors that nobody caught end up in the host's log and are said once; without this Electron shows each in a dialog of its own. */
import { app, dialog } from "electron";

/** Chromium's code for a load that another one took the place of. */
const aborted = -3;

/** @param log writes an error down and returns the id it stands under. */
export function catchStrayErrors(
  process: Pick<NodeJS.EventEmitter, "on">,
  log: (error: unknown) => string,
): void {
  let isSaid = false;
  const hear = (error: unknown) => {
    const id = log(error);
    console.error(`Something in Countersign failed (log ${id}):`, error);
    if (isSaid) return;
    isSaid = true;
    void dialog.showMessageBox({
      type: "warning",
      message: "Something in Countersign failed",
      detail: `Threads and approvals are safe on disk, and Countersign goes on. If it does not behave, start it again. What happened is in its log under ${id}.`,
      buttons: ["OK"],
    });
  };
  process.on("uncaughtException", hear);
  process.on("unhandledRejection", hear);
  app.on("child-process-gone", (_event, { type, reason, exitCode }) => {
    if (reason !== "clean-exit") log(nameError(`${type} process ${reason}, code ${exitCode}`));
  });
  app.on("web-contents-created", (_event, contents) => {
    contents.on("did-fail-load", (_failed, code, description) => {
      if (code !== aborted) log(nameError(`page ${description} ${code}`));
    });
  });
}

/** The log keeps names of errors and no messages. */
function nameError(name: string): Error {
  return Object.assign(new Error(name), { name });
}
