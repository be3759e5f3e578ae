/**
 * A mark on every process of a command that nothing it does by the way takes off. A variable goes with `env -i`, a
 * session with `setsid` and a parent with its death; a resource limit goes on to every descendant. Linux knows one,
 * that of file locks, which has bounded nothing since version 2.4, can be lowered by anybody and raised by root alone,
 * and is told to everybody who may see the process.
 */

import { readFileSync } from "node:fs";
import type { CommandShell } from "../../shared/command-shell.ts";

const markBits = 48;
/** Above any limit that a person would set. */
const leastMark = 2 ** 52;
const limitLine = /^Max file locks\s+\S+\s+(\d+)\s/m;

/** The limit that processes of an execution have; the same after a restart. */
export function limitMarkOf(executionId: string): string {
  return String(leastMark + Number(BigInt.asUintN(markBits, hashOf(executionId))));
}

/** FNV-1a: a mark is no secret, and Node's own hashes would be a sixth of what the terminals' process holds. */
function hashOf(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  return hash;
}

/** What sets the mark in a shell, to stand before its first command; empty where there is no such limit. */
export function setLimitMark(
  { kind }: Pick<CommandShell, "kind">,
  executionId: string,
  platform: NodeJS.Platform,
): string {
  if (kind !== "bash" || platform !== "linux") return "";
  const mark = limitMarkOf(executionId);
  // bash has one letter for it, smaller shells another. Inside of a command with a lower limit it cannot be set.
  return `ulimit -x ${mark} 2>/dev/null || ulimit -w ${mark} 2>/dev/null || :; `;
}

/** The limit of a process, which is its mark if it has one; undefined without a limit, or when it cannot be read. */
export function readLimitMark(pid: number): string | undefined {
  try {
    return limitLine.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
