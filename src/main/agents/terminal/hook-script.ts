/** The hook itself: a few lines for any POSIX shell, with nothing beside it but curl. */
import { posix } from "node:path";
import { shellWord } from "../../base/shell-word.ts";
import type { TerminalAgent } from "./hook-words.ts";

/** Its name in the data directory. */
export const hookFile = "terminal-hook";

/**
 * @param socket where the door is. The last process of the hook is curl itself, so that whoever ends the hook hangs up.
 *   It never ends with 2 by itself, which would be a no; what fails prints nothing, and the agent asks by itself.
 * @param word what the door says when it is asked whether it is there: once its console is gone, another user may listen
 *   at the same place, and would be told what the agent asks and answer it.
 */
export function hookScript(socket: string, word: string): string {
  return `#!/bin/sh
# Written by Countersign, anew at each start. An agent runs it before it asks for a permission in its terminal: it says
# what is asked to the console and prints what a person decided there. Where no console answers it prints nothing and
# ends with 0, and the agent asks by itself.
socket=${shellWord(socket)}
word=${shellWord(word)}
if test -S "$socket" && test "$(curl -q -0 -sfN --noproxy '*' --max-time 5 --unix-socket "$socket" http://countersign/ready 2>/dev/null)" = "$word"; then
  exec curl -q -0 -sfN --noproxy '*' --speed-time 30 --unix-socket "$socket" --data-binary @- "http://countersign/ask/$1" 2>/dev/null
fi
exit 0
`;
}

/** The line for an agent's settings: nothing, with 0, where the hook is not there any more. */
export function hookCommand(dataDir: string, agent: TerminalAgent): string {
  const file = shellWord(posix.join(dataDir, hookFile));
  return `test -r ${file} && exec sh ${file} ${agent}; exit 0`;
}

/** Whether a line of an agent's settings is one of ours, for any console. */
export function isHookCommand(line: unknown): boolean {
  const [, file, again] =
    /^test -r ('.+') && exec sh ('.+') (?:claude-code|codex); exit 0$/s.exec(String(line)) ?? [];
  return file !== undefined && file === again && file.endsWith(`/${hookFile}'`);
}
