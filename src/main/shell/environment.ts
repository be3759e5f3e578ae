/** Decides what a command may see of the host's environment: an allow-list, so that a new secret is hidden by default. */

import { delimiter } from "node:path";
import { wholeFolders } from "./find-program.ts";
import { ShellError } from "./shell-error.ts";

/** The variable that marks every process of an execution, so that orphans can be found after a crash. */
export const executionMarker = "COUNTERSIGN_EXECUTION";

/** Exact names, or a prefix followed by `*`. */
const allowedNames = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP"],
  ...["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"],
  ...["JAVA_HOME", "GOPATH", "GOROOT", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "PNPM_HOME", "VOLTA_HOME"],
  ...["PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "ANDROID_HOME", "HOMEBREW_PREFIX", "COREPACK_HOME"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"],
  ...[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
  ],
];

/** What programs on Windows cannot do without; nothing of it is a person's own. */
const allowedOnWindows = [
  ...["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE"],
  ...["HOMEDRIVE", "HOMEPATH", "USERNAME", "USERDOMAIN", "COMPUTERNAME", "PUBLIC", "ALLUSERSPROFILE"],
  ...["ProgramData", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "PSModulePath"],
  ...["CommonProgramFiles", "CommonProgramFiles(x86)", "CommonProgramW6432", "OS", "NUMBER_OF_PROCESSORS"],
  ...["PROCESSOR_ARCHITECTURE", "PROCESSOR_ARCHITEW6432", "PROCESSOR_IDENTIFIER"],
];

/** Variables that make an unrelated program load or run code; refused even when asked for by name. */
const runsCode =
  /^(LD_.*|DYLD_.*|GLIBC_TUNABLES|NODE_OPTIONS|NODE_REPL_.*|ELECTRON_.*|BASH_ENV|ENV|BASHOPTS|SHELLOPTS|BASH_FUNC_.*|PROMPT_COMMAND|PS[0-4]|IFS|ZDOTDIR|PYTHONSTARTUP|PYTHONINSPECT|PERL5OPT|PERL5DB|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_SSH(_COMMAND)?|GIT_ASKPASS|SSH_ASKPASS|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_CONFIG.*|GIT_SEQUENCE_EDITOR)$/i;

/** Names that hold secrets; a prefix of the allow-list never matches them, only the exact name does. */
const secret = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|AUTH)$|_(KEY|TOKEN|SECRET)_/i;

/** A proxy address with a user and password in it is a secret too. */
const addressWithUser = /^[a-z+]*:?\/*[^/\s]*@/i;

/** A repository's own configuration must not turn a reading command such as `git status` into one that runs a program. */
const noProgramsOfGit = {
  GIT_OPTIONAL_LOCKS: "0",
  // No version stands in the place of another one: what is printed was looked up.
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_CONFIG_COUNT: "5",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "protocol.ext.allow",
  GIT_CONFIG_VALUE_1: "never",
  // Plain files that look like a repository are not taken for one where no `.git` is.
  GIT_CONFIG_KEY_2: "safe.bareRepository",
  GIT_CONFIG_VALUE_2: "explicit",
  // Another program checks signatures, and keeps notes of its own.
  GIT_CONFIG_KEY_3: "log.showSignature",
  GIT_CONFIG_VALUE_3: "false",
  // Reading differences writes nothing, and takes no lock that a person's own git would meet.
  GIT_CONFIG_KEY_4: "diff.autoRefreshIndex",
  GIT_CONFIG_VALUE_4: "false",
};

/**
 * What makes programs behave without a person at the keyboard. TERM is a real one because the person watches the
 * output in a terminal; CI=1 turns watch modes and spinners off; pagers and editors end at once instead of waiting.
 */
const fixed: Readonly<Record<string, string>> = {
  TERM: "xterm-256color",
  CI: "1",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  LESS: "-FRX",
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  ...noProgramsOfGit,
};

type InheritanceOptions = {
  /** The host's own environment. */
  source: Readonly<Record<string, string | undefined>>;
  /** Names (or prefixes ending in `*`) that the person allows besides the built-in list. */
  allow: readonly string[];
  /** On Windows `Path` and `PATH` are one variable. Default: this system. */
  platform?: NodeJS.Platform;
};

