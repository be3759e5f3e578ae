/** What commands and file changes of a folder are judged against: the same for the queue, for rules and for their preview. */
import { homedir } from "node:os";
import type { ShellKind } from "../../shared/command-shell.ts";
import { followLinks } from "../paths/follow-links.ts";
import { styleOfCommands } from "../paths/own-style.ts";
import type { PathStyle } from "../paths/path-style.ts";
import { lookAtDisk } from "../policy/disk.ts";
import { type CommandRule, type PolicyContext, toolsOf } from "../policy/policy-context.ts";

export type PolicyContextParts = {
  /** Paths as the system writes them. */
  workspace: string;
  dataDir: string;
  shell: ShellKind;
  trusted: boolean;
  rules: readonly CommandRule[];
  /** Default: this system. */
  platform?: NodeJS.Platform;
};

/** The app's records as they were named and where they really lie: a command may name them either way. */
const remembered = new Map<string, string[]>();

function ownPlaces(dataDir: string, paths: PathStyle): string[] {
  const known = remembered.get(dataDir);
  if (known !== undefined) return known;
  const named = paths.fromNative(dataDir);
  const followed = followLinks(named, paths, { workspace: named, home: "/" });
  const places = [...new Set([named, "real" in followed ? followed.real : named])];
  remembered.set(dataDir, places);
  return places;
}

/** The only maker of what the policy is asked with. Paths are in the style of what reads the commands. */
export function makePolicyContext(parts: PolicyContextParts): PolicyContext {
  const { dataDir, shell, trusted, rules, platform = process.platform } = parts;
  const paths = styleOfCommands(platform, shell);
  const workspace = paths.fromNative(parts.workspace);
  const home = paths.fromNative(homedir());
  return {
    workspace,
    cwd: workspace,
    home,
    trusted,
    rules,
    ...lookAtDisk(workspace, paths, home),
    protectedDirs: ownPlaces(dataDir, paths),
    shell,
    tools: toolsOf(platform),
  };
}
