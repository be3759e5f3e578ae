/** Says of one command whether it leaves this machine or cannot be undone: the class that no rule and no switch passes. */

import type { VerdictClass } from "../../../shared/contract/decisions.ts";
import { oneLine, quote } from "../../../shared/foreign-words.ts";
import { startsNext } from "../guards/started-programs.ts";
import type { Scene } from "../policy-context.ts";
import type { ShellWord } from "../shell-word.ts";
import { programOf } from "../unit-name.ts";
import { describeCarriedAddress, describeCarriedPackage, describeCarriedRepository } from "./carried-text.ts";
import { findLastingLoss } from "./lasting-loss.ts";
import { findOutwardProgram, type OutwardProgram } from "./outward-programs.ts";
import { findPublishingName, findPublishingVerb, findSendingOption } from "./publishing-names.ts";
import { findOutwardRequest } from "./web-request.ts";

/** What a command does beyond the workspace, why, and which table says so. */
export type Beyond = { class: VerdictClass; reason: string; source: string };

/** Programs that start the program named later among their words. */
const starters = new Set(
  "cross-env dotenvx percy shx sudo doas su runuser xargs parallel env command exec nice nohup timeout time stdbuf setsid ionice watch flock npx pnpx bunx uvx pipx dlx script unbuffer chrt taskset caffeinate systemd-run busybox eval find fd fdfind strace ltrace perf valgrind gdb chroot unshare nsenter setarch prlimit firejail bwrap proot fakeroot faketime cpulimit rlwrap direnv op doppler dotenv env-cmd nix nix-shell guix devbox pixi aws-vault infisical chamber teller sops hyperfine nodemon watchexec entr onchange concurrently gosu su-exec setpriv pkexec dbus-run-session ssh-agent xvfb-run tmux screen deno cmake".split(
    " ",
  ),
);
/** What these start stands in one word with its own arguments, and elsewhere behind such an option. */
const startsText = new Set(
  "hyperfine concurrently parallel watch tmux screen watchexec onchange sops git".split(" "),
);
const beforeText = /^-(?:[a-z]*c|x)$|^--(?:run|exec|command|call)$/;
/** Which of what it finds it is to be started on. */
const beforeStarted: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|ok)(?:dir)?$/,
  fd: /^(?:-[xX]|--exec(?:-batch)?)$/,
  fdfind: /^(?:-[xX]|--exec(?:-batch)?)$/,
  git: /^(?:foreach|run|-x|--exec)$/,
};
/** Behind other options of theirs stands a value, such as `--network host`. */
const beforeContained =
  /^(?!-)|^-[itdT]+$|^--(?:rm|init|detach|privileged|read-only|interactive|tty|no-deps|build)$/;
const container = /^(?:docker|podman|nerdctl|docker-compose)$/;
const python = /^(?:python|pypy)[\d.]*$/;
const dlx = /^(?:exec|x|dlx|tool|--package)$/;
const nodePackages = new Set(["pnpm", "yarn", "bun"]);
const nodePublishing =
  /^(?:publish|unpublish|deprecate|owner|access|dist-tag|tag|login|logout|adduser|team|org|profile|hook|star|unstar|token|search|npm)$/;
const remotePath = /^(?:[^/\s]*@)?[\w.-]+:(?!\/\/)|^rsync:\/\//;
/** Of these a name with a colon is a file of another machine, also where an option brings it (`tar -cf host:x`). */
const copiesAway = new Set(["rsync", "tar"]);
const archiveFlag = /^(?:--file=|-[a-zA-Z]*f(?=.))/;
const sendingScheme =
  /(?:^|=)(?!https?:|file:|git:|git\+|ssh:|npm:|workspace:|link:|data:)[a-z][a-z0-9+.-]{1,15}:\/\//i;

