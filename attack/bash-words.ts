/** Asks real bash which words a text gives to which commands: every command is a stub that writes its words down. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Unprivileged } from "./unprivileged.ts";

const driver = `
dump() { builtin printf '%s\\0' "$#" "$@" >&9; }
command_not_found_handle() { dump "$@"; }
PATH=/nonexistent
for name in $(compgen -b); do
  case $name in builtin) ;; *) builtin eval "$name() { dump $name \\"\\$@\\"; }" ;; esac
done
number=0
while IFS= builtin read -r -d '' text <&8; do
  number=$((number + 1))
  ( { builtin cd "$FOLDERS/$number" && builtin eval -- "$text"; } 9>"$FOLDERS/$number.words" 8<&- </dev/null >/dev/null 2>&1 )
done
builtin true
`;

function split(dumped: string): string[][] {
  const parts = dumped.split("\0").slice(0, -1);
  const commands: string[][] = [];
  for (let at = 0; at < parts.length; ) {
    const count = Number(parts[at]);
    commands.push(parts.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return commands;
}

/**
 * The words of every command that bash runs for each text, in the order in which they were started.
 *
 * @param folder an empty throw-away folder, the home of the texts
 */
export function readWordsByBash(texts: readonly string[], folder: string, user: Unprivileged): string[][][] {
  const folders = join(folder, "texts");
  rmSync(folders, { recursive: true, force: true });
  for (const at of texts.keys()) mkdirSync(join(folders, String(at + 1)), { recursive: true });
  writeFileSync(join(folder, "texts.bin"), texts.map((text) => `${text}\0`).join(""));
  user.own(folder);
  execFileSync("bash", ["--norc", "--noprofile", "-c", `exec 8<"$TEXTS"\n${driver}`], {
    cwd: folder,
    env: { HOME: folder, FOLDERS: folders, TEXTS: join(folder, "texts.bin"), LANG: "C.UTF-8" },
    stdio: "ignore",
    ...user.ids,
  });
  return texts.map((_, at) => {
    try {
      return split(readFileSync(join(folders, `${at + 1}.words`), "utf8"));
    } catch {
      return [];
    }
  });
}
