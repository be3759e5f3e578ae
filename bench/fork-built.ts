/** Starts processes of the app as they are built: run from source, each would also hold the compiler that strips its types. */
import { basename, join } from "node:path";
import { type ForkShellHost, forkWithNode } from "../src/main/shell/shell-host-process.ts";

/** `out/` has to be built. */
export const forkBuilt: ForkShellHost = (file, environment) =>
  forkWithNode(join(import.meta.dirname, "../out/main/chunks", `${basename(file, ".ts")}.js`), environment);
