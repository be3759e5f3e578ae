/** Where commands look for programs: the PATH the app was started with, until the login shell named a better one. */
import type { HostInfo } from "../../shared/contract/console.ts";
import type { LoginPath } from "./login-path.ts";

type CommandPath = HostInfo["commandPath"];

/** Until more is known. */
export function plainPath(env: NodeJS.ProcessEnv): CommandPath {
  return { source: "as-started", path: env.PATH ?? "", problem: null };
}

/**
 * Takes the login shell's PATH for this process once it is known, and with it for everything it starts. Resolves, and
 * never rejects, when commands may start.
 * @param asked absent where the app was started from a terminal, whose PATH is the person's own.
 */
export async function settleCommandPath(
  asked: Promise<LoginPath> | undefined,
  env: NodeJS.ProcessEnv,
  onKnown: (path: CommandPath) => void,
): Promise<void> {
  if (asked === undefined) return;
  const found: LoginPath = await asked.catch((error: unknown) => ({ problem: String(error) }));
  if ("path" in found) {
    env.PATH = found.path;
    onKnown({ source: "login-shell", path: found.path, problem: null });
  } else onKnown({ source: "as-started", path: env.PATH ?? "", problem: found.problem });
}
