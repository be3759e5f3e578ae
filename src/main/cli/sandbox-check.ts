/** `sandbox`: says whether commands could be confined on this machine, by trying to get out of a sandbox. */
import { type Probe, probeSandbox } from "../sandbox/probe.ts";

type Output = { write(text: string): unknown };

/** @returns the exit code: 0 where it holds, 1 where there is none to rely on. */
export async function runSandboxCheck(
  stdout: Output,
  probe: () => Promise<Probe> = probeSandbox,
): Promise<0 | 1> {
  const answer = await probe();
  stdout.write(
    answer.usable
      ? `A sandbox holds here: none of ${answer.tries} tries got out of ${answer.program}.\n`
      : `There is no sandbox to rely on here: ${answer.why}\n`,
  );
  stdout.write(
    answer.usable
      ? "Commands run in it, unless their card says otherwise.\n"
      : "Every command runs as you.\n",
  );
  return answer.usable ? 0 : 1;
}
