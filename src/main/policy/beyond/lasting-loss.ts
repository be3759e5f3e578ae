/** Finds what destroys something that nothing here brings back: deletes outside of git, and lost work and history. */

import { oneLine, quote } from "../../../shared/foreign-words.ts";
import { normalizePath } from "../../paths/path-style.ts";
import { resolvePathIn } from "../path-place.ts";
import type { Scene } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";
import { programOf } from "../unit-name.ts";
import { findEmptied, findLosingName } from "./losing-names.ts";

const removers = new Set(["rm", "unlink", "srm", "rimraf", "del", "rd", "del-cli"]);
const destroyers: Record<string, string> = {
  shred: "It overwrites what it deletes.",
  wipe: "It overwrites what it deletes.",
  srm: "It overwrites what it deletes.",
  truncate: "It cuts off what a file holds.",
  dd: "It overwrites what it writes to.",
  dropdb: "It deletes a database.",
  "trash-empty": "It deletes what was put aside.",
  dropuser: "It deletes a user of a database.",
  memcflush: "It deletes what a store holds.",
  pg_resetwal: "It may lose what a database holds.",
  pg_dropcluster: "It deletes databases.",
  scrub: "It overwrites what it deletes.",
  nwipe: "It overwrites what it deletes.",
};

/** Git's ways to lose what no commit holds: subcommand, then what among its words does it. */
const gitLosses: Record<string, RegExp> = {
  clean: /^/,
  reset: /^--(?:hard|merge|keep)/,
  stash: /^(?:drop|clear)$/,
  branch: /^(?:-[a-z]*[DMf]|--force)/,
  tag: /^(?:-[a-z]*[df]|--delete|--force)/,
  restore: /^/,
  checkout: /^(?:--|\.|-f|--force|--discard-changes|--ours|--theirs|:.*|.*[*?].*)$/,
  merge: /^--abort$/,
  rebase: /^--(?:abort|skip)$/,
  "cherry-pick": /^--(?:abort|skip)$/,
  revert: /^--(?:abort|skip)$/,
  am: /^--(?:abort|skip)$/,
  "read-tree": /^(?:--reset|-[a-z]*u)/,
  "checkout-index": /^(?:-[a-z]*f|--force)/,
  switch: /^(?:-f|--force|--discard-changes)$/,
  rm: /^(?:-[a-z]*[fr]|--force)/,
  worktree: /^(?:remove|prune)$/,
  reflog: /^(?:expire|delete)$/,
  gc: /^/,
  prune: /^/,
  "update-ref": /^/,
  "filter-branch": /^/,
  "filter-repo": /^/,
  notes: /^(?:remove|prune)$/,
  rerere: /^(?:clear|forget|gc)$/,
  lfs: /^prune$/,
};

/** The same of other keepers of versions, which have words of their own. */
const otherLosses: Readonly<Record<string, RegExp>> = {
  hg: /^(?:revert|strip|purge|--clean|-C)$/,
  svn: /^(?:revert|--remove-(?:unversioned|ignored))$/,
  bzr: /^(?:revert|clean-tree)$/,
};

/** Ways to lose what a store holds, in all words of the command with a blank around each. */
const redis = / (?:del|unlink|getdel|flush(?:all|db)) /i;
const docker = / prune | volume rm | down .*(?:-v|--volumes) /;
const storeLosses: Readonly<Record<string, RegExp>> = {
  ...{ "redis-cli": redis, "valkey-cli": redis, "keydb-cli": redis, docker, podman: docker, nerdctl: docker },
  "docker-compose": docker,
  rabbitmqctl: / (?:delete_\w+|purge_queue|reset|force_reset) /,
  rabbitmqadmin: / (?:purge|delete) /,
  pg_restore: / (?:-[a-zA-Z]*c[a-zA-Z]*|--clean) /,
  mongorestore: / --drop /,
  influx: / delete /,
  "kafka-topics": / --delete /,
  drush: / sql[-:]drop /,
};

/** macOS' ways to lose what belongs to the machine: program, then what among its words does it. */
const machineLosses: Record<string, RegExp> = {
  asr: /^-?-?(?:restore|erase)$/i,
  diskutil: /^(?:erase|partition|zero|random|secureErase|delete|reformat)/i,
  dscl: /^-?delete/i,
  dseditgroup: /^delete$/,
  fdesetup: /^(?:remove|disable)/,
  gpt: /^(?:add|create|destroy|label|migrate|remove|resize|recover)$/,
  hdiutil: /^(?:erase\w*|compact|resize|segment)$/,
  log: /^erase$/,
  nvram: /^-[cd]$/,
  pkgutil: /^--(?:forget|unlink)$/,
  profiles: /^(?:-[RD]|remove)$/,
  sysadminctl: /^-(?:deleteUser|resetPasswordFor)$/i,
  tccutil: /^reset$/,
  tmutil: /^(?:delete|thin)/i,
};

