/** What the person asked for when they started the app, and when they started it again while it runs. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { app } from "electron";
import { defaultDataDir } from "../base/data-dir.ts";

export type CommandLine = { dataDir: string; workspace: string | undefined };

/** Both as absolute paths. Arguments meant for Chromium are left alone. */
export function readCommandLine(
  { argv, env, platform }: Pick<NodeJS.Process, "argv" | "env" | "platform">,
  home: string,
): CommandLine {
  const { values } = parseArgs({
    args: argv.slice(1),
    strict: false,
    options: { "data-dir": { type: "string" }, workspace: { type: "string" } },
  });
  const pathOf = (value: unknown) => (typeof value === "string" && value !== "" ? resolve(value) : undefined);
  return {
    dataDir: pathOf(values["data-dir"]) ?? defaultDataDir(platform, env, home),
    workspace: pathOf(values.workspace),
  };
}

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
