/** Programs that a rule may cover, with the flags and words of theirs that always ask. */

import { quote } from "../../../shared/foreign-words.ts";
import { opaque } from "../bounded/opaque-reasons.ts";
import type { ShellWord } from "../shell-word.ts";
import { unpacks } from "./asking-programs.ts";
import { findFlag } from "./flag-guard.ts";
import { askOn, guard, type ProgramGuard, values } from "./guard.ts";
import { findLoading } from "./loading-options.ts";
import { packageGuards } from "./package-guards.ts";
import { findStarted } from "./started-programs.ts";

const recursiveRemoval = guard(
  "Deleting whole folders cannot be undone.",
  "recursive no-preserve-root",
  "rR",
);
const recursiveRights = guard(
  "Changing the rights of whole folders is hard to undo.",
  "recursive reference",
  "R",
  "",
  (args) =>
    values(args).some((value) => /^(?:[ugoa]*[+=][rwxXt]*s|[24-7]\d{3}|0[24-7]\d{3})/.test(value))
      ? "It lets a program run with the rights of its owner."
      : undefined,
);

const uploads = (args: readonly ShellWord[]): string | undefined =>
  values(args).some((value) => value.includes("@") || /^<|=</.test(value))
    ? "It may send the contents of a file to the network."
    : undefined;

const tarModes = (args: readonly ShellWord[]): string | undefined => {
  const bundle = values(args)[0] ?? "";
  if (bundle.startsWith("--")) return undefined;
  if (/[IFPx]/.test(bundle)) return opaque.extracting;
  return undefined;
};

const makeWords = (args: readonly ShellWord[]): string | undefined =>
  values(args).some((value) => value.includes("=") && !value.startsWith("-"))
    ? "A variable set for make can be a command."
    : undefined;

const settings = guard(
  opaque.otherSettings,
  "config require import loader plugin preset register node-option env-file globalSetup",
  "cr",
);

const compilerWords = (args: readonly ShellWord[]): string | undefined =>
  values(args).some((value) =>
    /^@|^--?(?:wrapper|specs|f?plugin|fpass-plugin|fuse-ld|load|B|sysroot|Wl,|Xlinker|Xclang|Xpreprocessor|Wp,|Wa,)|link(?:er|-arg)|^-Z/.test(
      value,
    ),
  )
    ? opaque.otherSettings
    : undefined;
const writesWhereTold = "It writes where it is told.";
/** With one dash or two, in small letters or large ones. */
const tscWords = (args: readonly ShellWord[]): string | undefined =>
  values(args).some((value) =>
    /^--?(?:outdir|outfile|declarationdir|tsbuildinfofile|generatetrace|init|build|b)$/i.test(value),
  )
    ? writesWhereTold
    : undefined;

const compiler = guard(opaque.otherSettings, "", "", "", compilerWords);

const startsFor = (long: string, short = "", valued = "") => guard(opaque.starter, long, short, valued);