function matchesWord(pattern: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  return pattern.endsWith("*") ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

/** The words that say what a program is to do: without options, and without the values of those in `valued`. */
function operandsOf(args: readonly string[], { valued = [] }: OutwardProgram): string[] {
  return args.filter(
    (arg, at) => !arg.startsWith("-") && !valued.includes(args[at - 1] ?? "") && !valued.includes(arg),
  );
}

function staysHere(program: OutwardProgram, args: readonly string[]): boolean {
  const operands = operandsOf(args, program);
  // Some act when they are merely called, such as `vercel`.
  if (operands.length === 0) return args.length > 0 && args.every((arg) => program.stays.includes(arg));
  return program.stays.some((entry) => entry.split(" ").every((part, at) => matchesWord(part, operands[at])));
}

/** Options of any program, and of those for databases, whose value is a name to look up. */
const takesHost =
  /^--(?:host(?:name)?|server|endpoint|bootstrap-servers?|brokers?|addr(?:ess)?|proxy|dns|peer|remote-host)$/;
const ofDatabase =
  /^(?:pg_|psql|mysql|maria|mongo|redis|create(?:db|user)|vacuumdb|reindexdb|clickhouse|cqlsh|influx)/;

/** Why a name that an option says to look up carries something. */
function describeCarriedHost(name: string, values: readonly string[]): string | undefined {
  const parts = values.flatMap((value) => (value.startsWith("-") ? value.split(/=(.*)/s, 2) : [value]));
  const isHost = (option: string) => takesHost.test(option) || (option === "-h" && ofDatabase.test(name));
  return parts
    .filter((part, at) => /^[\w.-]+(?::\d+)?$/.test(part) && isHost(parts[at - 1] ?? ""))
    .map((host) => describeCarriedAddress(`https://${host}/`))
    .find((each) => each !== undefined);
}

const leaves = (source: string, reason: string): Beyond => ({ class: "leaves", reason, source });

function findGitOutward(args: readonly string[]): Beyond | undefined {
  const at = args.findIndex((arg) => /^[a-z]/.test(arg));
  const subcommand = args[at] ?? "";
  const rest = args.slice(at + 1);
  if (subcommand === "push")
    return leaves("outward:git push", "git push: what is pushed can be read elsewhere.");
  if (/^(?:send-email|imap-send|request-pull|send-pack|http-push|cvsexportcommit)$/.test(subcommand))
    return leaves(`outward:git ${subcommand}`, `git ${subcommand} sends to another machine.`);
  if (
    /^(?:svn|p4|lfs|annex|subtree|cinnabar)$/.test(subcommand) &&
    rest.some((arg) => /^(?:dcommit|submit|push|sync|copy|commit-diff|branch|tag)$/.test(arg))
  )
    return leaves(`outward:git ${subcommand}`, `git ${subcommand} sends to another machine.`);
  if (/^(?:archive)$/.test(subcommand) && rest.some((arg) => arg.startsWith("--remote")))
    return leaves("outward:git archive", "git archive --remote asks another machine.");
  if (!/^(?:fetch|pull|clone|ls-remote|remote|submodule)$/.test(subcommand)) return undefined;
  if (subcommand !== "clone" && rest.some((arg) => /^(?:-o|--ser)/.test(arg)))
    return leaves(`outward:git ${subcommand}`, `git ${subcommand} hands a text of its words to the server.`);
  // What stands behind the repository is what is fetched of it.
  const operands = rest.filter((arg) => !arg.startsWith("-"));
  const repositories = /^(?:remote|submodule)$/.test(subcommand) ? operands : operands.slice(0, 1);
  const carried = repositories.map(describeCarriedRepository).find((each) => each !== undefined);
  return carried === undefined ? undefined : leaves("outward:git address", carried);
}

function findSending(name: string, args: readonly ShellWord[]): Beyond | undefined {
  const values = args.map((word) => word.value);
  const request = findOutwardRequest(name, args);
  if (request !== undefined) return leaves(`outward:${name}`, request);
  const carried =
    values.map(describeCarriedAddress).find((each) => each !== undefined) ??
    describeCarriedPackage(name, values) ??
    describeCarriedHost(name, values);
  const git = name === "git" ? findGitOutward(values) : undefined;
  if (git !== undefined) return git;
  if (carried !== undefined) return leaves("outward:addresses", carried);
  if (name === "git") return undefined;
  if (copiesAway.has(name) && values.some((value) => remotePath.test(value.replace(archiveFlag, ""))))
    return leaves(`outward:${name}`, `${name} sends to another machine.`);
  if (nodePackages.has(name) && nodePublishing.test(values.find((value) => !value.startsWith("-")) ?? ""))
    return leaves(`outward:${name}`, `${name} publishes packages and changes accounts.`);
  const program = findOutwardProgram(name);
  if (program !== undefined && (!staysHere(program, values) || values.includes("--push"))) {
    const shown = values.filter((value) => !value.startsWith("-"))[0];
    return leaves(
      `outward:${name}`,
      `${shown === undefined ? name : `${name} ${quote(shown)}`}: ${name} ${program.does}.`,
    );
  }
  const task = findPublishingName(name, values);
  if (task !== undefined)
    return leaves("outward:task names", `“${oneLine(task)}” names something that publishes.`);
  const option = findSendingOption(name, values);
  if (option !== undefined)
    return leaves("outward:options", `“${oneLine(option)}” says that ${name} sends something.`);
  const verb = program === undefined ? findPublishingVerb(name, values) : undefined;
  if (verb !== undefined)
    return leaves("outward:verbs", `“${oneLine(verb)}” says that ${name} sends something.`);
  if (values.some((value) => sendingScheme.test(value)))
    return leaves("outward:addresses", "It names an address that it may send to.");
  return undefined;
}

function findHere(name: string, args: readonly ShellWord[], scene: Scene): Beyond | undefined {
  const sending = findSending(name, args);
  if (sending !== undefined) return sending;
  const loss = findLastingLoss(name, args, scene);
  return loss === undefined ? undefined : { class: "final", reason: loss, source: `final:${name}` };
}

/** Whether a program with these words starts the one that stands among them. */
function startsAmong(name: string, values: readonly string[]): boolean {
  const [first = "", second = ""] = values.filter((value) => !value.startsWith("-"));
  if (name === "git")
    return /^(?:submodule foreach|bisect run)$/.test(`${first} ${second}`) || first === "rebase";
  if (container.test(name))
    return /^(?:exec|run)$/.test(first) || /^compose (?:exec|run)$/.test(`${first} ${second}`);
  const fetchesFirst = name === "npm" || nodePackages.has(name) || name === "uv";
  return (
    starters.has(name) || (fetchesFirst && dlx.test(values[0] ?? "")) || startsNext([name, values[0] ?? ""])
  );
}

/** The words among which a started program stands, texts of several words taken apart. */
function startedWords(name: string, args: readonly ShellWord[]): ShellWord[] {
  if (python.test(name)) {
    const at = args.findIndex(({ value }) => value === "-m" || !value.startsWith("-"));
    return at < 0 ? [] : args.slice(args[at]!.value === "-m" ? at + 1 : at);
  }
  if (container.test(name))
    return args.slice(args.findIndex(({ value }) => /^(?:exec|run)$/.test(value)) + 1);
  return args.flatMap((word, at) =>
    startsText.has(name) || beforeText.test(args[at - 1]?.value ?? "")
      ? word.value.split(/\s+/).map((value) => ({ ...word, value }))
      : [word],
  );
}

/**
 * What a command does that reaches beyond the workspace or lasts, or undefined. Looks also behind programs that start
 * others (`sudo`, `xargs`, `npx`), whose words come later.
 *
 * @param words the program's name and its arguments, decoded
 */
export function findBeyond(words: readonly ShellWord[], scene: Scene): Beyond | undefined {
  const [first, ...args] = words;
  if (first === undefined) return undefined;
  const name = programOf(first.value);
  const here = findHere(name, args, scene);
  if (here !== undefined) return here;
  const isPython = python.test(name);
  const values = args.map((word) => word.value);
  if (!isPython && !startsAmong(name, values)) return undefined;
  const behind = startedWords(name, args);
  const own = Object.hasOwn(beforeStarted, name) ? beforeStarted[name] : undefined;
  const mark = container.test(name) ? beforeContained : own;
  for (let at = 0; at < Math.min(behind.length, isPython ? 1 : 20); at += 1) {
    const word = behind[at]!.value;
    if (word.startsWith("-") || mark?.test(behind[at - 1]?.value ?? "") === false) continue;
    const started = programOf(word.replace(/^(?:npm|jsr):/, "").replace(/(?<=[^/])@.*$/, ""));
    const found = findHere(started, behind.slice(at + 1), scene);
    if (found !== undefined) return found;
  }
  return undefined;
}
