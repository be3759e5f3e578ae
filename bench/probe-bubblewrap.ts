/** The bubblewrap that is measured: the first that PATH names, so that one can be measured that is not installed. */
import { delimiter, join } from "node:path";
import { findSandbox } from "../src/main/sandbox/find-sandbox.ts";
import { type Probe, probeSandbox } from "../src/main/sandbox/probe.ts";

/** @returns what is known of it once it was attacked, as before commands are confined by it; it has to belong to root */
export function probeBubblewrap(): Promise<Probe> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  return probeSandbox(
    findSandbox(
      process.platform,
      folders.map((folder) => join(folder, "bwrap")),
    ),
  );
}
