/** How a governed agent's own program is run so that it writes nothing but its own files and does not see the app's records. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { agentFencesOf } from "../../sandbox/agent-confinement.ts";
import { checkMounts, writablePlaces } from "../../sandbox/confinement.ts";
import type { Hidden } from "../../sandbox/hidden-places.ts";
import { seccompProgram } from "../../sandbox/seccomp-program.ts";
import type { AgentProgram } from "./agent-process.ts";
import { doorFolder } from "./door-files.ts";
import type { GovernedAgent } from "./governed-agent.ts";

export type ConfinedParts = {
  /** Bubblewrap, which was probed. */
  sandbox: string;
  dataDir: string;
  hidden: Hidden;
  environment: Readonly<Record<string, string>>;
  governed: Pick<GovernedAgent, "governing" | "doorFiles">;
};

const bash = ["/bin/bash", "--noprofile", "--norc", "-c"] as const;

/**
 * What it keeps of its own is made where it is not there yet, since nothing can be made beside it later.
 * @throws Error that says why it cannot be confined
 */
export function confineProgram(
  { command, args, cwd }: AgentProgram,
  { sandbox, dataDir, hidden, environment, governed }: ConfinedParts,
): AgentProgram {
  const { ownPlaces } = governed.governing;
  // It opens the socket of our tools and, as any program on Node does, those between itself and what it starts.
  const filter = seccompProgram(process.arch, { sockets: true });
  if (filter === undefined) throw new Error(`its filter is not known for ${process.arch}`);
  const home = realpathSync(environment.HOME ?? homedir());
  const own = ownPlaces({ ...environment, HOME: home }).map(made);
  const workspace = realpathSync(cwd);
  const fences = agentFencesOf({ workspace, home, dataDir, hidden, own, shown: governed.doorFiles });
  const writable = writablePlaces(fences);
  const filterFile = join(doorFolder(dataDir), "filter");
  writeFileSync(filterFile, filter, { mode: 0o600 });
  const [shell, ...words] = bash;
  // What the check says is no message of the protocol.
  const inside = `{ ${checkMounts}\n} >&2; exec "$@"`;
  return {
    command: shell,
    args: [
      ...[...words, 'exec "$@" 9<"$0"', filterFile, sandbox, ...fences.flat(), "--setenv", "TMPDIR", "/tmp"],
      ...["--seccomp", "9", "--", ...bash, inside, "inside", String(writable.length), ...writable],
      ...[command, ...args],
    ],
    cwd,
  };
}

/** A name with an ending behind its first letter is that of a file, which is made with nothing in it that says anything. */
function made(path: string): string {
  if (!basename(path).slice(1).includes(".")) mkdirSync(path, { recursive: true, mode: 0o700 });
  else {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, "{}", { flag: "wx", mode: 0o600 });
  }
  return realpathSync(path);
}
