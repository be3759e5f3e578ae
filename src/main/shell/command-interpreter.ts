/** Finds the program that runs a command line: bash without start-up files, so that every machine behaves the same. */

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface CommandInterpreter {
  file: string;
  /** The arguments that make `file` run `command`. */
  argumentsFor(command: string): string[];
  /** Whether it understands `exec N>&-`, with which a command drops descriptors it should not have. */
  closesDescriptors: boolean;
}

const bash = (file: string): CommandInterpreter => ({
  file,
  argumentsFor: (command) => ["--noprofile", "--norc", "-c", command],
  closesDescriptors: true,
});

const powerShell = (file: string): CommandInterpreter => ({
  file,
  argumentsFor: (command) => ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", command],
  closesDescriptors: false,
});

/** No bash anywhere (a minimal container): the standard shell, which cannot close descriptors above 9. */
const standardShell: CommandInterpreter = {
  file: "/bin/sh",
  argumentsFor: (command) => ["-c", command],
  closesDescriptors: false,
};

function findOnPath(path: string | undefined, name: string): string[] {
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name));
}

function findOnWindows(environment: NodeJS.ProcessEnv): CommandInterpreter {
  const roots = [environment.ProgramFiles, environment["ProgramFiles(x86)"], environment.LOCALAPPDATA];
  const gitBash = roots
    .filter((root) => root !== undefined)
    .flatMap((root) => [
      join(root, "Git", "bin", "bash.exe"),
      join(root, "Programs", "Git", "bin", "bash.exe"),
    ])
    .find((file) => existsSync(file));
  if (gitBash !== undefined) return bash(gitBash);
  const newer = findOnPath(environment.PATH ?? environment.Path, "pwsh.exe").find((file) => existsSync(file));
  return powerShell(newer ?? "powershell.exe");
}

/** Looks once, at start-up. Never fails: each platform has a last resort. */
export function findCommandInterpreter(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): CommandInterpreter {
  if (platform === "win32") return findOnWindows(environment);
  const known = [
    "/bin/bash",
    "/usr/bin/bash",
    "/usr/local/bin/bash",
    ...findOnPath(environment.PATH, "bash"),
  ];
  const file = known.find((candidate) => existsSync(candidate));
  return file === undefined ? standardShell : bash(file);
}
