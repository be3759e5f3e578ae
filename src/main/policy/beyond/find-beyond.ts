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
  "cross-env dotenvx percy shx sudo doas su runuser xargs parallel env command exec nice nohup timeout time stdbuf setsid ionice watch flock npx pnpx bunx uvx pipx dlx script unbuffer chrt taskset caffeinate systemd-run busybox eval find".split(
    " ",
  ),
);
const dlx = /^(?:exec|x|dlx|tool|--package)$/;
const nodePackages = new Set(["pnpm", "yarn"]);
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
    describeCarriedPackage(name, values);
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
  const runsPackage =
    ((name === "npm" || nodePackages.has(name) || name === "uv") && dlx.test(args[0]?.value ?? "")) ||
    startsNext([name, args[0]?.value ?? ""]);
  if (!starters.has(name) && !runsPackage) return undefined;
  for (let at = 0; at < Math.min(args.length, 12); at += 1) {
    const word = args[at]!.value;
    if (
      word.startsWith("-") ||
      (name === "find" && !/^-(?:exec|ok)(?:dir)?$/.test(args[at - 1]?.value ?? ""))
    )
      continue;
    const started = programOf(word.replace(/(?<=[^/])@.*$/, ""));
    const behind = findHere(started, args.slice(at + 1), scene);
    if (behind !== undefined) return behind;
  }
  return undefined;
}
