/** Programs whose words say that they write at a place outside of the workspace, which no sandbox lets them. */
import { splitPattern } from "../file-pattern.ts";
import { placePath } from "../path-place.ts";
import type { Scene } from "../policy-context.ts";
import type { ShellUnit } from "../shell-unit.ts";
import type { ShellWord } from "../shell-word.ts";

/** Which of the words behind a program are written to, of those that are no option. */
type Written = (operands: readonly ShellWord[]) => readonly ShellWord[];

const all: Written = (operands) => operands;
const allButFirst: Written = (operands) => operands.slice(1);
/** With one alone it is what is read, and the place is the folder of the command. */
const last: Written = (operands) => operands.slice(1).slice(-1);

const byProgram: Readonly<Record<string, Written>> = {
  ...{ mkdir: all, rmdir: all, rm: all, unlink: all, touch: all, tee: all, truncate: all, shred: all },
  ...{ mkfifo: all, mv: all, rename: allButFirst, chmod: allButFirst, chgrp: allButFirst },
  ...{ cp: last, install: last, ln: last, rsync: last, scp: last },
};

/** Options that name the place, in front of it or in the same word. */
const placeOptions: Readonly<Record<string, RegExp>> = {
  ...{ cp: /^(?:-t|--target-directory)(?:=|$)/, mv: /^(?:-t|--target-directory)(?:=|$)/ },
  ...{ ln: /^(?:-t|--target-directory)(?:=|$)/, install: /^(?:-t|--target-directory)(?:=|$)/ },
  ...{ tar: /^(?:-C|--directory)(?:=|$)/, unzip: /^-d(?:=|$)/, dd: /^of=/, sort: /^(?:-o|--output)(?:=|$)/ },
};

const devices = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/;

function leadsOut(
  { value, problem }: Pick<ShellWord, "value" | "problem">,
  { context, cwds }: Scene,
): boolean {
  if (problem !== undefined || value === "" || devices.test(value)) return false;
  const path = /^~(?:\/|$)/.test(value) ? context.home + value.slice(1) : value;
  return cwds.some((cwd) => {
    const { real, inside } = placePath(splitPattern(path).base || ".", cwd, context);
    return real !== undefined && !inside;
  });
}

function placesIn(
  name: string,
  words: readonly ShellWord[],
): readonly Pick<ShellWord, "value" | "problem">[] {
  const option = placeOptions[name];
  if (option === undefined) return [];
  return words.flatMap((word, at) => {
    if (!option.test(word.value)) return [];
    const equals = word.value.indexOf("=");
    if (equals >= 0) return [{ ...word, value: word.value.slice(equals + 1) }];
    return words[at + 1] ?? [];
  });
}

/** What the words say plainly; what they do not say may still write there, and is refused when it does. */
export function writesOutside(
  { redirects }: Pick<ShellUnit, "redirects">,
  words: readonly ShellWord[],
  scene: Scene,
): boolean {
  const targets = redirects.flatMap(({ operator, target }) =>
    target && operator.includes(">") && !/^\d+-?$|^-$/.test(target.value) ? [target] : [],
  );
  const [program, ...rest] = words;
  const name = program?.value ?? "";
  const end = rest.findIndex(({ value }) => value === "--");
  const operands = rest.filter(({ value }, at) => !value.startsWith("-") || (end >= 0 && at > end));
  const written = Object.hasOwn(byProgram, name) ? byProgram[name]!(operands) : [];
  const edited = name === "sed" && rest.some(({ value }) => /^(?:-i|--in-place)/.test(value)) ? operands : [];
  const worktree = name === "git" && operands[0]?.value === "worktree" ? operands.slice(2, 3) : [];
  return [...targets, ...written, ...edited, ...worktree, ...placesIn(name, rest)].some((word) =>
    leadsOut(word, scene),
  );
}
