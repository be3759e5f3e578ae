/** The git commands that only read, with the flags that neither write files nor start other programs. */
import type { FlagProfile } from "./flag-profile.ts";

/** In a format of commits, with or without a sign that puts a blank or a line in front: another program checks their signatures. */
export const asksForSignature = /%[-+ ]?G/;

/** What of a difference tells names, sizes and counts, or which files are meant. */
const namesLong =
  "no-patch raw stat? numstat shortstat dirstat? cumulative summary name-only name-status no-renames find-renames? find-copies? color? no-color full-index abbrev? diff-filter= exit-code quiet no-ext-diff no-textconv ignore-submodules? relative? irreversible-delete";
const namesShort = "sMCDRBzl:";
/** What makes git print lines of files, or shapes them: without what takes archives and their like for text. */
const linesLong =
  "patch unified= patch-with-raw minimal patience histogram diff-algorithm= patch-with-stat color-words? word-diff? word-diff-regex= check pickaxe-all pickaxe-regex ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines function-context submodule? src-prefix= dst-prefix= no-prefix line-prefix= compact-summary color-moved? indent-heuristic";
const diffLong = `${namesLong} ${linesLong}`;
const logLong =
  "oneline pretty? format= abbrev-commit no-abbrev-commit graph decorate? no-decorate decorate-refs= max-count= skip= since= after= until= before= author= committer= grep= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp merges no-merges min-parents= max-parents= first-parent all branches? tags? remotes? glob= exclude= reverse date-order author-date-order topo-order date= relative-date follow cherry cherry-pick cherry-mark left-right left-only right-only boundary simplify-by-decoration full-history ancestry-path walk-reflogs source notes? no-notes parents children reflog full-diff count no-walk encoding= no-expand-tabs";
const logShort = "n:iEFPgmt";
const diffShort = `${namesShort}puU:bwWS:G:`;

/** Flags with which `git log` and its like print names, counts and messages alone. */
export const namingFlags: ReadonlySet<string> = new Set([
  ...`${namesLong} ${logLong} cached staged merge-base base ours theirs root no-commit-id`
    .split(" ")
    .map((name) => `--${name.replace(/[=?]$/, "")}`),
  ...`${namesShort}${logShort}rt`
    .replaceAll(":", "")
    .split("")
    .map((letter) => `-${letter}`),
  "-number",
]);

const log: FlagProfile = {
  short: `${diffShort}${logShort}cL:`,
  long: `${diffLong} ${logLong}`,
  operands: "content",
  numbers: true,
};

const listing: FlagProfile = {
  short: "avrilnq",
  long: "all remotes list show-current verbose column? no-column sort= merged? no-merged? contains? no-contains? points-at= format= color? no-color ignore-case abbrev? no-abbrev",
  operands: "none",
};

/** Keyed by subcommand. An operand where none is listed means a change (`git branch name`), not a reading. */
export const gitReading: Record<string, FlagProfile> = {
  status: {
    short: "sbvuz",
    long: "short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames no-renames find-renames?",
    operands: "metadata",
  },
  diff: {
    short: diffShort,
    long: `${diffLong} cached staged merge-base base ours theirs`,
    operands: "content",
  },
  log,
  whatchanged: log,
  show: log,
  shortlog: {
    short: "nsec",
    long: "numbered summary email group= all no-merges since= until=",
    operands: "content",
  },
  blame: {
    short: "bcL:wCMsetfnpl",
    long: "root show-stats porcelain line-porcelain incremental date= show-name show-number show-email abbrev= color-lines color-by-age",
    operands: "content",
  },
  // Without what looks at the work tree, and notes in the repository what it saw.
  describe: {
    long: "all tags contains abbrev= candidates= exact-match long match= exclude= always first-parent",
    operands: "text",
  },
  "rev-parse": {
    short: "q",
    long: "short? verify quiet abbrev-ref? symbolic symbolic-full-name show-toplevel show-prefix show-cdup is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository git-dir absolute-git-dir git-common-dir branches? tags? remotes? all",
    operands: "text",
  },
  "rev-list": { short: "n:", long: logLong, operands: "content", numbers: true },
  "ls-files": {
    short: "cdmoistvzuk",
    long: "cached deleted modified others ignored stage unmerged killed exclude-standard error-unmatch full-name abbrev? eol deduplicate directory no-empty-directory",
    operands: "metadata",
  },
  "ls-tree": {
    short: "drtlz",
    long: "long name-only name-status object-only full-name full-tree abbrev? format=",
    operands: "metadata",
  },
  "cat-file": { short: "ptse", operands: "content" },
  "merge-base": { short: "a", long: "all octopus is-ancestor independent fork-point", operands: "text" },
  "name-rev": { long: "tags name-only always all", operands: "text" },
  "show-ref": {
    short: "dsq",
    long: "heads tags branches head dereference hash? verify quiet abbrev?",
    operands: "text",
  },
  "for-each-ref": {
    long: "count= sort= format= points-at= merged? no-merged? contains? no-contains? ignore-case",
    operands: "text",
  },
  "count-objects": { short: "vH", long: "verbose human-readable", operands: "none" },
  "check-ignore": { short: "vnq", long: "verbose non-matching quiet no-index", operands: "metadata" },
  "diff-tree": {
    short: `${diffShort}rtcm`,
    long: `${diffLong} root no-commit-id pretty? format=`,
    operands: "content",
  },
  grep: {
    short: "iIwvhHElnGFPcLoqpWA:B:C:e:zr",
    long: "cached untracked ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match only-matching count color? no-color break heading show-function context= after-context= before-context= function-context max-count= max-depth= and or not all-match quiet recursive",
    operands: "content",
    pattern: ["-e"],
    numbers: true,
  },
  branch: listing,
  tag: { ...listing, short: "li" },
  remote: { short: "v", long: "verbose", operands: "none" },
};
