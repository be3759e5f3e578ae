/** Asks Codex' own program what it makes of rules. It brings no list of its own, so it can only be given rules. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

/** Where the program is; it is too large to be installed for this alone. */
export const codexVariable = "COUNTERSIGN_CODEX";

const answerSchema = z.object({ decision: z.enum(["allow", "prompt", "forbidden"]).optional() });

export type Codex = {
  version: string;
  /** What its rules say of this, the words as a program is given them; undefined where none is about it. */
  decide(words: readonly string[]): z.infer<typeof answerSchema>["decision"];
  close(): void;
};

/** @param program the path of `codex` @param rules a file of rules as text */
export function openCodex(program: string, rules: string): Codex {
  const folder = mkdtempSync(join(tmpdir(), "countersign-codex-"));
  const file = join(folder, "offered.rules");
  writeFileSync(file, rules);
  const env = { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder };
  const ask = (args: readonly string[]) =>
    execFileSync(program, args, { env, cwd: folder, stdio: ["ignore", "pipe", "ignore"] }).toString();
  return {
    version: ask(["--version"]).trim(),
    decide(words) {
      const answer = ask(["execpolicy", "check", "--rules", file, "--", ...words]);
      return answerSchema.parse(JSON.parse(answer)).decision;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
