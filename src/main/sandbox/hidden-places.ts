/** What of this machine a confined command must not see: credentials, what the person hides besides, and their whole home where they said so. */
import { join } from "node:path";
import type { Settings } from "../../shared/contract/console.ts";
import { type ConfinedWidth, readWidth } from "../../shared/width.ts";
import { isWithin } from "../paths/path-style.ts";
import { realOf } from "../paths/real-of.ts";
import { credentialsNamedBy, credentialsOf } from "./credentials.ts";
import { isThere } from "./repositories.ts";

export type Hidden = {
  /** Files and folders, beside the credentials of the home. */
  readonly paths: string[];
  /** All of the home but the workspace, the named folders and where programs are installed. */
  readonly home: boolean;
};

export const nothingMore: Hidden = { paths: [], home: false };

/** By the settings, which no folder changes. @param env the app's own, which says where credentials lie besides */
export const hiddenBy = (
  { hiddenPaths, hideHome }: Pick<Settings, "hiddenPaths" | "hideHome">,
  env: NodeJS.ProcessEnv,
): Hidden => ({ paths: [...hiddenPaths, ...credentialsNamedBy(env)], home: hideHome });

/** Where people install programs in their home, and what git needs to know who they are. */
const programs = [
  ...[".nvm", ".volta", ".fnm", ".asdf", ".pyenv", ".rbenv", ".sdkman", ".bun", ".deno", ".cargo", ".rustup"],
  ...[
    ".local/bin",
    ".local/lib",
    ".local/pipx",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pnpm",
  ],
  ...[".local/share/uv", ".local/share/pipx", ".npm-global", ".linuxbrew", ".nix-profile", "go", "bin"],
  ...[".gitconfig", ".config/git"],
];

/** Where nothing is, before the workspace is put up, which may lie in it. @param home its real path */
export function homeFences(home: string): string[][] {
  return [["--tmpfs", home], ...shown(home).map((path) => ["--ro-bind", path, path])];
}

const shown = (home: string) => programs.map((name) => join(home, name)).filter(isThere);

type Where = {
  readonly home: string;
  readonly workspace: string;
  readonly width: ConfinedWidth;
  readonly hidden?: Hidden | undefined;
};

/** The real path of the home where all of it is hidden; a workspace that holds it cannot be shown without it. */
export function wholeHome({ home, workspace, hidden }: Where): string | undefined {
  const real = realOf(home);
  return hidden?.home && real !== undefined && !isWithin(real, workspace) ? real : undefined;
}

/** Whether a place is to be seen unless it is hidden by itself. */
export function isSeen(path: string, where: Where): boolean {
  const home = wholeHome(where);
  if (home === undefined || !isWithin(path, home)) return true;
  const kept = [...shown(home), where.workspace, ...readWidth(where.width).folders];
  return kept.some((each) => isWithin(path, each));
}

/**
 * Real paths of what is there of credentials and of what the person hides besides. What holds the workspace cannot be hidden
 * without it, and devices are never the machine's.
 */
export function placesToHide({ home, workspace, hidden }: Omit<Where, "width">): string[] {
  const real = [...credentialsOf(home), ...(hidden?.paths ?? [])].flatMap((path) => realOf(path) ?? []);
  return [...new Set(real)].filter((path) => !isWithin(workspace, path) && !isWithin(path, "/dev"));
}

/** Real paths of what is hidden one by one. */
export const hiddenPlaces = (where: Where): string[] =>
  placesToHide(where).filter((path) => isSeen(path, where));

/** Those that lie in none of the others: in what is hidden nothing is there to be hidden, and nothing could be put. */
export const outermost = (paths: readonly string[]): string[] =>
  [...new Set(paths)].filter((path) => !paths.some((each) => each !== path && isWithin(path, each)));
