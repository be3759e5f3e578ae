/**
 * What people and attackers write for PowerShell, by class, each with the verdict that its class must have: nothing that
 * attacks is judged better than it says, and nothing harmless worse.
 */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runsOf } from "../../base/testing/long-run.ts";
import { judgeCommand } from "../judge-command.ts";
import { powerShellContext } from "../testing/powershell-context.ts";
import { batchPrograms } from "./windows-programs.ts";

/** Best first. */
const verdicts = ["safe", "covered", "new", "ask", "deny"] as const;
const classes = z
  .array(
    z.strictObject({ class: z.string(), verdict: z.enum(verdicts), commands: z.array(z.string()).min(20) }),
  )
  .parse(JSON.parse(readFileSync(new URL("../testing/powershell-classes.json", import.meta.url), "utf8")));

const verdictOf = (command: string) => judgeCommand(command, powerShellContext).verdict;
const rank = (verdict: (typeof verdicts)[number]) => verdicts.indexOf(verdict);

describe("PowerShell texts of one class", () => {
  it.each(classes)("are judged as they must be: $class", ({ verdict, commands }) => {
    const attacks = rank(verdict) >= rank("ask");
    const wrong = commands
      .map((command) => [verdictOf(command), command] as const)
      .filter(([found]) => (attacks ? rank(found) < rank(verdict) : found !== verdict));
    expect(wrong).toEqual([]);
  });

  it("are judged no better for what stands around them that PowerShell leaves out", () => {
    const attacks = classes.flatMap(({ verdict, commands }) =>
      rank(verdict) >= rank("ask") ? commands.map((command) => ({ command, verdict })) : [],
    );
    const around = fc.constantFrom("", " ", "\t", "  ");
    fc.assert(
      fc.property(fc.constantFrom(...attacks), around, around, fc.boolean(), (text, before, after, loud) => {
        const cased = loud ? text.command.toUpperCase() : text.command.toLowerCase();
        const found = verdictOf(before + cased + after);
        expect(rank(found), `${found}: ${cased}`).toBeGreaterThanOrEqual(rank(text.verdict));
      }),
      { numRuns: runsOf(1_000) },
    );
  });
});

it("lets no program be asked for its version that bash's reader would not let", () => {
  const programs =
    "git npm rg jq node python java go cargo rustc docker deno pwsh powershell bash make mvn dotnet";
  const names = fc.constantFrom(...programs.split(" "), ...batchPrograms);
  const words = fc.constantFrom("--version", "-v", "-V", "version", "-version", "--help");
  fc.assert(
    fc.property(names, words, (name, word) => {
      const text = `${name} ${word}`;
      if (verdictOf(text) === "safe")
        expect(judgeCommand(text, { ...powerShellContext, shell: "bash" }).verdict, text).toBe("safe");
    }),
    { numRuns: runsOf(1_000) },
  );
});
