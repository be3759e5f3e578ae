/** Whatever an agent or a folder calls something, its words say nothing in a reason: they stand between quotes that they cannot end. */

import fc from "fast-check";
import { expect, it } from "vitest";
import { quote } from "../../shared/foreign-words.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { judgeCommand } from "./judge-command.ts";
import { judgeFile } from "./judge-file.ts";
import { makeContext, makeRule } from "./testing/make-context.ts";
import { powerShellContext } from "./testing/powershell-context.ts";

const told = /“[^“”]*”|"[^"]*"/g;
/** Each as one word of bash, in the place of S. */
const places = [
  ...[
    "cat S",
    "cat S/.env",
    "cat .env/S",
    "cat *S*",
    "cat ../S",
    "cat /etc/S",
    "S",
    "/opt/S x",
    "./S",
    "cd S/..",
  ],
  ...[
    "cd ../S",
    "echo x > S",
    "echo x > ../S",
    "echo x >> .git/S",
    "cat < S/.env",
    "ls -S",
    "ls --S",
    "ls --S=x",
  ],
  ...[
    "head -n *S x",
    "find . S",
    "find . -name S -S",
    "find . -size S",
    "git S",
    "git -S log",
    "git log S",
    "git push S",
  ],
  ...[
    "git push --S",
    "git show HEAD:S/.env",
    "git checkout S",
    "git -C S log",
    "npm S",
    "npm run S deploy",
    "npm run S",
  ],
  ...[
    "npm install S",
    "npm config get S",
    "npx S",
    "curl S",
    "curl -X S https://x.example",
    "curl --S x.example",
  ],
  ...[
    "curl -S x.example",
    "rm S",
    "rm -r S",
    "mv S .git",
    "cp S/.env x",
    "make S=x",
    "S=x ls",
    "LC_ALL=S ls",
    "TZ=S ls",
  ],
  ...[
    "uv run S",
    "poetry run S S",
    "tool deploy S",
    "tool S",
    "tool --config=S",
    "tar -xf S",
    "tar --S",
    "grep -r x S",
  ],
  ...[
    "sed -n S f",
    "awk S f",
    "jq S f",
    "timeout S ls",
    "nice -S ls",
    "env S ls",
    "bash -c S",
    "cat S.tar",
    "pr S.tar",
  ],
  ...[
    "cmake -P S",
    "gcc -wrapper S x",
    "docker S",
    "ssh S",
    "dig S",
    "printf S",
    "test -v S",
    "xargs S",
    "for S in a; do ls; done",
  ],
  ...[
    "cat ~S/x",
    "touch S/.git/hooks/x",
    "truncate -s 0 S",
    "find S -delete",
    "git rm S",
    "mkdir .github/workflows/S",
    "S |",
    "cat $S",
  ],
];
const inPowerShell = [
  "gc S",
  "gc S\\*",
  "gci -Filter S",
  "gc -S x",
  "gc x -S 1",
  "S",
  "gci S | sls x",
  "select -First S",
  "git log S",
];
const words = fc
  .array(
    fc.constantFrom(
      "zebra",
      "okapi.",
      "”",
      "“",
      '"',
      "\n",
      "\u2028",
      "\u202e",
      "\u200b",
      "(",
      ". ",
      "quagga's",
      "\t",
      ": ",
    ),
    {
      minLength: 2,
      maxLength: 8,
    },
  )
  .map((parts) => `zebra ${parts.join(" ")} okapi`);

const bashWord = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const powerShellWord = (text: string) => `'${text.replaceAll(/['’‘]/g, "")}'`;

function expectSilent(reason: string | undefined): void {
  const own = (reason ?? "").replace(told, "");
  // A single word of an agent's is no sentence.
  expect(own).not.toMatch(/(?:zebra|okapi|quagga's)\P{L}*\s\P{L}*(?:zebra|okapi|quagga)/u);
  expect(reason ?? "").not.toMatch(/[\n\u2028\u202e\u200b\t]/);
}

it("keeps its words apart in every reason of a command", () => {
  const context = makeContext({ rules: ["tool", "pr", "cp", "mv"].map((text) => makeRule(text)) });
  fc.assert(
    fc.property(words, fc.constantFrom(...places), (text, place) => {
      const { units } = judgeCommand(place.replaceAll("S", bashWord(text)), context);
      for (const { reason } of units) expectSilent(reason);
    }),
    { numRuns: runsOf(1_500) },
  );
});

it("keeps them apart in PowerShell, and in what is said of a file or a rule", () => {
  fc.assert(
    fc.property(words, fc.constantFrom(...inPowerShell), (text, place) => {
      const command = place.replaceAll("S", powerShellWord(text));
      for (const { reason } of judgeCommand(command, powerShellContext).units) expectSilent(reason);
    }),
    { numRuns: runsOf(200) },
  );
  fc.assert(
    fc.property(words, fc.constantFrom("read", "write", "delete"), (text, operation) => {
      const rule = {
        id: "r",
        paths: ["**"],
        operations: [operation],
        effect: "allow",
        scope: "user",
        text,
      } as const;
      const context = makeContext({ rules: [makeRule("tool", { text })] });
      const files = { ...context, rules: [{ ...rule, paths: ["**"], operations: [operation] }] };
      for (const path of [text, `${text}/.env`, `../${text}`, `.git/${text}`, "a"])
        for (const { reason } of judgeFile({ operation, path }, files).units) expectSilent(reason);
      for (const { reason } of judgeCommand("tool x", context).units) expectSilent(reason);
    }),
    { numRuns: runsOf(100) },
  );
});

it("leaves a plain word as it is, and cuts what is long", () => {
  expect(["src/a.ts", "*.md", "--force", ".env"].map(quote)).toEqual(["src/a.ts", "*.md", "--force", ".env"]);
  expect(quote("a b")).toBe('"a b"');
  expect(quote("x".repeat(5_000)).length).toBeLessThan(210);
});
