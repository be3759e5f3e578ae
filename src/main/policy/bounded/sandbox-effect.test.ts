/** What may run unasked where it is confined: held against cases that were sorted by hand, and against what no text may pass. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Verdict } from "../../../shared/contract/decisions.ts";
import { runsOf } from "../../base/testing/long-run.ts";
import { judgeCommand } from "../judge-command.ts";
import { judgeFile } from "../judge-file.ts";
import { secretAlternatives } from "../secret-names.ts";
import { makeContext, makeRule } from "../testing/make-context.ts";
import { makeRandom, makeSmugglingCommand } from "../testing/seeded-commands.ts";
import { isOpaque, opaque } from "./opaque-reasons.ts";
import { effectOnAll, effectOnReason, isBoundedBySandbox } from "./sandbox-effect.ts";

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
}

const caseSchema = z.object({ command: z.string(), verdict: z.string() });
const { cases } = z.object({ cases: z.array(caseSchema) }).parse(readJson("../shell-cases.json"));
const hardened = z.array(caseSchema).parse(readJson("../hardened-cases.json"));
const groups = z.record(z.string(), z.array(z.string())).parse(readJson("./asking-cases.json"));
const others = Object.entries(groups).filter(([name]) => name !== "opaque");

const judge = (command: string, part: Parameters<typeof makeContext>[0] = {}) =>
  judgeCommand(command, makeContext(part));
const isBounded = (command: string, part: Parameters<typeof makeContext>[0] = {}) =>
  isBoundedBySandbox(judge(command, part));

describe("what a sandbox bounds", () => {
  it("is, of all that always asks, what nobody can read, as sorted by hand", () => {
    const asking = cases.filter(({ verdict }) => verdict === "ask").map(({ command }) => command);
    expect(Object.values(groups).flat().toSorted()).toEqual(asking.toSorted());
    expect(asking.filter((command) => isBounded(command)).toSorted()).toEqual(groups.opaque?.toSorted());
  });

  it("never is what is denied", () => {
    const denied = [...cases, ...hardened].filter(({ verdict }) => verdict === "deny");
    expect(denied.length).toBeGreaterThan(10);
    expect(denied.filter(({ command }) => isBounded(command))).toEqual([]);
  });

  it.each([
    ["loses work in a part of its own", "python x.py; git reset --hard"],
    ["loses work within what nobody can read", "python - <<'EOF'\nimport shutil; shutil.rmtree('src')\nEOF"],
    ["deletes whatever it is handed", "git ls-files | xargs rm"],
    ["deletes what git does not hold", "echo $(rm x)"],
    ["rewrites history", "git rebase main"],
    ["writes out of the workspace", "python x.py > ../out.txt"],
    ["writes what is protected", "python x.py > .git/hooks/pre-commit"],
    ["reads out of the workspace", "python ../x.py"],
    ["hides a secret behind what nobody can read", "cat $X .env"],
    ["names a secret within a program's text", "python -c 'print(open(\".env\").read())'"],
    ["names a secret in the part that can be read of a word", "cat .env.$X"],
    ["prints the environment", "node -e 'console.log(process.env)'"],
    ["acts with the rights of others", "sudo npm test"],
    ["ends other programs", "kill $PID"],
    ["needs the network by its name", "npm install"],
    ["needs the network behind a variable", "X=1 pip install left-pad"],
    ["is not valid", "python x.py &&& rm x"],
    ["hides a character", "python x.py\u200b"],
    ["is in too many parts", `${"true; ".repeat(70)}python x.py`],
  ])("never is what %s", (_, command) => {
    expect(isBounded(command, { isKept: () => false }), JSON.stringify(judge(command).units)).toBe(false);
  });

  it("never is what a rule of the person asks about", () => {
    const rules = [makeRule("npm test", { effect: "ask" }), makeRule("git add")];
    expect(isBounded("npm test", { rules })).toBe(false);
    expect(isBounded("npm test $X", { rules })).toBe(false);
    expect(isBounded("npm test $X")).toBe(true);
  });

  it("is what no rule covers, and what is safe or covered", () => {
    for (const command of ["make", "npm test", "ls", "git add -A", "mkdir x", "npx vitest run --config a.ts"])
      expect(isBounded(command), command).toBe(true);
  });

  it("is no file tool's call and no text of PowerShell", () => {
    const context = makeContext({ rules: [] });
    const file = judgeFile({ operation: "write", path: "a.ts" }, { ...context, rules: [] });
    expect(file.verdict).toBe("new");
    expect(isBoundedBySandbox(file)).toBe(false);
    for (const command of ["npm run x", "python x.py", "New-Item a"])
      expect(isBounded(command, { shell: "powershell", rules: [] }), command).toBe(false);
  });
});

describe("closed by default", () => {
  it("takes a reason that is not in the list, or none, for one that no sandbox bounds", () => {
    expect(Object.values(opaque).every(isOpaque)).toBe(true);
    fc.assert(
      fc.property(fc.string(), (reason) => {
        fc.pre(!isOpaque(reason));
        expect(effectOnReason(reason)).toBeUndefined();
        expect(effectOnAll(["bounds", effectOnReason(reason)])).toBeUndefined();
      }),
    );
    expect(effectOnAll([])).toBeUndefined();
    expect(isBoundedBySandbox({ verdict: "safe", units: [] })).toBe(false);
  });

  it("is bounded as a whole only if each part is", () => {
    const unit = fc.record({
      text: fc.constant("x"),
      reason: fc.constant("y"),
      verdict: fc.constantFrom(
        "safe" as const,
        "covered" as const,
        "new" as const,
        "ask" as const,
        "deny" as const,
      ),
      sandbox: fc.constantFrom(undefined, "bounds" as const, "refuses" as const),
      class: fc.constantFrom(undefined, "leaves" as const, "final" as const),
    });
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), (units) => {
        const verdict = { verdict: "ask", units } as Verdict;
        const each = units.every((one) => isBoundedBySandbox({ verdict: "ask", units: [one] } as Verdict));
        expect(isBoundedBySandbox(verdict)).toBe(each);
        const unbounded = units.some(
          (one) =>
            one.class || one.verdict === "deny" || (/new|ask/.test(one.verdict) && one.sandbox !== "bounds"),
        );
        expect(isBoundedBySandbox(verdict)).toBe(!unbounded);
      }),
    );
  });

  const wrappings: ((command: string) => string)[] = [
    (command) => `bash -c '${command.replaceAll("'", "'\\''")}'`,
    (command) => `(${command}\n)`,
    (command) => `if true; then ${command}\nfi`,
    (command) => `while true; do ${command}\ndone`,
    (command) => `echo "$(${command}\n)"`,
    (command) => `f() { ${command}\n}; f`,
    (command) => `X=1 python x.py; ${command}`,
    (command) => `${command}\npython x.py $Y`,
  ];

  it("does not become bounded by what is put around it, or beside it", () => {
    const asked = others.flatMap(([, commands]) => commands);
    fc.assert(
      fc.property(
        fc.constantFrom(...asked),
        fc.array(fc.constantFrom(...wrappings), { minLength: 1, maxLength: 2 }),
        (command, chain) => {
          const wrapped = chain.reduce((text, wrap) => wrap(text), command);
          expect(isBounded(wrapped), wrapped).toBe(false);
        },
      ),
      { numRuns: runsOf(250), seed: 3 },
    );
  });

  it("finds the name of each secret in any text that nobody can read", () => {
    const made: ((name: string) => string)[] = [
      (name) => `python -c "print(open('${name}').read())"`,
      (name) => `node x.mjs ${name}`,
      (name) => `cat $(echo ${name})`,
      (name) => `python - <<'EOF'\nopen("a/${name}")\nEOF`,
    ];
    const bounded = secretAlternatives.flatMap(({ name }, at) => {
      const command = made[at % made.length]!(name.replaceAll("*", "x"));
      return isBounded(command) ? [command] : [];
    });
    expect(bounded).toEqual([]);
  });

  it("keeps the sandbox's word for what it says of each part, on random texts", () => {
    const random = makeRandom(17);
    for (let left = 200; left > 0; left -= 1) {
      const command = makeSmugglingCommand(random);
      const { verdict, units } = judge(command);
      for (const unit of units) if (unit.sandbox === "bounds") expect(unit.class, command).toBeUndefined();
      if (verdict === "deny") expect(isBoundedBySandbox({ verdict, units }), command).toBe(false);
    }
  });
});