const guards: Record<string, ProgramGuard> = {
  ...packageGuards,
  fd: startsFor("exec exec-batch", "xX", "etEdcjSo"),
  fdfind: startsFor("exec exec-batch", "xX", "etEdcjSo"),
  ag: startsFor("pager"),
  ack: startsFor("pager ackrc"),
  ugrep: startsFor("pager filter view"),
  split: startsFor("filter"),
  sdiff: startsFor("diff-program"),
  diff3: startsFor("diff-program"),
  xmllint: startsFor("shell"),
  rm: recursiveRemoval,
  chmod: recursiveRights,
  chown: recursiveRights,
  chgrp: recursiveRights,
  install: guard("It sets rights or strips with another program.", "strip-program mode owner group", "mogs"),
  make: guard(
    opaque.otherSettings,
    "file makefile eval directory include-dir environment-overrides",
    "fICEe",
    "jlo",
    makeWords,
  ),
  gmake: guard(
    opaque.otherSettings,
    "file makefile eval directory include-dir environment-overrides",
    "fICEe",
    "jlo",
    makeWords,
  ),
  pytest: guard(
    opaque.otherSettings,
    "override-ini rootdir confcutdir import-mode pdbcls debug basetemp pyargs pastebin",
    "poc",
    "kmnr",
  ),
  rspec: guard(opaque.otherSettings, "require options default-path", "rIO"),
  rake: guard(
    opaque.otherSettings,
    "rakefile require execute execute-print execute-continue libdir rakelibdir system",
    "freEpIRg",
  ),
  mix: guard(opaque.otherSettings, "eval require", "er"),
  bandit: guard(opaque.otherSettings, "ini", "c"),
  "pre-commit": guard(opaque.otherSettings, "", "c"),
  tar: guard(
    "It can run a program or write outside.",
    "checkpoint-action to-command use-compress-program rsh-command info-script new-volume-script rmt-command absolute-names extract get unlink-first overwrite directory files-from index-file recursive-unlink remove-files volno-file",
    "IFPxT",
    "fCbgNXVKL",
    tarModes,
  ),
  zip: guard("It can run a program.", "unzip-command test-command TT temp-path move", "Tmb", ""),
  unzip: guard(opaque.extracting, "", "", "", (args) =>
    /^-(?:l|v|t|Z1?)$/.test(values(args)[0] ?? "") ? undefined : opaque.extracting,
  ),
  curl: guard(
    "It uploads, saves what the network sends, or takes its settings from a file.",
    "config upload-file netrc netrc-file unix-socket proxy-header key cert engine output remote-name remote-header-name",
    "KTnEoOJ",
    "dHAeuXbcmFx",
    uploads,
  ),
  wget: guard(
    "It uploads, or takes its settings from elsewhere.",
    "execute config post-file body-file input-file use-askpass private-key load-cookies preserve-permissions",
    "ei",
    "OoPUtTw",
    uploads,
  ),
  gh: guard(
    opaque.otherSettings,
    "",
    "",
    "",
    askOn(
      /^(?:api|alias|extension|ext|auth|secret|variable|config|codespace|cs|ssh-key|gpg-key|workflow|run|repo|gist|release)$/,
      "It acts on an account or other repositories.",
    ),
  ),
  xattr: guard("It takes away or writes marks by which the system trusts files.", "", "wdc", ""),
  "terminal-notifier": guard("A click on it starts what it names.", "", "", "", (args) =>
    values(args).some((value) => /^-(?:execute|open|activate|sender)$/.test(value))
      ? "A click on it starts what it names."
      : undefined,
  ),
  cmake: guard(
    opaque.otherSettings,
    "toolchain install preset trace-redirect graphviz",
    "PEC",
    "DSBGTAWUj",
    (args) =>
      values(args).some((value) =>
        /^-D?\w*(?:COMPILER|LAUNCHER|PROGRAM|COMMAND|TOOLCHAIN|INCLUDE|EXECUTABLE)/.test(value),
      )
        ? opaque.otherSettings
        : undefined,
  ),
  prettier: guard(opaque.otherSettings, "config plugin plugin-search-dir"),
  mypy: guard(opaque.otherSettings, "python-executable config-file custom-typeshed-dir", "", "pmc"),
  vitest: guard(opaque.otherSettings, "config root globalSetup browser api", "cr"),
  jest: guard(opaque.otherSettings, "config globalSetup rootDir runner testRunner", "c"),
  tsc: guard(writesWhereTold, "", "", "", tscWords),
  eslint: guard(
    opaque.otherSettings,
    "resolve-plugins-relative-to rulesdir plugin config parser output-file",
    "co",
  ),
};

for (const name of "gcc g++ cc c++ clang clang++ ld.lld rustc".split(" ")) guards[name] = compiler;
for (const name of "gzip bzip2 xz lzma zstd lz4 brotli pigz".split(" "))
  guards[name] = guard(unpacks, "decompress uncompress stdout to-stdout", "dc", "SbDTM");
for (const name of "mocha ava webpack rollup vite esbuild babel parcel stylelint nyc c8 karma playwright cypress jasmine tap".split(
  " ",
))
  guards[name] = settings;

/** Why this use of a program always asks, with the words that say so, or undefined when a rule may cover it. */
export function findGuardedUse(
  name: string,
  args: readonly ShellWord[],
): { reason: string; told: string } | undefined {
  const started = findStarted(name, args, findGuardedUse);
  if (started !== undefined) return started;
  const own = Object.hasOwn(guards, name) ? guards[name] : undefined;
  const flag = own && findFlag(own, args);
  if (flag !== undefined) return { reason: own!.reason, told: `${name} ${quote(flag)}: ${own!.reason}` };
  const loading = findLoading(values(args));
  if (loading !== undefined)
    return { reason: opaque.otherSettings, told: `${name} ${quote(loading)}: ${opaque.otherSettings}` };
  const reason = own?.check?.(args);
  return reason === undefined ? undefined : { reason, told: reason };
}
