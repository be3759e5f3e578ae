/** What happens when the app is started while it runs: its window comes to the front, with the workspace that was asked for. */
import { app } from "electron";

type Receiver = {
  comeBack: () => void;
  /** Gets what the other process named, which is checked like any path. */
  offerWorkspace: (path: string) => void;
};

/** Listens from now on; the returned function says who is told, also of what was asked for before there was a window. */
export function hearSecondStarts(): (receiver: Receiver) => void {
  let receiver: Receiver | undefined;
  let early: string | undefined;
  app.on("second-instance", (_event, _argv, _folder, data: unknown) => {
    receiver?.comeBack();
    const workspace = readWorkspace(data);
    if (workspace === undefined) return;
    if (receiver) receiver.offerWorkspace(workspace);
    else early = workspace;
  });
  app.on("activate", () => receiver?.comeBack());
  return (found) => {
    receiver = found;
    if (early !== undefined) found.offerWorkspace(early);
  };
}

/** Not from the arguments: Chromium reorders them, and so parts a value from its name. */
function readWorkspace(data: unknown): string | undefined {
  const isNamed = typeof data === "object" && data !== null && "workspace" in data;
  return isNamed && typeof data.workspace === "string" ? data.workspace : undefined;
}
