/** What a command is judged against: where it would run, who trusts the folder and which rules exist. */

import type { ShellKind } from "../../shared/command-shell.ts";
import type { PathStyle } from "../paths/path-style.ts";
import type { FileKind } from "./file-kind.ts";

/** Turns an absolute path into the real one behind its symbolic links (longest existing prefix plus remainder). */
export type ResolvePath = (path: string) => { real: string } | "unresolvable";

/** What a search would come by below a folder. */
export type SecretSearch = {
  /** Also names that begin with a dot. */
  hidden: boolean;
  /** How many folders deep, the first one being 1; all of them when absent. */
  depth?: number;
  /** Only files that pass, by their name. */
  reads?: (name: string) => boolean;
  /** Links are read as what they lead to, so that each counts as a secret. */
  follows?: boolean;
  /** Only folders that pass, by their name. */
  enters?: (name: string) => boolean;
};

/** A token-prefix rule: it matches a unit whose words begin with `tokens`, or are `tokens` when it is `exact`. */
export type CommandRule = {
  id: string;
  tokens: string[];
  exact?: boolean;
  /** It allows only what is written just so: no folder before the name, nothing around it, in no script or loop. */
  asWritten?: boolean;
  /** The last word is the beginning of a word. Only on a rule that asks or denies. */
  partial?: boolean;
  effect: "allow" | "ask" | "deny";
  scope: "thread" | "workspace" | "user";
  text: string;
};

/** One name in a folder; a link is not looked behind. */
export type DiskEntry = { name: string; kind: "folder" | "link" | "other" };

/** What may be seen of the disk, at absolute real paths. A list is undefined when it is too long or may not be read. */
export type DiskLook = {
  isThere(path: string): boolean;
  entriesIn(path: string): readonly DiskEntry[] | undefined;
  namesIn(path: string): readonly string[] | undefined;
  namesBelow(path: string): readonly string[] | undefined;
  /** What a file is by its bytes; `unknown` once too many were looked into. */
  kindOf(path: string): FileKind | "unknown" | undefined;
};

/** What a reading of git is about. */
export type TrackedReading = {
  /** Only what the disk holds otherwise than git's list, and no version. */
  changedOnDisk: boolean;
  /** Words that may name versions; without one it is what is checked out. */
  versions: readonly string[];
  /** How many versions before each of these are printed too. */
  back: number;
  /** Versions that no word names: of all branches, and what was checked out before. */
  everywhere: boolean;
};

/** What git's settings name. */
export type GitPrograms = {
  /** A program that merges files of some names. */
  merging: boolean;
  /** A program that shows differences, or makes text of files for that. */
  showing: boolean;
  /** The same for the files of a submodule, in which git starts itself without the options that it was given. */
  showingBelow: boolean;
  /** A program that is given files before they are compared, here or in a submodule. */
  filtering: boolean;
  /** A server from which git gets files only when it needs them. */
  fetching: boolean;
  /** A format of commits or an order of branches for which another program checks signatures. */
  checking: boolean;
  /** Files outside of the workspace's repository: its settings, or a link in its own folder, lead git there. */
  elsewhere: boolean;
};

/** What holds where nobody could look. */
export const everyGitProgram: GitPrograms = {
  merging: true,
  showing: true,
  showingBelow: true,
  filtering: true,
  fetching: true,
  checking: true,
  elsewhere: true,
};

/** What holds where the settings name nothing. */
export const noGitProgram: GitPrograms = {
  merging: false,
  showing: false,
  showingBelow: false,
  filtering: false,
  fetching: false,
  checking: false,
  elsewhere: false,
};

/** Whose tools run: GNU's find options anywhere among their words, those of macOS and the BSDs only in front. */
export type Tools = "gnu" | "bsd";

/** Everything the policy may know. All paths are absolute and real, in the form of `PathStyle`; nothing else is read. */
export type PolicyContext = {
  /** How words of a command, or of a request for a file, are read as paths. */
  paths: PathStyle;
  workspace: string;
  cwd: string;
  home: string;
  trusted: boolean;
  rules: readonly CommandRule[];
  resolvePath?: ResolvePath;
  /** Whether git holds what stands at an absolute path just as it is, or nothing stands there; false when unknown. */
  isKept?: (path: string) => boolean;
  /** Names of secret files that a reading of the workspace's repository may print, relative to it; `unknown` when nobody can say. */
  trackedSecrets?: (asked: TrackedReading) => readonly string[] | "unknown";
  /** What a file is that git holds, by a version (empty: what is staged) and its path in the workspace's repository. */
  gitKind?: (version: string, path: string) => FileKind | "unknown" | undefined;
  /** What git's settings name in the workspace; without it all of it. */
  gitPrograms?: () => GitPrograms;
  /** A file of a secret name at or below an absolute real path, `unknown` when not everything could be looked at. */
  findSecretBelow?: (path: string, options: SecretSearch) => string | "unknown" | undefined;
  /** Without it nothing is unasked that depends on what is there. */
  look?: DiskLook;
  protectedDirs: readonly string[];
  /** Whose language the command is written in. */
  shell: ShellKind;
  tools: Tools;
};

/** A command's surroundings, and the folders that it may work in by the time it comes to a place. */
export type Scene = { context: PolicyContext; cwds: readonly string[] };

/** Whose tools a system comes with. */
export function toolsOf(system: NodeJS.Platform): Tools {
  return system === "linux" || system === "win32" || system === "android" ? "gnu" : "bsd";
}
