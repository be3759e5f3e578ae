/** Runs a script in a sandbox, and tells "it ran and failed" from "nothing ran". */
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { isSeatbelt } from "./find-sandbox.ts";

export type ConfinedRun = {
  /** Undefined when nothing ran: the sandbox could not be put up, or never said how the script ended. */
  readonly exitCode: number | undefined;
  readonly output: string;
  /** What was said about it on standard error. */
  readonly complaint: string;
};

type HowToRun = {
  readonly program: string;
  readonly args: readonly string[];
  /** Absent in tests that try what holds without it. */
  readonly seccomp?: Uint8Array | undefined;
  readonly env: Record<string, string>;
  readonly timeoutMs: number;
};

/** For bash around the script on macOS: Seatbelt has nobody who waits for it and tells. */
const tellEnd = '/bin/bash --noprofile --norc -c "$1" 4>&-; echo "{\\"exit-code\\": $?}" >&4';
const bash = ["/bin/bash", "--noprofile", "--norc", "-c"];

/** The exit code of the script is named here, and only when there was one. */
function readStatus(said: string): number | undefined {
  const code = /"exit-code"\s*:\s*(\d+)/.exec(said)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** All that was said until the other end closed it or it was given up. */
const readAll = (stream: unknown): Promise<string> => text(stream as Readable).catch(() => "");

/** Never rejects. What has not ended in time is ended, whoever holds its output. */
export async function runConfined(script: string, how: HowToRun): Promise<ConfinedRun> {
  const { program, args, seccomp, env, timeoutMs } = how;
  const rest = isSeatbelt(program)
    ? [...bash, tellEnd, "script", script]
    : ["--json-status-fd", "4", "--", ...bash, script];
  const child = spawn(program, [...args, ...(seccomp ? ["--seccomp", "3"] : []), ...rest], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
  });
  const problem = new Promise<string>((resolve) => child.on("error", (error) => resolve(error.message)));
  if (child.pid === undefined) return { exitCode: undefined, output: "", complaint: await problem };
  const giveUp = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended.
    }
    for (const stream of child.stdio) stream?.destroy();
  };
  const patience = setTimeout(giveUp, timeoutMs);
  const rules = child.stdio[3] as Writable;
  // It may end before it has read them.
  rules.on("error", () => {});
  rules.end(seccomp ?? "");
  const [, output, complaint, , status] = child.stdio.map((stream, at) =>
    at === 0 || at === 3 ? Promise.resolve("") : readAll(stream),
  );
  const said = Promise.all([output, complaint, status]);
  const ended = await Promise.race([problem, said]);
  clearTimeout(patience);
  if (typeof ended === "string") return { exitCode: undefined, output: "", complaint: ended };
  const [printed = "", complained = "", told = ""] = ended;
  return { exitCode: readStatus(told), output: printed, complaint: complained.trim() };
}