type EnvironmentOptions = {
  /** What `inheritedEnvironment` left of the host's own; the same for every command. */
  inherited: Readonly<Record<string, string>>;
  /** Variables set on purpose for this command; they win over everything but the marker. */
  extra: Readonly<Record<string, string>>;
  executionId: string;
  platform?: NodeJS.Platform;
};

/** Two spellings with one key are one variable to the system. */
function keyOf(name: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? name.toUpperCase() : name;
}

function matches(pattern: string, name: string, platform: NodeJS.Platform): boolean {
  const [wanted, given] = [keyOf(pattern, platform), keyOf(name, platform)];
  if (!wanted.endsWith("*")) return wanted === given;
  return given.startsWith(wanted.slice(0, -1)) && !secret.test(name);
}

/** The spelling under which a variable is passed on; undefined for one that is not. */
function spellingOf(
  name: string,
  value: string,
  allow: readonly string[],
  platform: NodeJS.Platform,
): string | undefined {
  if (runsCode.test(name)) return undefined;
  const isNamed = allow.some((pattern) => keyOf(pattern, platform) === keyOf(name, platform));
  if (!isNamed && /_proxy$/i.test(name) && addressWithUser.test(value)) return undefined;
  const allowed = platform === "win32" ? [...allowedNames, ...allowedOnWindows] : allowedNames;
  const pattern = [...allowed, ...allow].find((each) => matches(each, name, platform));
  if (pattern === undefined) return undefined;
  return pattern.endsWith("*") ? name : pattern;
}

/** Later layers win, also over another spelling where the system knows only one variable. */
function layer(platform: NodeJS.Platform, ...layers: Readonly<Record<string, string>>[]) {
  const spelled = new Map<string, [name: string, value: string]>();
  for (const [name, value] of layers.flatMap((each) => Object.entries(each)))
    spelled.set(keyOf(name, platform), [name, value]);
  return Object.fromEntries(spelled.values());
}

/** @throws ShellError `invalid-command` for a variable that may not be set, naming it. */
export function assertHarmless(extra: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(extra)) {
    if (runsCode.test(name)) {
      throw new ShellError(
        "invalid-command",
        `env.${name}`,
        `The variable ${name} can make other programs run code, so it cannot be set. Remove it.`,
      );
    }
    if (!/^[^=\0]+$/.test(name) || value.includes("\0")) {
      throw new ShellError(
        "invalid-command",
        "env",
        "A variable's name or value has a character that no environment can hold.",
      );
    }
  }
}

/** The part of the host's environment that commands may see; all that the shell host is given. */
export function inheritedEnvironment({
  source,
  allow,
  platform = process.platform,
}: InheritanceOptions): Record<string, string> {
  const result: Record<string, string> = {};
  // Of two spellings the one in capitals counts, as it does for the programs that Node starts.
  for (const [name, value] of Object.entries(source).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const spelling = value === undefined ? undefined : spellingOf(name, value, allow, platform);
    if (spelling !== undefined) result[spelling] ??= value!;
  }
  return result;
}

/**
 * What a program of others that is no command of ours may see, wherever it is started: it finds no program in a folder
 * that is named from where it stands, and git runs none for it that a repository names.
 */
export function environmentOfPrograms(source: InheritanceOptions["source"]): Record<string, string> {
  const inherited = inheritedEnvironment({ source, allow: [] });
  const path = wholeFolders(inherited.PATH ?? "").join(delimiter);
  return { ...inherited, ...noProgramsOfGit, ...(inherited.PATH !== undefined && { PATH: path }) };
}

/** Builds the whole environment of one command. @throws ShellError `invalid-command` for a variable that may not be set. */
export function buildEnvironment(options: EnvironmentOptions): Record<string, string> {
  assertHarmless(options.extra);
  const { inherited, extra, executionId, platform = process.platform } = options;
  return layer(platform, inherited, fixed, extra, { [executionMarker]: executionId });
}
