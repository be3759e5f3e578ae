/** Reads a `find` command against the closed list of predicates that neither run, delete nor write. */
import type { ShellWord } from "../shell-word.ts";
import type { ProfileReading } from "./flag-profile.ts";

const tests = new Set(
  "-true -false -empty -print -print0 -prune -o -or -a -and -not ! ( ) , -depth -d -mount -xdev -daystart -noleaf -nouser -nogroup -readable -writable -executable -quit -ls -ignore_readdir_race -P".split(
    " ",
  ),
);
const valued = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group -uid -gid -links -inum -fstype -used -printf".split(
    " ",
  ),
);
const files = new Set("-newer -anewer -cnewer -samefile".split(" "));

/** Reads the words after `find`. Following links (`-L`, `-H`) can lead outside and is a problem. */
export function readFind(words: readonly ShellWord[]): ProfileReading {
  const reading: ProfileReading = { content: [], metadata: [], patterns: [], flags: new Set() };
  let inExpression = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    const value = word.value;
    if (word.leadingGlob) reading.problem ??= "A file pattern may turn into an action of find.";
    if (!inExpression && value !== "!" && value !== "(" && !value.startsWith("-"))
      reading.metadata.push(word);
    else if (tests.has(value)) inExpression = value !== "-P";
    else if (valued.has(value) || files.has(value)) {
      inExpression = true;
      at += 1;
      if (words[at] === undefined || words[at]!.leadingGlob)
        reading.problem ??= `${value} has no literal value.`;
      else if (files.has(value)) reading.metadata.push(words[at]!);
    } else reading.problem ??= `${value} is not among the actions of find that only list files.`;
  }
  return reading;
}
