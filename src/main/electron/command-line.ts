/** What the person asked for when they started the app. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
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
