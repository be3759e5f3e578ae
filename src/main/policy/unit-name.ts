/** Decides which program a command's first word means, if one literal word says it beyond doubt. */

import { quote } from "../../shared/foreign-words.ts";
import { opaque } from "./bounded/opaque-reasons.ts";
import type { ShellWord } from "./shell-word.ts";

const trustedDirectories = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/opt/homebrew/bin",
]);
const specialNames = new Set(["[", "[[", ":", "."]);
const plainName = /^[A-Za-z0-9_][A-Za-z0-9_.+@-]*$/;

/** GNU's tools as Homebrew names them, so that they can stand beside macOS' own. Other programs are called `gdu` and `gid`. */
const prefixed = new Set(
  "b2sum base32 base64 basename cat chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dirname echo egrep env expand expr false fgrep find fmt fold grep groups head install join kill link ln ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc od paste pathchk pr printenv printf pwd readlink realpath rm rmdir sed seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tar tee test time timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime users vdir wc which who whoami xargs yes"
    .split(" ")
    .map((name) => `g${name}`),
);

/** The name that tables know a program by: without its folder, and without the `g` in front of a tool of GNU's. */
export function programOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return prefixed.has(name) ? name.slice(1) : name;
}

/** The program's bare name, or the reason why the word does not name one. */
export function readUnitName(word: ShellWord): { name: string } | { problem: string } {
  if (specialNames.has(word.text)) return { name: word.text };
  if (word.problem !== undefined) return { problem: `The command's name is not literal. ${word.problem}` };
  if (word.glob) return { problem: opaque.namePattern };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: anything but ASCII may look like another name
  if (/[^\x00-\x7f]/.test(word.value)) return { problem: opaque.nameLetters };
  const slash = word.value.lastIndexOf("/");
  const name = word.value.slice(slash + 1);
  if (slash >= 0 && !trustedDirectories.has(word.value.slice(0, slash))) {
    return { problem: `${quote(word.value)} is a program outside of the system's own directories.` };
  }
  if (!plainName.test(name)) return { problem: opaque.nameForm };
  return { name: programOf(name) };
}
