/** Finds the program that runs command lines: bash without start-up files, so that every machine behaves the same. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { CommandShell } from "../../shared/command-shell.ts";
import { inheritedEnvironment } from "./environment.ts";

type Exists = (file: string) => boolean;

const answerWithinMs = 10_000;

const bash = (file: string): CommandShell => ({ kind: "bash", file, name: "bash", closesDescriptors: true });

const powerShell = (file: string, name: string): CommandShell => ({
  kind: "powershell",
  file,
  name,
  closesDescriptors: false,
});

/** No bash anywhere (a minimal container): the standard shell, which cannot close descriptors above 9. */
const standardShell: CommandShell = { kind: "bash", file: "/bin/sh", name: "sh", closesDescriptors: false };

/** A relative folder would be looked for where the app was started, which may be a project of somebody else. */
function onPath(
  path: string | undefined,
  name: string,
  { delimiter, isAbsolute, join }: typeof posix,
): string[] {
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name));
}

function findOnWindows(environment: NodeJS.ProcessEnv, exists: Exists): CommandShell {
  const { join } = win32;
  const roots = [environment.ProgramFiles, environment["ProgramFiles(x86)"], environment.LOCALAPPDATA];
  const gitBash = roots
    .filter((root) => root !== undefined)
    .flatMap((root) => [
      join(root, "Git", "bin", "bash.exe"),
      join(root, "Programs", "Git", "bin", "bash.exe"),
    ])
    .find(exists);
  if (gitBash !== undefined) return bash(gitBash);
  const newer = onPath(environment.PATH ?? environment.Path, "pwsh.exe", win32).find(exists);
  if (newer !== undefined) return powerShell(newer, "PowerShell");
  // By its full path: of a bare name a file in the current folder would come first.
  const root = environment.SystemRoot ?? environment.windir ?? "C:\\Windows";
  const file = join(root, "System32", "WindowsPowerShell", "v1.0", "powershell.exe");
  return powerShell(file, "Windows PowerShell");
}

/** Looks once, at start-up. Never fails: each platform has a last resort. */
export function findCommandShell(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  exists: Exists = existsSync,
): CommandShell {
  if (platform === "win32") return findOnWindows(environment, exists);
  const known = [
    "/bin/bash",
    "/usr/bin/bash",
    "/usr/local/bin/bash",
    ...onPath(environment.PATH, "bash", posix),
  ];
  const file = known.find(exists);
  return file === undefined ? standardShell : bash(file);
}

/** Words that make the program print its version alone. */
const versionWords = {
  bash: ["--noprofile", "--norc", "-c", 'echo "$BASH_VERSION"'],
  powershell: [
    ...["-NoLogo", "-NoProfile", "-NonInteractive"],
    ...["-Command", "$PSVersionTable.PSVersion.ToString()"],
  ],
};

/** Asks the program for its version. Never rejects: one that does not say keeps its name alone. */
export async function askVersion(shell: CommandShell): Promise<CommandShell> {
  if (shell.name === "sh") return shell;
  const { promise, resolve } = Promise.withResolvers<string>();
  const env = inheritedEnvironment({ source: process.env, allow: [] });
  const how = { env, timeout: answerWithinMs, windowsHide: true };
  execFile(shell.file, versionWords[shell.kind], how, (_error, output) => resolve(output));
  const version = /^\d+\.\d+/.exec((await promise).trim())?.[0];
  return version === undefined ? shell : { ...shell, version };
}