const lostWork = "It throws away work or history that no commit holds.";

/** Whether `git checkout` puts files back: paths stand behind a version, or a file has the name. */
function putsBack(args: readonly string[], { context, cwds }: Scene): boolean {
  if (args.some((arg) => /^(?:-b|--(?:orphan|track|detach))/.test(arg))) return false;
  const operands = args.filter((arg) => !arg.startsWith("-"));
  const isFile = (operand: string) =>
    cwds.some((cwd) => {
      const real = resolvePathIn(operand, cwd, context);
      return real !== undefined && context.look?.isThere(real) === true;
    });
  return operands.length > 1 || operands.some(isFile);
}

function findGitLoss(args: readonly string[], scene: Scene): string | undefined {
  const subcommand = args.find((arg) => !arg.startsWith("-"));
  if (subcommand === undefined || !Object.hasOwn(gitLosses, subcommand)) return undefined;
  const rest = args.slice(args.indexOf(subcommand) + 1);
  const pattern = gitLosses[subcommand]!;
  if (subcommand === "checkout" && putsBack(rest, scene)) return lostWork;
  const staged = subcommand === "restore" && rest.includes("--staged") && !rest.includes("--worktree");
  return !staged && (pattern.source === "^" || rest.some((arg) => pattern.test(arg))) ? lostWork : undefined;
}

function findRemoval(name: string, args: readonly ShellWord[], scene: Scene): string | undefined {
  const values = args.map((word) => word.value);
  if (
    values.some((value) => /^-[a-zA-Z]*[rR]|^--r(?!m)/.test(value) || /^\/s$/i.test(value)) ||
    /^(?:rimraf|del-cli)$/.test(name)
  )
    return "Deleting whole folders cannot be undone.";
  const { isKept } = scene.context;
  if (isKept === undefined) return undefined;
  const lost = args.find((word) => {
    if (word.value.startsWith("-")) return false;
    if (word.glob || word.problem !== undefined) return true;
    return scene.cwds.some((cwd) => {
      const placed = scene.context.paths.place(word.value, { ...scene.context, cwd });
      return "problem" in placed || !isKept(normalizePath(placed.path));
    });
  });
  return lost && `Git holds no copy of ${quote(lost.value)} as it is, so deleting it cannot be undone.`;
}

/** These hand what they read or find to a program, which then deletes whatever it is. */
const handsOn = /^(?:xargs|parallel|fd|fdfind)$/;

function findFindLoss(args: readonly string[]): string | undefined {
  const acts = args.some(
    (arg, at) =>
      arg === "-delete" ||
      (/^-(?:exec|ok)(?:dir)?$/.test(arg) &&
        /^(?:rm|unlink|shred|truncate)$/.test(programOf(args[at + 1] ?? ""))),
  );
  return acts ? "It deletes whatever it finds." : undefined;
}

/** Why a command destroys something for good, or undefined. */
export function findLastingLoss(name: string, args: readonly ShellWord[], scene: Scene): string | undefined {
  const values = args.map((word) => word.value);
  if (Object.hasOwn(destroyers, name)) return destroyers[name];
  if (name === "git") return findGitLoss(values, scene);
  if (Object.hasOwn(otherLosses, name) && values.some((value) => otherLosses[name]!.test(value)))
    return lostWork;
  if (Object.hasOwn(storeLosses, name) && storeLosses[name]!.test(` ${values.join(" ")} `))
    return "It deletes what a store holds.";
  if (removers.has(name)) return findRemoval(name, args, scene);
  if (Object.hasOwn(machineLosses, name) && values.some((value) => machineLosses[name]!.test(value)))
    return "It erases a disk, a user or records of this machine.";
  if (name === "find") return findFindLoss(values);
  if (handsOn.test(name) && values.some((value) => /^(?:rm|unlink|shred|truncate)$/.test(programOf(value))))
    return "It deletes whatever it is handed.";
  const losing = findLosingName(name, values);
  if (losing !== undefined) return `“${oneLine(losing)}” says that it throws away what is stored.`;
  const emptied = findEmptied(name, values);
  return emptied !== undefined && holdsFiles(emptied, scene)
    ? `It may empty ${quote(emptied)}, which holds files.`
    : undefined;
}

/** What tools made by themselves and make anew. */
const made =
  /(?:^|\/)(?:dist|build|out|output|coverage|public|target|site|storybook-static|test-results|playwright-report|\.[\w-]+)\/?$/;

function holdsFiles(folder: string, { context, cwds }: Scene): boolean {
  if (made.test(folder)) return false;
  return cwds.some((cwd) => {
    const real = resolvePathIn(folder, cwd, context);
    return real === undefined || context.look?.namesIn(real)?.length !== 0;
  });
}
