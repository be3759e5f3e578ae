/** Notices that npm was killed: `kill -9` of npm leaves the script it started running, and with it the host. */
import { readFileSync } from "node:fs";

const pollMs = 250;
const shells = ["sh", "dash", "ash", "bash", "zsh"];

/** Calls back once when the npm that started this process is gone. @returns what stops watching; elsewhere does nothing. */
export function whenNpmDies(callback) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return () => {};
  const shell = process.ppid;
  const npm = npmBehind(shell);
  const timer = setInterval(() => {
    const isHere = process.ppid === shell && (npm === undefined || readProcess(shell)?.parent === npm);
    if (isHere) return;
    clearInterval(timer);
    callback();
  }, pollMs);
  return () => clearInterval(timer);
}

/** npm starts scripts through a shell; most replace themselves by the script, some stay in between. */
function npmBehind(parent) {
  const found = readProcess(parent);
  return found !== undefined && shells.includes(found.name) ? found.parent : undefined;
}

/** Name and parent of a process, on Linux; undefined elsewhere and for processes that are gone. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    const [, parent] = stat.slice(end + 2).split(" ");
    return { name: stat.slice(stat.indexOf("(") + 1, end), parent: Number(parent) };
  } catch {
    return undefined;
  }
}
