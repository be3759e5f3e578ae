/** The host that serves the page to a browser: how its process is started, by every command that starts it. */
import { join } from "node:path";
import { root } from "./project.mjs";
import { become, node24Path } from "./run.mjs";

/**
 * V8 would let the young generation of each of its threads grow to 64 MB, which this host fills with nothing: what it
 * keeps is small and the rest is soon gone. For the same reason the old one is collected when it has grown by a third, and
 * not when it is four times what was left of it. Neither takes more of the processor (bench/README.md, memory). What V8 notes
 * of each function for its compiler, from the eighth call on, it notes from the sixteenth: for what is called less often
 * they are memory alone. From the fiftieth would hold another megabyte less, and take a tenth longer in each step.
 */
const smallMemory = [
  "--max-semi-space-size=2",
  "--heap-growing-percent=30",
  "--invocation-count-for-feedback-allocation=16",
];

/**
 * The system's allocator keeps a store for each thread that asked it for memory, a dozen here, and what one of them frees
 * serves no other. One store for all holds eight megabytes less. Commands do not see the variable (environment.ts).
 */
export const hostEnvironment = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "1" };

/** The arguments of Node for a host with these arguments of its own. */
export function hostArguments(args) {
  return [...smallMemory, join(root, "out", "main", "serve.js"), ...args];
}

/** Becomes the host and resolves to its exit code. */
export async function serveHost(args) {
  const { code } = await become(node24Path(), hostArguments(args), { channel: true, env: hostEnvironment });
  return code;
}
