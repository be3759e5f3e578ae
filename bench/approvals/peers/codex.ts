/** Asks Codex' own program what it makes of rules. It brings no list of its own, so it can only be given rules. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const answerSchema = z.object({ decision: z.string().optional() });

export type Codex = {
  version: string;
  /** Whether its rules let this run, the words as a program is given them. */
  allows(words: readonly string[]): boolean;
  close(): void;
};

/** @param program the path of `codex` @param rules each the beginning of a command, word by word */
export function openCodex(program: string, rules: readonly (readonly string[])[]): Codex {
  const folder = mkdtempSync(join(tmpdir(), "countersign-codex-"));
  const file = join(folder, "offered.rules");
  const lines = rules.map((rule) => `prefix_rule(pattern=${JSON.stringify(rule)}, decision="allow")\n`);
  writeFileSync(file, lines.join(""));
  const env = { PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder };
  const ask = (args: readonly string[]) =>
    execFileSync(program, args, { env, cwd: folder, stdio: ["ignore", "pipe", "ignore"] }).toString();
  return {
    version: ask(["--version"]).trim(),
    allows(words) {
      const answer = ask(["execpolicy", "check", "--rules", file, "--", ...words]);
      return answerSchema.parse(JSON.parse(answer)).decision === "allow";
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
